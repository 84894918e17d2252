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
