/// Which hashes several records of an export share: eight bytes a record.
package enum RepeatedHashes {
    private static let bucketCount = 512

    /// The hashes that occur more than once.
    ///
    /// They are dealt into buckets by their upper bits, and each bucket is searched with a table that fits the processor's
    /// cache.
    ///
    /// - Parameter hashes: of all records, by worker.
    package static func find(_ hashes: [[UInt64]], threads: Int) -> Set<UInt64> {
        let count = hashes.reduce(0) { $0 + $1.count }
        guard count > 1 else { return [] }
        var ends = [Int](repeating: 0, count: bucketCount + 1)
        for own in hashes { for hash in own { ends[bucket(of: hash) + 1] += 1 } }
        for bucket in 0..<bucketCount { ends[bucket + 1] += ends[bucket] }
        let starts = ends
        let dealt = [UInt64](unsafeUninitializedCapacity: count) { buffer, initialized in
            // Each hash gets the next place of its bucket: the places were counted above.
            for own in hashes {
                for hash in own {
                    let bucket = bucket(of: hash)
                    buffer[ends[bucket]] = hash
                    ends[bucket] += 1
                }
            }
            initialized = count
        }
        let found = Workers.results(of: threads, threads: threads) { thread in
            var table: [UInt64] = [], repeated: Set<UInt64> = []
            for bucket in stride(from: thread, to: bucketCount, by: threads) {
                search(dealt[starts[bucket]..<starts[bucket + 1]], &table, &repeated)
            }
            return repeated
        }
        return found.reduce(into: []) { $0.formUnion($1) }
    }

    private static func bucket(of hash: UInt64) -> Int { Int(truncatingIfNeeded: hash >> 55) }

    private static func search(_ hashes: ArraySlice<UInt64>, _ table: inout [UInt64], _ repeated: inout Set<UInt64>) {
        guard hashes.count > 1 else { return }
        var size = 16
        while size < hashes.count * 2 { size *= 2 }
        if table.count < size { table = Array(repeating: 0, count: size) }
        for place in 0..<size { table[place] = 0 }
        let mask = size - 1
        for hash in hashes {
            // 0 marks a free place.
            let own = max(hash, 1)
            var at = Int(truncatingIfNeeded: own) & mask
            while table[at] != 0, table[at] != own { at = (at &+ 1) & mask }
            if table[at] == own { repeated.insert(hash) } else { table[at] = own }
        }
    }
}
