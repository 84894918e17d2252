import Basics
import ExportBytes
import Profiles
import Trips

// Status, region, trip type, the rules' fields, money and miles.
extension TripDecoder {
    private static let unknown: Int32 = -1
    /// Set beside a list code where the value is present and nothing maps it. The bits above are its number in `ListUse`.
    private static let unmapped: Int32 = 0x100
    /// Set beside the code of an entry that an open list took from the exports; the bits above as for `unmapped`.
    private static let taken: Int32 = 0x200
    private static let numberBits: Int32 = 10

    func decodeStatus(_ bytes: UnsafePointer<UInt8>, _ table: SpanTable, count: Int, into batch: inout TripBatch) {
        guard let slot = plan.status else {
            let constant = profile.constants[.status].flatMap { TripStatus(name: $0) } ?? .completed
            for row in 0..<count { batch.status[row] = constant.rawValue }
            return
        }
        let map = profile.valueMaps[.status]
        let blank = Int32(TripStatus.completed.rawValue)
        statusColumn.decode(bytes, table.column(slot), count: count, blank: blank, into: columns.codes) { value in
            var name = map?.entries[value.lowercased()] ?? TripStatus(name: value.lowercased())?.name
            if name == nil, words.hold(value) { return blank }
            name = name ?? map?.otherwise
            return name.flatMap { TripStatus(name: $0) }.map { Int32($0.rawValue) } ?? Self.unknown
        }
        let unknownStatus = DecodingColumns.code(of: .unknownStatus)
        batch.status.withUnsafeMutableBufferPointer { status in
            for row in 0..<count {
                let code = columns.codes[row]
                if code >= 0 {
                    status[row] = UInt8(truncatingIfNeeded: code)
                } else if columns.verdicts[row] == 0 {
                    columns.verdicts[row] = unknownStatus
                }
            }
        }
    }

    func decodeLists(_ bytes: UnsafePointer<UInt8>, _ table: SpanTable, count: Int, into batch: inout TripBatch) {
        decodeList(
            .tripType, slot: plan.tripType, names: profile.vocabulary.tripTypes, column: &tripTypeColumn,
            use: &tripTypeUse, bytes, table, count: count, warning: WarningBit.unmappedTripType, into: &batch.tripType)
        decodeList(
            .region, slot: plan.region, names: profile.vocabulary.regions, column: &regionColumn,
            use: &regionUse, bytes, table, count: count, warning: WarningBit.unmappedRegion, into: &batch.region)
        for index in profile.lookups.indices { applyLookup(index, bytes, table, count: count, into: &batch) }
    }

    private func decodeList(
        _ field: CanonicalField, slot: Int?, names: NamedList, column: inout CodedColumn,
        use: inout ListUse, _ bytes: UnsafePointer<UInt8>, _ table: SpanTable, count: Int, warning: UInt32,
        into codes: inout [UInt8]
    ) {
        let map = profile.valueMaps[field]
        let isOpen = profile.vocabulary.openLists.contains(field)
        func entry(_ name: String) -> Int32 {
            if let code = names.code(of: name) { return Int32(code) }
            // A list that was guessed may lack it.
            if isOpen, let standard = Vocabulary.standardEntry(name, field) { use.lack(standard) }
            return 0
        }
        func listed(_ value: String) -> Int32? {
            if let mapped = map?.entries[value.lowercased()] { return entry(mapped) }
            if let code = names.code(of: value) ?? names.code(ignoringCase: value) { return Int32(code) }
            return isOpen ? Vocabulary.standardEntry(value, field).map(entry) : nil
        }
        func code(_ written: String) -> Int32 {
            let value = written.foldingBlanks()
            let found = listed(value) ?? listed(written) ?? (words.hold(value) ? 0 : map?.otherwise.map(entry))
            guard let found else { return Self.unmapped | Int32(use.index(of: value)) << Self.numberBits }
            use.use(UInt8(truncatingIfNeeded: found))
            let name = names.names[Int(found)]
            if !isOpen || found == 0 || Vocabulary.standardEntry(name, field) == name { return found }
            return found | Self.taken | Int32(use.index(of: value, isTaken: true)) << Self.numberBits
        }
        guard let slot else {
            let constant = profile.constants[field].map(code) ?? 0
            for row in 0..<count { codes[row] = UInt8(truncatingIfNeeded: constant) }
            return
        }
        column.decode(bytes, table.column(slot), count: count, blank: 0, into: columns.codes, make: code)
        noteFilled(field, slot: slot, column, count: count)
        codes.withUnsafeMutableBufferPointer { codes in
            for row in 0..<count {
                let found = columns.codes[row]
                codes[row] = UInt8(truncatingIfNeeded: found)
                if found & (Self.unmapped | Self.taken) != 0 {
                    if found & Self.unmapped != 0 { columns.warn(row, warning) }
                    use.count(Int(found >> Self.numberBits))
                }
            }
        }
    }

    /// Gives a region to rows that have none yet, and a zone.
    private func applyLookup(
        _ index: Int, _ bytes: UnsafePointer<UInt8>, _ table: SpanTable, count: Int, into batch: inout TripBatch
    ) {
        guard let slot = plan.lookups[index] else { return }
        let lookup = profile.lookups[index]
        let regions = profile.vocabulary.regions
        let zoneIndexes = zones.indexByName
        lookupColumns[index].decode(bytes, table.column(slot), count: count, blank: 0, into: columns.codes) { value in
            let key = lookup.prefixLength.map { String(value.prefix($0)) } ?? value
            let region = lookup.regions[key.lowercased()].flatMap { regions.code(of: $0) } ?? 0
            let zone = lookup.zones[key.lowercased()].flatMap { zoneIndexes[$0] } ?? 0
            return Int32(region) | Int32(zone) << 8
        }
        let hasZones = !lookup.zones.isEmpty
        for row in 0..<count {
            let found = columns.codes[row]
            if batch.region[row] == 0, found & 0xFF != 0 {
                batch.region[row] = UInt8(truncatingIfNeeded: found)
                columns.warnings[row] &= ~WarningBit.unmappedRegion
            }
            if hasZones, found >> 8 != 0 { columns.zones[row] = UInt8(truncatingIfNeeded: found >> 8) }
        }
    }

    func decodeText(_ bytes: UnsafePointer<UInt8>, _ table: SpanTable, count: Int, into batch: inout TripBatch) {
        for (index, role) in plan.text.enumerated() {
            guard let slot = role.slot else {
                fillConstant(role.constant, index: index, need: role.need, count: count, into: &batch.text[index])
                continue
            }
            let spans = table.column(slot)
            if role.need == .presence {
                notePresence(bytes, spans, count: count, into: &batch.text[index])
                continue
            }
            if textColumns[index].isFull {
                textColumns[index].removeAll()
                dictionaries[index].removeAll()
            }
            textColumns[index].decode(bytes, spans, count: count, blank: 0, into: columns.codes) {
                words.hold($0) ? 0 : Int32(truncatingIfNeeded: dictionaries[index].append($0))
            }
            noteFilled(role.field, slot: slot, textColumns[index], count: count)
            batch.text[index].withUnsafeMutableBufferPointer { codes in
                for row in 0..<count { codes[row] = UInt32(truncatingIfNeeded: columns.codes[row]) }
            }
        }
    }

    private func fillConstant(_ value: String?, index: Int, need: TextNeed, count: Int, into codes: inout [UInt32]) {
        var code: UInt32 = 0
        if let value, !value.isEmpty {
            if need == .value && dictionaries[index].count == 1 { _ = dictionaries[index].append(value) }
            code = 1
        }
        for row in 0..<count { codes[row] = code }
    }

    private func notePresence(
        _ bytes: UnsafePointer<UInt8>, _ spans: UnsafePointer<UInt64>, count: Int, into codes: inout [UInt32]
    ) {
        codes.withUnsafeMutableBufferPointer { codes in
            for row in 0..<count {
                let span = FieldSpan(packed: spans[row])
                let length = span.end &- span.start
                var isPresent = length > 0
                if isPresent, !isPlain(bytes, span) { isPresent = !identifier(bytes, span).isEmpty }
                codes[row] = isPresent ? 1 : 0
            }
        }
    }

    // MARK: - Amounts

    func decodeAmounts(_ bytes: UnsafePointer<UInt8>, _ table: SpanTable, count: Int, into batch: inout TripBatch) {
        decodeCost(bytes, table, count: count, into: &batch.costCents)
        let completed = TripStatus.completed.rawValue
        for row in 0..<count where batch.costCents[row] != AmountState.absent && batch.status[row] != completed {
            columns.warn(row, WarningBit.costOnUncompletedTrip)
        }
        decodeMiles(.loadedMiles, bytes, table, slot: plan.loadedMiles, count: count, into: &batch.loadedHundredths)
        decodeMiles(
            .unloadedMiles, bytes, table, slot: plan.unloadedMiles, count: count, into: &batch.unloadedHundredths)
        if let start = plan.odometerStart, let end = plan.odometerEnd {
            applyOdometer(bytes, table, start, end, count: count, into: &batch.loadedHundredths)
        }
        excludeImplausibleMiles(bytes, table, count: count, into: &batch)
        countMileageLines(bytes, table, count: count)
    }

    /// The text of an amount as `AmountReader` takes it, with a decimal point. Numbers of JSON have one in any case.
    func amountText(_ bytes: UnsafePointer<UInt8>, _ span: FieldSpan) -> ArraySlice<UInt8> {
        let text = identifier(bytes, span)
        return profile.decimalMark == .point || span.isLiteral ? text : AmountReader.exchangingMarks(text)[...]
    }

    private func decodeMiles(
        _ field: CanonicalField, _ bytes: UnsafePointer<UInt8>, _ table: SpanTable, slot: Int?, count: Int,
        into hundredths: inout [Int]
    ) {
        guard let slot else {
            for row in 0..<count { hundredths[row] = AmountState.absent }
            return
        }
        let spans = table.column(slot)
        let isMetric = profile.distanceUnit == .kilometers, hasPoint = profile.decimalMark == .point && readsPlainly
        var blanks = 0
        hundredths.withUnsafeMutableBufferPointer { hundredths in
            for row in 0..<count {
                let span = FieldSpan(packed: spans[row])
                if hasPoint, let plain = AmountReader.plainHundredths(bytes, span.start, span.end) {
                    hundredths[row] = isMetric ? Self.miles(hundredthsOfKilometer: plain) : plain
                    continue
                }
                hundredths[row] = AmountState.absent
                if span.end == span.start {
                    blanks &+= 1
                    continue
                }
                switch AmountReader.hundredths(amountText(bytes, span), isNumber: span.isLiteral) {
                case .absent: blanks += 1
                case .value(let amount) where amount < 0: columns.warn(row, WarningBit.negativeMiles)
                case .value(let amount):
                    hundredths[row] = isMetric ? Self.miles(hundredthsOfKilometer: amount) : amount
                case .bad:
                    columns.warn(row, WarningBit.badMiles)
                    unread.append(UnreadCell(field: field, slot: slot, row: row))
                }
            }
        }
        findings.note(field, filled: count - blanks)
    }

    /// One international mile is 1.609344 km exactly.
    private static func miles(hundredthsOfKilometer: Int) -> Int {
        HalfUp.quotient(hundredthsOfKilometer, times: 1_000_000, by: 1_609_344) ?? AmountState.absent
    }

    /// Loaded miles from the odometer, where the record does not state them.
    private func applyOdometer(
        _ bytes: UnsafePointer<UInt8>, _ table: SpanTable, _ start: Int, _ end: Int, count: Int,
        into loaded: inout [Int]
    ) {
        noteFilled(.odometerStart, start, table, count: count)
        noteFilled(.odometerEnd, end, table, count: count)
        func reading(_ field: CanonicalField, _ slot: Int, _ row: Int) -> AmountReader.Reading {
            let span = FieldSpan(packed: table.column(slot)[row])
            if span.end == span.start { return .absent }
            let reading = AmountReader.hundredths(amountText(bytes, span), isNumber: span.isLiteral)
            if reading == .bad { unread.append(UnreadCell(field: field, slot: slot, row: row)) }
            return reading
        }
        for row in 0..<count where loaded[row] == AmountState.absent {
            switch (reading(.odometerStart, start, row), reading(.odometerEnd, end, row)) {
            case (.value(let start), .value(let end)) where end >= start:
                let driven = end - start
                loaded[row] =
                    profile.distanceUnit == .kilometers ? Self.miles(hundredthsOfKilometer: driven) : driven
            case (.value, .value): columns.warn(row, WarningBit.odometerReversed)
            case (.bad, _), (_, .bad): columns.warn(row, WarningBit.badMiles)
            default: break
            }
        }
    }
}
