import Hashing
import Trips

/// A worker's keyed hash, with the patients it met last.
struct WorkerPseudonyms {
    let pseudonymizer: Pseudonymizer
    var patients = PatientCache()
}

// Keys of trips and patients that say nothing without the key file (SPEC §5).
extension TripDecoder {
    /// Fills `batch.keyHashes` and, where it has versions, their `keyCheck` with the two halves of each trip's key, and
    /// `batch.patientHashes`. Ids are hashed as they are meant: unescaped and without outer blanks.
    func decodePseudonyms(
        _ bytes: UnsafePointer<UInt8>, _ table: SpanTable, count: Int, into batch: inout TripBatch
    ) {
        guard let pseudonymizer = pseudonyms?.pseudonymizer else { return }
        for row in 0..<count {
            guard let key = tripKey(bytes, table, row: row, by: pseudonymizer) else {
                columns.verdicts[row] = WorkColumns.code(of: .missingTripID)
                continue
            }
            batch.keyHashes[row] = UInt64(bitPattern: key.high)
            if !batch.versions.isEmpty { batch.versions[row].keyCheck = UInt64(bitPattern: key.low) }
        }
        guard let slot = plan.patientID else { return }
        let spans = table.column(slot)
        for row in 0..<count {
            batch.patientHashes[row] = patient(bytes, FieldSpan(packed: spans[row]), by: pseudonymizer)
        }
    }

    /// The key of the trip in row `row`; nil where it has no id.
    func tripKey(
        _ bytes: UnsafePointer<UInt8>, _ table: SpanTable, row: Int, by pseudonymizer: Pseudonymizer
    ) -> TripKey? {
        let trip = FieldSpan(packed: table.column(plan.tripID)[row])
        let leg = plan.legID.map { FieldSpan(packed: table.column($0)[row]) } ?? FieldSpan(packed: 0)
        if Self.isPlain(bytes, trip), Self.isPlain(bytes, leg) {
            if trip.start == trip.end { return nil }
            return pseudonymizer.tripKey(tripID: Self.place(bytes, trip).span, legID: Self.place(bytes, leg).span)
        }
        let tripID = Self.meant(bytes, trip)
        return tripID.isEmpty ? nil : pseudonymizer.tripKey(tripID: tripID, legID: Self.meant(bytes, leg))
    }

    /// The pseudonym of a patient id; 0 where there is none.
    private func patient(
        _ bytes: UnsafePointer<UInt8>, _ span: FieldSpan, by pseudonymizer: Pseudonymizer
    ) -> UInt64 {
        guard span.end > span.start else { return 0 }
        guard Self.isPlain(bytes, span) else {
            let patientID = Self.meant(bytes, span)
            return patientID.isEmpty ? 0 : pseudonymizer.patient(patientID)
        }
        // The window's padding makes the 16 bytes beyond the value readable.
        return pseudonyms?.patients.pseudonym(bytes + span.start, length: span.end &- span.start) {
            pseudonymizer.patient(Self.place(bytes, span).span)
        } ?? 0
    }

    /// The bytes of a plain value, where they lie: good until the window moves on.
    @inline(__always)
    private static func place(_ bytes: UnsafePointer<UInt8>, _ span: FieldSpan) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: bytes + span.start, count: span.end &- span.start)
    }

    /// The bytes as they were meant, without outer blanks.
    static func meant(_ bytes: UnsafePointer<UInt8>, _ span: FieldSpan) -> ArraySlice<UInt8> {
        SpanText.bytes(bytes + span.start, span.end - span.start, span.escaping).trimmingBlanks()
    }
}
