/// The outcome of every record that was read. A run in which `isReconciled` is false fails.
package struct ReadCounts: Codable, Sendable, Hashable {
    package var read = 0
    package var added = 0
    package var updated = 0
    package var unchanged = 0
    package var superseded = 0
    package var skipped = 0
    package var rejected = 0

    package init() {}

    /// `read = added + updated + unchanged + superseded + skipped + rejected`.
    package var isReconciled: Bool { read == outcomes.reduce(0, +) }

    /// Whether they can be counts: those of a damaged file must not overflow a sum.
    package var isPossible: Bool {
        (outcomes + [read]).allSatisfy { (0...1 << 48).contains($0) } && isReconciled
    }

    private var outcomes: [Int] { [added, updated, unchanged, superseded, skipped, rejected] }

    package mutating func merge(_ other: ReadCounts) {
        read += other.read
        added += other.added
        updated += other.updated
        unchanged += other.unchanged
        superseded += other.superseded
        skipped += other.skipped
        rejected += other.rejected
    }

    /// The equation with its figures, as every run prints it.
    package var equation: String {
        "read \(read) = added \(added) + updated \(updated) + unchanged \(unchanged) + superseded \(superseded)"
            + " + skipped \(skipped) + rejected \(rejected)"
    }
}
