import ExportBytes

/// Records of an export without ids that are the same as another in all bytes.
///
/// Single ones may be trips all the same: a date, a region and an amount come again. A block of them in the same order is a part of
/// the export that was written twice.
struct RepeatedRecords {
    /// So many records in a row make a block, if enough of them differ.
    private static let blockLength = 16
    private static let leastDifferent = 12

    /// Records beyond the first of each.
    private(set) var count = 0
    private(set) var hasBlock = false

    /// - Parameter hashes: of all records, by worker, each worker's in the order of the file.
    init(_ hashes: [[UInt64]], threads: Int) {
        let repeated = RepeatedHashes.find(hashes, threads: threads)
        guard !repeated.isEmpty else { return }
        var blocks: [UInt64] = []
        for own in hashes {
            var length = 0
            for (at, hash) in own.enumerated() {
                guard repeated.contains(hash) else {
                    length = 0
                    continue
                }
                count += 1
                length += 1
                if length >= Self.blockLength, let block = Self.hash(own[(at - Self.blockLength + 1)...at]) {
                    blocks.append(block)
                }
            }
        }
        count -= repeated.count
        hasBlock = !RepeatedHashes.find([blocks], threads: 1).isEmpty
    }

    /// Nil where too few of the records differ: these may come again in any order.
    private static func hash(_ block: ArraySlice<UInt64>) -> UInt64? {
        guard Set(block).count >= leastDifferent else { return nil }
        return block.reduce(TextHash.start) { TextHash.mix($0 ^ $1, 0x9E37_79B9_7F4A_7C15 | 1) }
    }
}
