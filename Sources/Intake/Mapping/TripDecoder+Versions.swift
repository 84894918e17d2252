import Trips

extension TripDecoder {
    /// The version of the record whose spans are in row `row` of `table`.
    func version(_ window: RecordWindow, _ table: SpanTable, row: Int) -> TripVersion {
        var version = TripVersion()
        if let slot = plan.updatedAt, let reading = updatedAtReader.read(value(window, table, slot, row)) {
            version.updatedAt = reading.localSeconds - (reading.offsetSeconds ?? 0)
        }
        if let slot = plan.sequence,
            case .value(let hundredths) = AmountReader.hundredths(value(window, table, slot, row))
        {
            version.sequence = hundredths
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
        _ window: RecordWindow, _ table: SpanTable, records: UnsafePointer<Int32>, count: Int, into batch: inout TripBatch
    ) {
        guard !batch.versions.isEmpty else { return }
        for row in 0..<count {
            var stamp = TripVersionStamp()
            stamp.version = version(window, table, row: row)
            // 16 bytes can be read beyond the key: 32 zeros follow it.
            let key = key(window, table, row: row)
            stamp.keyCheck = (key + Array(repeating: 0, count: 32)).withUnsafeBufferPointer { buffer in
                buffer.baseAddress.map { TextHash.of($0, count: key.count, seed: 0x2545_F491_4F6C_DD1D) } ?? 0
            }
            let record = Int(records[row])
            let start = window.recordStart(record)
            stamp.contentHash = TextHash.of(window.bytes + start, count: window.recordEnd(record) - start)
            batch.versions[row] = stamp
        }
    }
}
