import Trips

extension TripDecoder {
    /// The version of the record whose spans are in row `row` of `table`.
    func version(_ window: RecordWindow, _ table: SpanTable, row: Int) -> TripVersion {
        let bytes = UnsafePointer(window.bytes)
        var version = TripVersion()
        if let slot = plan.updatedAt {
            let span = FieldSpan(packed: table.column(slot)[row])
            // The window's padding makes the words beyond the value readable.
            let plain = span.end &- span.start == 19 ? updatedAtReader.plain(bytes + span.start) : TimeReader.bad
            if plain != TimeReader.bad {
                version.updatedAt = plain
            } else if let reading = updatedAtReader.read(value(window, table, slot, row)) {
                version.updatedAt = reading.localSeconds - (reading.offsetSeconds ?? 0)
            }
        }
        if let slot = plan.sequence {
            let span = FieldSpan(packed: table.column(slot)[row])
            // A sequence may be a clock's reading of fourteen digits, far beyond any amount.
            if let plain = AmountReader.plainHundredths(bytes, span.start, span.end) {
                version.sequence = plain
            } else if case .value(let hundredths) = AmountReader.hundredths(
                value(window, table, slot, row), maximum: .max)
            {
                version.sequence = hundredths
            }
        }
        return version
    }

    /// The exact key of the record in row `row`: trip id, a mark, leg id. It is compared and then dropped.
    func key(_ window: RecordWindow, _ table: SpanTable, row: Int) -> [UInt8] {
        var key = Array(value(window, table, plan.tripID, row))
        key.append(0)
        if let slot = plan.legID { key += value(window, table, slot, row) }
        return key
    }

    private func value(_ window: RecordWindow, _ table: SpanTable, _ slot: Int, _ row: Int) -> ArraySlice<UInt8> {
        let span = FieldSpan(packed: table.column(slot)[row])
        return SpanText.bytes(window.bytes + span.start, span.end - span.start, span.escaping).trimmingBlanks()
    }

    /// Fills `batch.versions`, if it has them: for exports that cannot be read twice.
    func decodeVersions(
        _ window: RecordWindow, _ table: SpanTable, records: UnsafePointer<Int32>, count: Int,
        into batch: inout TripBatch
    ) {
        guard !batch.versions.isEmpty else { return }
        batch.versions.withUnsafeMutableBufferPointer { stamps in
            for row in 0..<count {
                var stamp = TripVersionStamp()
                stamp.version = version(window, table, row: row)
                stamp.keyCheck = keyCheck(window, table, row: row)
                stamp.contentHash = window.contentHash(Int(records[row]))
                stamps[row] = stamp
            }
        }
    }

    /// A second hash of the key of the record in row `row`, independent of the one in a batch's `keyHashes`.
    func keyCheck(_ window: RecordWindow, _ table: SpanTable, row: Int) -> UInt64 {
        let bytes = UnsafePointer(window.bytes)
        let check = Self.hash(bytes, FieldSpan(packed: table.column(plan.tripID)[row]), seed: Self.checkSeed) ?? 0
        guard let slot = plan.legID else { return check }
        return Self.hash(bytes, FieldSpan(packed: table.column(slot)[row]), seed: check) ?? check
    }

    /// Makes `keyCheck` independent of the key's first hash.
    private static var checkSeed: UInt64 { 0x2545_F491_4F6C_DD1D }
}
