import ExportBytes
import Keys
import Trips

// Exports without ids: each record is a trip, known by its bytes and where they lie in the export. So the same export has the
// same trips each time, as has a later one that goes on where this one ends.
extension TripDecoder {
    func decodeRecordKeys(
        _ window: RecordWindow, _ table: SpanTable, records: UnsafePointer<Int32>, count: Int, fileTag: Int,
        into batch: inout TripBatch
    ) {
        let bytes = UnsafePointer(window.bytes)
        batch.offsets.withUnsafeMutableBufferPointer { offsets in
            guard let first = offsets.baseAddress else { return }
            window.offsets(of: records, count: count, fileTag: fileTag, into: first)
        }
        for slot in isJSON ? [] : plan.totalWords {
            let spans = table.column(slot)
            for row in 0..<count where Self.isTotal(bytes, FieldSpan(packed: spans[row])) {
                columns.verdicts[row] = DecodingColumns.totalsRow
            }
        }
        if !isJSON {
            let spans = table.column(plan.tripID)
            for row in 0..<count where Self.isAggregate(bytes, FieldSpan(packed: spans[row])) {
                // A table without ids may begin with a name of a person.
                let word = String(decoding: FieldSpan(packed: spans[row]).value(in: bytes), as: UTF8.self).lowercased()
                if word != "max" { columns.verdicts[row] = DecodingColumns.totalsRow }
            }
        }
        if !batch.tieHashes.isEmpty {
            for row in 0..<count { batch.tieHashes[row] = window.contentHash(Int(records[row])) }
        }
        let isKeyed = pseudonyms != nil
        for row in 0..<count {
            let offset = batch.offsets[row] - fileTag
            if let pseudonymizer = pseudonyms?.pseudonymizer {
                let key = recordKey(window, Int(records[row]), offset: offset, by: pseudonymizer)
                batch.keyHashes[row] = UInt64(bitPattern: key.high)
                if !batch.versions.isEmpty { batch.versions[row].keyCheck = UInt64(bitPattern: key.low) }
            } else {
                let key = recordKey(window, Int(records[row]), offset: offset)
                batch.keyHashes[row] = hash(of: key, seed: keySeed)
                if !batch.versions.isEmpty { batch.versions[row].keyCheck = hash(of: key, seed: ~keySeed) }
            }
        }
        if isKeyed, let pseudonymizer = pseudonyms?.pseudonymizer {
            decodePatientPseudonyms(bytes, table, count: count, by: pseudonymizer, into: &batch)
        } else {
            decodePatients(bytes, plan.patientID.map { table.column($0) }, count: count, into: &batch)
        }
    }

    /// What a record is known by: where it starts in the export, and its bytes without the blanks around them.
    func recordKey(_ window: RecordWindow, _ record: Int, offset: Int) -> [UInt8] {
        Array("record at \(offset): ".utf8) + window.recordBytes(record)
    }

    func recordKey(
        _ window: RecordWindow, _ record: Int, offset: Int, by pseudonymizer: Pseudonymizer
    ) -> TripKey {
        pseudonymizer.tripKey(tripID: recordKey(window, record, offset: offset), legID: [])
    }

    func hash(of key: [UInt8], seed: UInt64) -> UInt64 {
        // 16 bytes can be read beyond the key: 32 zeros follow it.
        (key + Array(repeating: 0, count: 32)).withUnsafeBufferPointer { buffer in
            buffer.baseAddress.map { TextHash.of($0, count: key.count, seed: seed) } ?? seed
        }
    }
}
