import ExportBytes
import Profiles
import Trips

extension TripDecoder {
    /// The version of the record whose spans are in row `row` of `table`.
    func version(_ window: RecordWindow, _ table: SpanTable, row: Int) -> TripVersion {
        let bytes = UnsafePointer(window.bytes)
        var version = TripVersion()
        if let slot = plan.updatedAt {
            let span = FieldSpan(packed: table.column(slot)[row])
            // The window's padding makes the words beyond the value readable.
            let plain =
                readsPlainly && span.end &- span.start == 19
                ? updatedAtReader.plain(bytes + span.start) : TimeReader.bad
            if plain != TimeReader.bad {
                version.updatedAt = instant(local: plain) * 1_000_000
            } else if let reading = updatedAtReader.read(meant(window, table, slot, row)) {
                let seconds =
                    reading.offsetSeconds.map { reading.localSeconds - $0 } ?? instant(local: reading.localSeconds)
                version.updatedAt = seconds * 1_000_000 + reading.microseconds
            }
        }
        if let slot = plan.sequence {
            let span = FieldSpan(packed: table.column(slot)[row])
            // A sequence may be a clock's reading of fourteen digits, far beyond any amount.
            if readsPlainly, let plain = AmountReader.plainHundredths(bytes, span.start, span.end) {
                version.sequence = plain
            } else if case .value(let hundredths) = AmountReader.hundredths(
                meant(window, table, slot, row), maximum: .max, isNumber: span.isLiteral)
            {
                version.sequence = hundredths
            }
        }
        return version
    }

    /// The instant of a time without an offset, in the source's zone if there is one. In the repeated hour the earlier
    /// one; a time in the skipped hour is read with the offset before it.
    private func instant(local: Int) -> Int {
        guard let zone = zones.tables[0] else { return local }
        if !versionSegment.holds(local) { versionSegment = ZoneSegment(zone, near: local) }
        if versionSegment.holds(local) { return local - versionSegment.offsetSeconds }
        switch zone.resolve(local: local) {
        case .instant(let instant): return instant
        case .repeated(let earlier, _): return earlier
        case .skipped: return local - versionSegment.offsetSeconds
        }
    }

    /// Warns of versions that cannot be read: such a record counts as the oldest of its trip.
    func checkVersions(_ bytes: UnsafePointer<UInt8>, _ table: SpanTable, count: Int) {
        if let slot = plan.updatedAt {
            let spans = table.column(slot)
            var blanks = 0
            for row in 0..<count {
                let span = FieldSpan(packed: spans[row])
                let length = span.end &- span.start
                if length == 0 { blanks &+= 1 }
                if length == 0
                    || readsPlainly && length == 19 && updatedAtReader.plain(bytes + span.start) != TimeReader.bad
                {
                    continue
                }
                let text = identifier(bytes, span)
                let reading = text.isEmpty ? .placeholder : updatedAtReader.reading(text)
                if reading == .placeholder { blanks += 1 }
                if reading == .bad {
                    columns.warn(row, WarningBit.badVersion)
                    unread.append(UnreadCell(field: .updatedAt, slot: slot, row: row))
                }
            }
            findings.note(.updatedAt, filled: count - blanks)
        }
        guard let slot = plan.sequence else { return }
        let spans = table.column(slot)
        for row in 0..<count {
            let span = FieldSpan(packed: spans[row])
            if span.end == span.start || AmountReader.plainHundredths(bytes, span.start, span.end) != nil { continue }
            if AmountReader.hundredths(identifier(bytes, span), maximum: .max, isNumber: span.isLiteral) == .bad {
                columns.warn(row, WarningBit.badVersion)
            }
        }
    }

    /// The exact key of the record in row `row`: trip id, a mark, leg id. It is compared and then dropped.
    func key(_ window: RecordWindow, _ table: SpanTable, row: Int) -> [UInt8] {
        var key = Array(meant(window, table, plan.tripID, row))
        key.append(0)
        if let slot = plan.legID { key += meant(window, table, slot, row) }
        return key
    }

    private func meant(_ window: RecordWindow, _ table: SpanTable, _ slot: Int, _ row: Int) -> ArraySlice<UInt8> {
        identifier(UnsafePointer(window.bytes), FieldSpan(packed: table.column(slot)[row]))
    }

    /// Fills `batch.versions`, if it has them: for exports that cannot be read twice. With a key file their `keyCheck`
    /// is in place already.
    func decodeVersions(
        _ window: RecordWindow, _ table: SpanTable, records: UnsafePointer<Int32>, count: Int,
        into batch: inout TripBatch
    ) {
        guard !batch.versions.isEmpty else { return }
        let isKeyed = pseudonyms != nil
        batch.versions.withUnsafeMutableBufferPointer { stamps in
            for row in 0..<count {
                stamps[row].version = version(window, table, row: row)
                if !isKeyed && !plan.hasRecordKeys { stamps[row].keyCheck = keyCheck(window, table, row: row) }
                if hashesContents { stamps[row].contentHash = window.contentHash(Int(records[row])) }
            }
        }
    }

    /// Fills `batch.recordsInBlock`, if it has them.
    func decodeRecordNumbers(
        _ window: RecordWindow, records: UnsafePointer<Int32>, count: Int, into batch: inout TripBatch
    ) {
        batch.block = window.ordinal
        guard !batch.recordsInBlock.isEmpty else { return }
        let numbers = window.recordNumbers
        for row in 0..<count { batch.recordsInBlock[row] = numbers[Int(records[row])] }
    }

    /// A second hash of the key of the record in row `row`, independent of the one in a batch's `keyHashes`.
    func keyCheck(_ window: RecordWindow, _ table: SpanTable, row: Int) -> UInt64 {
        let bytes = UnsafePointer(window.bytes)
        if let pseudonymizer = pseudonyms?.pseudonymizer,
            let key = tripKey(bytes, table, row: row, by: pseudonymizer)
        {
            return UInt64(bitPattern: key.low)
        }
        let check = hash(bytes, FieldSpan(packed: table.column(plan.tripID)[row]), seed: Self.checkSeed) ?? 0
        guard let slot = plan.legID else { return check }
        return hash(bytes, FieldSpan(packed: table.column(slot)[row]), seed: check) ?? check
    }

    /// Makes `keyCheck` independent of the key's first hash.
    private static var checkSeed: UInt64 { 0x2545_F491_4F6C_DD1D }

    /// Fills `batch.tieHashes`; the keys' hashes are there.
    func decodeTies(_ bytes: UnsafePointer<UInt8>, _ table: SpanTable, count: Int, into batch: inout TripBatch) {
        guard let slot = plan.updatedAt else {
            for row in 0..<count { batch.tieHashes[row] = batch.keyHashes[row] }
            return
        }
        let spans = table.column(slot)
        for row in 0..<count {
            let key = batch.keyHashes[row]
            batch.tieHashes[row] = hash(bytes, FieldSpan(packed: spans[row]), seed: key) ?? key
        }
    }

    /// Looks whether the fields of versions differ at all. Mostly the second record shows it.
    func noteVersions(_ bytes: UnsafePointer<UInt8>, _ table: SpanTable, count: Int) {
        let slots = [plan.updatedAt, plan.sequence].compactMap(\.self)
        guard !slots.isEmpty else { return }
        for row in 0..<count {
            var hasher = Hasher()
            for slot in slots { hasher.combine(FieldSpan(packed: table.column(slot)[row]).value(in: bytes)) }
            findings.versionsSeen.merge(.one(hasher.finalize()))
            if findings.versionsSeen == .several { return }
        }
    }
}
