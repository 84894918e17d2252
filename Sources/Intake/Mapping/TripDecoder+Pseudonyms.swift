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
    /// `batch.patientHashes`. Ids are hashed as they are meant: see `identifier`.
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
        decodePatientPseudonyms(bytes, table, count: count, by: pseudonymizer, into: &batch)
    }

    func decodePatientPseudonyms(
        _ bytes: UnsafePointer<UInt8>, _ table: SpanTable, count: Int, by pseudonymizer: Pseudonymizer,
        into batch: inout TripBatch
    ) {
        guard let slot = plan.patientID else { return }
        let spans = table.column(slot)
        // All are looked up before any is worked out: so the memory of many places is waited for at once.
        for row in 0..<count {
            batch.patientHashes[row] = rememberedPatient(bytes, FieldSpan(packed: spans[row]))
        }
        for row in 0..<count where batch.patientHashes[row] == 0 {
            batch.patientHashes[row] = patient(bytes, FieldSpan(packed: spans[row]), by: pseudonymizer)
        }
    }

    /// The key of the trip in row `row`; nil where it has no id.
    func tripKey(
        _ bytes: UnsafePointer<UInt8>, _ table: SpanTable, row: Int, by pseudonymizer: Pseudonymizer
    ) -> TripKey? {
        let trip = FieldSpan(packed: table.column(plan.tripID)[row])
        let leg = plan.legID.map { FieldSpan(packed: table.column($0)[row]) } ?? FieldSpan(packed: 0)
        if isPlain(bytes, trip), isPlain(bytes, leg) {
            if trip.start == trip.end { return nil }
            return pseudonymizer.tripKey(tripID: Self.place(bytes, trip).span, legID: Self.place(bytes, leg).span)
        }
        let tripID = identifier(bytes, trip)
        return tripID.isEmpty ? nil : pseudonymizer.tripKey(tripID: tripID, legID: identifier(bytes, leg))
    }

    /// The pseudonym of a patient id that was met before; 0 where it is not remembered, or there is none.
    @inline(__always)
    private func rememberedPatient(_ bytes: UnsafePointer<UInt8>, _ span: FieldSpan) -> UInt64 {
        guard span.end > span.start, isPlain(bytes, span) else { return 0 }
        // The window's padding makes the 16 bytes beyond the value readable.
        return pseudonyms?.patients.remembered(bytes + span.start, length: span.end &- span.start) ?? 0
    }

    /// The pseudonym of a patient id; 0 where there is none.
    private func patient(
        _ bytes: UnsafePointer<UInt8>, _ span: FieldSpan, by pseudonymizer: Pseudonymizer
    ) -> UInt64 {
        guard span.end > span.start else { return 0 }
        guard isPlain(bytes, span) else {
            let patientID = identifier(bytes, span)
            return patientID.isEmpty ? 0 : pseudonymizer.patient(patientID)
        }
        let pseudonym = pseudonymizer.patient(Self.place(bytes, span).span)
        // The window's padding makes the 16 bytes beyond the value readable.
        pseudonyms?.patients.remember(pseudonym, of: bytes + span.start, length: span.end &- span.start)
        return pseudonym
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
        /// The bytes of the id.
        var low: UInt64 = 0
        var high: UInt64 = 0
        /// How many they are; 0 marks a free place.
        var length = 0
        var pseudonym: UInt64 = 0

        /// A free place.
        init() {}

        /// An id of at most 16 bytes, without its pseudonym.
        @inline(__always)
        init(_ p: UnsafePointer<UInt8>, length: Int) {
            low = TextHash.word(p, length)
            high = length > 8 ? TextHash.word(p + 8, length &- 8) : 0
            self.length = length
        }
    }

    private var entries = Array(repeating: Entry(), count: 1 << 17)

    /// The pseudonym of the id at `p`; 0 if it is not remembered.
    ///
    /// - Precondition: `p` has 16 readable bytes beyond `length`, which is not 0.
    @inline(__always)
    func remembered(_ p: UnsafePointer<UInt8>, length: Int) -> UInt64 {
        if length > 16 { return 0 }
        let id = Entry(p, length: length), known = entries[place(of: p, length: length)]
        // No branch: a wrong guess of what is remembered would wait for the memory.
        let lengths = UInt64(truncatingIfNeeded: known.length ^ length)
        let difference = (known.low ^ id.low) | (known.high ^ id.high) | lengths
        return difference == 0 ? known.pseudonym : 0
    }

    /// - Precondition: as for `remembered`.
    @inline(__always)
    mutating func remember(_ pseudonym: UInt64, of p: UnsafePointer<UInt8>, length: Int) {
        if length > 16 { return }
        var entry = Entry(p, length: length)
        entry.pseudonym = pseudonym
        entries[place(of: p, length: length)] = entry
    }

    @inline(__always)
    private func place(of p: UnsafePointer<UInt8>, length: Int) -> Int {
        Int(truncatingIfNeeded: TextHash.of(p, count: length)) & (entries.count &- 1)
    }
}
