import ExportBytes

/// Records of an export without ids that are the same as another in all bytes.
///
/// Single ones may be trips all the same: a date, a region and an amount come again. A block of them in the same order is a part of
/// the export that was written twice. In any order copies show by how often records come: where they agree by chance, those that
/// come three times are at least two thirds of the square of those that come twice, divided by those that come once (the counts are
/// of Poisson distributions, mixed or not). Far fewer, or counts that all are multiples of one number, are no chance.
struct RepeatedRecords {
    /// So many records in a row make a block, if enough of them differ.
    private static let blockLength = 16
    private static let leastDifferent = 12

    /// Records beyond the first of each.
    private(set) var count = 0
    private(set) var hasBlock = false
    /// Whether more of them come exactly twice, or all of them as often, than is chance.
    private(set) var areCopies = false
    private static let leastCopies = 20
    private static let leastTriples = 8
    /// Records that come more often are those of a table with few values, and no copies.
    private static let mostTimes = 4

    /// - Parameter hashes: of all records, by worker, each worker's in the order of the file.
    init(_ hashes: [[UInt64]], threads: Int) {
        let repeated = RepeatedHashes.find(hashes, threads: threads)
        guard !repeated.isEmpty else { return }
        var blocks: [UInt64] = []
        var times: [UInt64: Int] = [:]
        for own in hashes {
            var length = 0
            for (at, hash) in own.enumerated() {
                guard repeated.contains(hash) else {
                    length = 0
                    continue
                }
                count += 1
                length += 1
                times[hash, default: 0] += 1
                if length >= Self.blockLength, let block = Self.hash(own[(at - Self.blockLength + 1)...at]) {
                    blocks.append(block)
                }
            }
        }
        areCopies = Self.areCopies(times.values, single: hashes.reduce(0) { $0 + $1.count } - count)
        count -= repeated.count
        hasBlock = !RepeatedHashes.find([blocks], threads: 1).isEmpty
    }

    /// - Parameter times: how often each repeated record comes.
    private static func areCopies(_ times: some Collection<Int>, single: Int) -> Bool {
        let pairs = times.count { $0 == 2 }, triples = times.count { $0 == 3 }
        if single == 0 {
            let isOften = times.reduce(0, +) > mostTimes * times.count
            return times.count >= leastCopies && !isOften && times.reduce(0, divisor) > 1
        }
        let expected = 2 * pairs * pairs / (3 * single)
        return pairs >= leastCopies && expected >= leastTriples && triples * 4 < expected
    }

    /// The greatest that both have in common.
    private static func divisor(_ first: Int, _ second: Int) -> Int {
        first == 0 ? second : divisor(second % first, first)
    }

    /// Nil where too few of the records differ: these may come again in any order.
    private static func hash(_ block: ArraySlice<UInt64>) -> UInt64? {
        guard Set(block).count >= leastDifferent else { return nil }
        return block.reduce(TextHash.start) { TextHash.mix($0 ^ $1, 0x9E37_79B9_7F4A_7C15 | 1) }
    }
}
