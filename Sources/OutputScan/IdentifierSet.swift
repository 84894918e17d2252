/// The identifiers that a run has read, as hashes: what the texts of its outputs are looked up in.
package struct IdentifierSet: Sendable {
    /// How many distinct identifiers of a run are remembered: 32 MiB of hashes.
    package static let standardLimit = 1 << 22

    let hash: IdentifierHash
    private var hashes: [UInt64] = []
    /// Where the hashes with each first 16 bits begin.
    private var starts: [Int] = []
    /// False if a run met more identifiers than `standardLimit`: the rest is not in it.
    package private(set) var isComplete = true

    package var count: Int { hashes.count }

    /// - Parameter hashes: sorted and distinct.
    init(_ hash: IdentifierHash, hashes: [UInt64], isComplete: Bool) {
        self.hash = hash
        self.hashes = hashes
        self.isComplete = isComplete
        index()
    }

    func contains(_ code: UInt64) -> Bool {
        guard !hashes.isEmpty else { return false }
        let bucket = Int(code >> 48)
        var low = starts[bucket], high = starts[bucket + 1]
        while low < high {
            let middle = (low + high) / 2
            if hashes[middle] < code { low = middle + 1 } else { high = middle }
        }
        return low < starts[bucket + 1] && hashes[low] == code
    }

    private mutating func index() {
        starts = [Int](repeating: hashes.count, count: (1 << 16) + 1)
        var bucket = 0
        for (position, code) in hashes.enumerated() {
            let own = Int(code >> 48)
            while bucket <= own {
                starts[bucket] = position
                bucket += 1
            }
        }
    }

    static func distinct(_ hashes: [UInt64]) -> [UInt64] {
        let sorted = hashes.sorted()
        var kept: [UInt64] = []
        kept.reserveCapacity(sorted.count)
        for code in sorted where kept.last != code { kept.append(code) }
        return kept
    }
}
