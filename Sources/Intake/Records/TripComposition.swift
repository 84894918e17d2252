import ExportBytes
import Profiles
import Trips

/// The rule by which the records of one trip become one record.
///
/// In: the records of a trip within one export, in the order of the export. Out: the values of one record. Amounts are added
/// as they are written; if one of them cannot be read, the trip has that value, so that no sum lacks a part in silence.
struct TripComposition: Sendable {
    private let raw: ColumnPlan
    private let composed: ColumnPlan
    private let slots: CompositionSlots
    private let decimalMark: DecimalMark
    private let timeReader: TimeReader
    private let updateReader: TimeReader
    private let serviceDateReader: TimeReader
    private let unitNotifiedReader: TimeReader
    /// By event code in lower case: the event's slot.
    private let eventSlots: [String: Int]
    /// By status as it is written, in lower case.
    private let statuses: ValueMap?
    /// Of each slot the field whose values should not differ between the records of a trip; nil: they may.
    private let steadyFields: [CanonicalField?]

    /// - Parameters:
    ///   - raw: of the export as it is.
    ///   - fields: what each of its slots holds.
    init(_ slots: CompositionSlots, raw: ColumnPlan, composed: ColumnPlan, fields: [CanonicalField?], profile: Profile)
    {
        self.slots = slots
        self.raw = raw
        self.composed = composed
        decimalMark = profile.decimalMark
        func reader(_ field: CanonicalField) -> TimeReader {
            TimeReader(profile.timeForms(of: field))
        }
        timeReader = reader(.eventAt)
        updateReader = reader(.updatedAt)
        serviceDateReader = reader(.serviceDate)
        unitNotifiedReader = reader(.unitNotifiedAt)
        var eventSlots: [String: Int] = [:]
        for (code, name) in profile.valueMaps[.eventCode]?.entries ?? [:] {
            guard let event = TripEvent.allCases.first(where: { $0.field.rawValue == name }) else { continue }
            eventSlots[code] = composed.events[event.rawValue]
        }
        self.eventSlots = eventSlots
        statuses = profile.valueMaps[.status]
        let mayDiffer: Set<CanonicalField> = [
            .hcpcsCode, .hcpcsModifiers, .units, .cost, .loadedMiles, .unloadedMiles, .updatedAt, .sequence, .eventCode,
            .eventAt, .notes, .invoiceNumber, .status,
        ]
        steadyFields = fields.map { field in field.flatMap { mayDiffer.contains($0) ? nil : $0 } }
    }

    /// Where a record says which trip it is part of.
    var tripSlots: (trip: Int, leg: Int?) { (raw.tripID, raw.legID) }

    /// The values of the trip's one record by slot, and what is odd about its records.
    func compose(_ all: [SpooledRecord], _ remarks: inout CompositionRemarks) -> [[UInt8]] {
        let records = standing(all)
        var values = (0..<composed.slotCount).map { slot -> [UInt8] in
            guard slot < raw.slotCount, let record = records.first(where: { !$0[slot].isEmpty }) else { return [] }
            return text(of: record, slot)
        }
        remarks.trips += 1
        note(records, values, &remarks)
        if let slot = raw.updatedAt {
            values[slot] = largest(records, slot) { value, _ in
                updateReader.read(value).map {
                    ($0.localSeconds - ($0.offsetSeconds ?? 0)) * 1_000_000 + $0.microseconds
                }
            }
        }
        if let slot = raw.sequence {
            values[slot] = largest(records, slot) { value, isNumber in
                let reading = AmountReader.hundredths(value, maximum: .max, isNumber: isNumber)
                return if case .value(let hundredths) = reading { hundredths } else { nil }
            }
        }
        switch slots {
        case .lines(let code, let modifiers, let units):
            if let status = raw.status { composeStatus(records, status, &values, &remarks) }
            composeLines(records, code: code, modifiers: modifiers, units: units, &values, &remarks)
        case .events(let code, let at):
            composeEvents(records, code: code, at: at, &values, &remarks)
        }
        return values
    }

    // MARK: - Status

    private func status(of record: SpooledRecord, _ slot: Int) -> TripStatus? {
        let text = String(decoding: record[slot], as: UTF8.self).lowercased()
        if text.isEmpty { return .completed }
        let name = statuses?.entries[text] ?? TripStatus(name: text)?.name ?? statuses?.otherwise
        return name.flatMap { TripStatus(name: $0) }
    }

    /// Without charge lines that are void, unless all of them are: then the trip is.
    private func standing(_ records: [SpooledRecord]) -> [SpooledRecord] {
        guard case .lines = slots, let slot = raw.status, records.count > 1 else { return records }
        let standing = records.filter { status(of: $0, slot) != .void }
        return standing.isEmpty ? records : standing
    }

    /// The status of the first line counts, also if it is blank: then the trip is completed.
    private func composeStatus(
        _ records: [SpooledRecord], _ slot: Int, _ values: inout [[UInt8]], _ remarks: inout CompositionRemarks
    ) {
        let first = status(of: records[0], slot)
        if records.contains(where: { status(of: $0, slot) != first }) { remarks.note(.status, at: records[0].place) }
        values[slot] = text(of: records[0], slot)
    }

    private func note(_ records: [SpooledRecord], _ values: [[UInt8]], _ remarks: inout CompositionRemarks) {
        guard records.count > 1 else { return }
        for slot in 0..<raw.slotCount {
            guard let field = steadyFields[slot] else { continue }
            let differs = records.contains { !$0[slot].isEmpty && text(of: $0, slot) != values[slot] }
            if differs { remarks.note(field, at: records[0].place) }
        }
        // A column that is not read, such as a line number, makes no other line.
        remarks.repeats += records.count - Set(records.map { record in (0..<raw.slotCount).map { record[$0] } }).count
        if let slot = raw.vehicle {
            let vehicles = Set(records.map { record in record[slot].filter(Self.isWord) }.filter { !$0.isEmpty })
            if vehicles.count > 1 { remarks.noteDoubt(.severalVehicles, at: records[0].place) }
        }
        let days = records.compactMap { day(of: $0) }
        if let first = days.min(), let last = days.max(), last - first > Self.mostDaysOfATrip {
            remarks.noteDoubt(.farApart, at: records[0].place)
        }
    }

    /// Later records are of another trip.
    private static let mostDaysOfATrip = 7

    private static func isWord(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || byte >= 0x80 || (0x41...0x5A).contains(byte & 0xDF)
    }

    /// The day of a record: of its date, of its time of notification, or of its change.
    private func day(of record: SpooledRecord) -> Int? {
        var places = [
            (raw.serviceDate, serviceDateReader), (raw.events[TripEvent.unitNotified.rawValue], unitNotifiedReader),
        ]
        if case .events(_, let at) = slots { places.append((at, timeReader)) }
        let found = places.lazy.compactMap { slot, reader in slot.flatMap { reader.read(record[$0]) } }.first
        return found.map { $0.localSeconds / 86_400 }
    }

    /// A value as a text of CSV: an amount of JSON with an exponent is written out.
    private func text(of record: SpooledRecord, _ slot: Int) -> [UInt8] {
        let value = record[slot]
        guard record.isLiteral(slot), value.contains(where: { $0 | 0x20 == UInt8(ascii: "e") }),
            case .value(let hundredths) = AmountReader.hundredths(value, isNumber: true)
        else {
            // A number of JSON has a point in any case.
            return record.isLiteral(slot) && decimalMark == .comma ? AmountReader.exchangingMarks(value) : Array(value)
        }
        return amount(hundredths)
    }

    private func largest(
        _ records: [SpooledRecord], _ slot: Int, _ rank: (ArraySlice<UInt8>, _ isNumber: Bool) -> Int?
    ) -> [UInt8] {
        var best: (rank: Int, record: SpooledRecord)?
        for record in records {
            guard let rank = rank(record[slot], record.isLiteral(slot)), rank > best?.rank ?? .min else { continue }
            best = (rank, record)
        }
        return best.map { text(of: $0.record, slot) } ?? records.lazy.map { text(of: $0, slot) }.first { !$0.isEmpty }
            ?? []
    }

    /// Hundredths as a number of the export.
    private func amount(_ hundredths: Int) -> [UInt8] {
        let digits = "\(hundredths.magnitude % 100)"
        let mark = decimalMark == .comma ? "," : "."
        return Array(
            "\(hundredths < 0 ? "-" : "")\(hundredths.magnitude / 100)\(mark)\(digits.utf8.count == 1 ? "0" : "")\(digits)"
                .utf8)
    }

    // MARK: - Charge lines

    /// Ground and air miles (HCPCS level II), those that are not covered, those of wheelchair and stretcher vans, those of volunteers,
    /// families and case workers, and those that Medicaid pays.
    private static let mileageCodes: Set<String> = [
        "A0425", "A0435", "A0436", "A0888", "S0209", "S0215", "T2049", "A0021", "A0080", "A0090", "A0160", "A0380",
        "A0390",
    ]
    /// The base rates: A0426 to A0434, A0225 (neonatal), A0998 (no transport) and A0999 (unlisted).
    private static let baseCodes: Set<String> = Set((426...434).map { "A0\($0)" } + ["A0225", "A0998", "A0999"])
    /// What is charged beside a base rate: supplies, waiting, oxygen, an attendant.
    private static let extraCodes: Set<String> = [
        "A0382", "A0384", "A0392", "A0394", "A0396", "A0398", "A0420", "A0422", "A0424",
    ]

    /// Whether a code is one of the charges of HCPCS: a letter and four digits.
    private static func isCharge(_ code: String) -> Bool {
        code.utf8.count == 5 && code.first?.isLetter == true && code.dropFirst().allSatisfy(\.isNumber)
    }

    /// The HCPCS code of a line, without modifiers behind it.
    private func code(of record: SpooledRecord, _ slot: Int) -> String {
        String(decoding: record[slot].prefix(5), as: UTF8.self).uppercased()
    }

    private func composeLines(
        _ records: [SpooledRecord], code: Int, modifiers: Int?, units: Int?, _ values: inout [[UInt8]],
        _ remarks: inout CompositionRemarks
    ) {
        if let cost = raw.cost {
            values[cost] = sum(records, cost, isMoney: true)
            for record in records {
                // A sum has no currency of its own any more.
                if let currency = AmountReader.money(record[cost]).currency {
                    remarks.currencies[currency, default: 0] += 1
                }
            }
        }
        let codes = records.map { self.code(of: $0, code) }
        composeMiles(records, codes, modifiers: modifiers, units: units, &values, &remarks)
        let bases = records.indices.filter { Self.baseCodes.contains(codes[$0]) }
        // A base rate that was billed and taken back is not the one of the trip.
        let standing = bases.first { base in
            let same = bases.filter { codes[$0] == codes[base] }.map { records[$0] }
            return raw.cost.map { sum(same, $0, isMoney: true) != amount(0) } ?? true
        }
        noteDoubts(records, codes, bases, modifiers: modifiers, &remarks)
        guard let base = standing ?? bases.first else { return }
        values[code] = text(of: records[base], code)
        // Some systems write the modifier on the mileage only.
        if let modifiers, !records[base][modifiers].isEmpty { values[modifiers] = text(of: records[base], modifiers) }
    }

    /// What shows that these are not all lines of one trip, or more than those of one.
    ///
    /// - Parameters:
    ///   - codes: of the records.
    ///   - bases: places of the base rates.
    private func noteDoubts(
        _ records: [SpooledRecord], _ codes: [String], _ bases: [Int], modifiers: Int?,
        _ remarks: inout CompositionRemarks
    ) {
        let place = records[0].place
        let charges = codes.filter(Self.isCharge)
        let lacksBase =
            !charges.isEmpty
            && charges.allSatisfy { Self.extraCodes.contains($0) || Self.mileageCodes.contains($0) }
        // In the order of the records; nil: no amount, or one that cannot be read.
        let amounts = records.map { record in raw.cost.flatMap { cents(record, $0) } }
        let stated = amounts.compactMap(\.self)
        let isTakenBackAlone = records.indices.contains { index in
            guard let amount = amounts[index], amount < 0, Self.isCharge(codes[index]) else { return false }
            return !records.indices.contains { codes[$0] == codes[index] && amounts[$0] ?? .min >= -amount }
        }
        if lacksBase || isTakenBackAlone || stated.reduce(0, +) < 0 { remarks.noteDoubt(.partOfLines, at: place) }
        if hasTotal(codes, amounts) { remarks.noteDoubt(.repeatedCost, at: place) }
        // A base rate that was billed again, and not taken back between.
        var billed: [[UInt8]: Int] = [:]
        for index in bases {
            let key = Array(codes[index].utf8) + [0] + (modifiers.map { Array(records[index][$0]) } ?? [])
            billed[key, default: 0] += amounts[index]?.signum() ?? 0
        }
        if billed.values.contains(where: { $0 > 1 }) { remarks.noteDoubt(.repeatedBase, at: place) }
    }

    /// Whether each line has the total of the bill, or a line without a charge has the sum of the others.
    private func hasTotal(_ codes: [String], _ amounts: [Int?]) -> Bool {
        let stated = amounts.compactMap(\.self)
        guard stated.count > 1, stated.count == amounts.count, let first = stated.first, first > 0 else { return false }
        if Set(codes).count > 1, stated.allSatisfy({ $0 == first }) { return true }
        let total = stated.reduce(0, +)
        return zip(codes, stated).contains { code, amount in !Self.isCharge(code) && amount * 2 == total }
    }

    /// The cost of a line; nil: none, or none that can be read.
    private func cents(_ record: SpooledRecord, _ slot: Int) -> Int? {
        let reading = AmountReader.cents(number(record, slot), isNumber: record.isLiteral(slot))
        return if case .value(let cents) = reading { cents } else { nil }
    }

    private func composeMiles(
        _ records: [SpooledRecord], _ codes: [String], modifiers: Int?, units: Int?, _ values: inout [[UInt8]],
        _ remarks: inout CompositionRemarks
    ) {
        guard let target = composed.loadedMiles else { return }
        let lines = records.indices.filter { Self.mileageCodes.contains(codes[$0]) }.map { records[$0] }
        let slot = [units, raw.loadedMiles].compactMap(\.self).first { slot in lines.contains { !$0[slot].isEmpty } }
        if let slot {
            values[target] = sum(lines, slot, isMoney: false)
            if slot != units, areRepeated(lines, slot, modifiers: modifiers) {
                remarks.noteDoubt(.repeatedMiles, at: records[0].place)
            }
            if slot == units, let own = raw.loadedMiles, areCountsOfLines(lines, slot, beside: own) {
                remarks.noteDoubt(.unitsOfOne, at: records[0].place)
            }
        } else if let own = raw.loadedMiles {
            values[target] = values[own]
        }
    }

    /// A distance or a number of units; nil: none, or none that can be read.
    private func hundredths(_ record: SpooledRecord, _ slot: Int) -> Int? {
        let reading = AmountReader.hundredths(number(record, slot), isNumber: record.isLiteral(slot))
        return if case .value(let value) = reading { value } else { nil }
    }

    /// A value as a number with a point.
    private func number(_ record: SpooledRecord, _ slot: Int) -> [UInt8] {
        record.isLiteral(slot) || decimalMark == .point
            ? Array(record[slot]) : AmountReader.exchangingMarks(record[slot])
    }

    /// Whether the units of mileage lines are 1 each, beside other miles: they count lines.
    private func areCountsOfLines(_ lines: [SpooledRecord], _ units: Int, beside miles: Int) -> Bool {
        return lines.allSatisfy { hundredths($0, units) == 100 }
            && lines.contains { line in hundredths(line, miles).map { $0 != 0 && $0 != 100 } ?? false }
    }

    /// Whether lines with the same modifiers have the same miles, and are not taken back: the way there and the way back may be
    /// equally long.
    private func areRepeated(_ lines: [SpooledRecord], _ slot: Int, modifiers: Int?) -> Bool {
        var standing: [[UInt8]: Int] = [:]
        for line in lines {
            guard let hundredths = hundredths(line, slot), hundredths != 0 else { continue }
            let key = Array("\(hundredths.magnitude)".utf8) + [0] + (modifiers.map { Array(line[$0]) } ?? [])
            standing[key, default: 0] += hundredths < 0 || isTakenBack(line) ? -1 : 1
        }
        return standing.values.contains { $0 > 1 }
    }

    /// The sum of a column as a text; that of the first value that cannot be read, if there is one.
    private func sum(_ records: [SpooledRecord], _ slot: Int, isMoney: Bool) -> [UInt8] {
        var total: Int?
        for record in records where !record[slot].isEmpty {
            let isNumber = record.isLiteral(slot), text = number(record, slot)
            let reading =
                isMoney
                ? AmountReader.cents(text, isNumber: isNumber) : AmountReader.hundredths(text, isNumber: isNumber)
            switch reading {
            case .absent: continue
            case .bad: return Array(record[slot])
            case .value(let hundredths) where !isMoney && hundredths > 0 && isTakenBack(record):
                total = (total ?? 0) - hundredths
            // Each is at most `AmountReader.maximum`, so no sum of an export overflows.
            case .value(let hundredths): total = (total ?? 0) + hundredths
            }
        }
        return total.map(amount) ?? []
    }

    /// Whether a line has a negative cost: its units are taken back with it, whatever sign they have.
    private func isTakenBack(_ record: SpooledRecord) -> Bool {
        raw.cost.flatMap { cents(record, $0) } ?? 0 < 0
    }

    // MARK: - Status changes

    /// Of several changes to one status the first in time counts.
    private func composeEvents(
        _ records: [SpooledRecord], code: Int, at: Int, _ values: inout [[UInt8]], _ remarks: inout CompositionRemarks
    ) {
        var first: [Int: Int] = [:]
        for record in records where !record[code].isEmpty {
            let name = String(decoding: record[code], as: UTF8.self).lowercased()
            guard let slot = eventSlots[name] else {
                remarks.unmappedEvents += 1
                continue
            }
            let seconds = timeReader.read(record[at]).map { $0.localSeconds - ($0.offsetSeconds ?? 0) }
            if seconds == nil, !record[at].isEmpty { remarks.unreadableEvents += 1 }
            if let known = first[slot], known <= seconds ?? .max { continue }
            first[slot] = seconds ?? .max
            values[slot] = text(of: record, at)
        }
        func has(_ event: TripEvent) -> Bool { first[composed.events[event.rawValue] ?? -1] != nil }
        let mayBegin = eventSlots.values.contains(composed.events[TripEvent.unitNotified.rawValue] ?? -1)
        if mayBegin, !has(.unitNotified), !has(.requested), has(.arrived) || has(.completed) {
            remarks.noteDoubt(.partOfEvents, at: records[0].place)
        }
    }
}
