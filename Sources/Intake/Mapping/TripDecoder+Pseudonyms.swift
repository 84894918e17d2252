import ExportBytes
import Keys
import Trips

/// A worker's keyed hash, with the patients it met last.
struct WorkerPseudonyms {
    let pseudonymizer: Pseudonymizer
    var patients = PatientCache()
}

// Keys of trips and patients that say nothing without the key file.
extension TripDecoder {
    /// Fills `batch.keyHashes` and, where it has versions, their `keyCheck` with the two halves of each trip's key, and
    /// `batch.patientHashes`. Ids are hashed as they are meant: unescaped and without outer blanks.
    func decodePseudonyms(
        _ bytes: UnsafePointer<UInt8>, _ table: SpanTable, count: Int, into batch: inout TripBatch
    ) {
        guard let pseudonymizer = pseudonyms?.pseudonymizer else { return }
        for row in 0..<count {
            guard let key = tripKey(bytes, table, row: row, by: pseudonymizer) else {
                columns.verdicts[row] = DecodingColumns.code(of: .missingTripID)
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
        let tripID = trip.value(in: bytes)
        return tripID.isEmpty ? nil : pseudonymizer.tripKey(tripID: tripID, legID: leg.value(in: bytes))
    }

    /// The pseudonym of a patient id; 0 where there is none.
    private func patient(
        _ bytes: UnsafePointer<UInt8>, _ span: FieldSpan, by pseudonymizer: Pseudonymizer
    ) -> UInt64 {
        guard span.end > span.start else { return 0 }
        guard Self.isPlain(bytes, span) else {
            let patientID = span.value(in: bytes)
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
}

/// The pseudonyms of the patients a worker met last, so that one who returns costs no keyed hash.
///
/// Each id has one place; a newer one takes it over. So memory stays at 4 MiB, and the bytes of ids of up to 16 bytes
/// are compared in full: what is found is the pseudonym of that very id. Longer ids are not remembered.
struct PatientCache {
    private struct Entry: BitwiseCopyable {
        var low: UInt64 = 0
        var high: UInt64 = 0
        /// Bytes of the id; 0 marks a free place.
        var length = 0
        var pseudonym: UInt64 = 0
    }

    private var entries = Array(repeating: Entry(), count: 1 << 17)

    /// The pseudonym of the id at `p`, worked out by `make` if it is not remembered.
    ///
    /// - Precondition: `p` has 16 readable bytes beyond `length`, which is not 0.
    @inline(__always)
    mutating func pseudonym(_ p: UnsafePointer<UInt8>, length: Int, make: () -> UInt64) -> UInt64 {
        if length > 16 { return make() }
        let low = TextHash.word(p, length)
        let high = length > 8 ? TextHash.word(p + 8, length &- 8) : 0
        let place = Int(truncatingIfNeeded: TextHash.of(p, count: length)) & (entries.count &- 1)
        let known = entries[place]
        if known.length == length, known.low == low, known.high == high { return known.pseudonym }
        let pseudonym = make()
        entries[place] = Entry(low: low, high: high, length: length, pseudonym: pseudonym)
        return pseudonym
    }
}
