/// The outcome of every record that was read. A run in which `isReconciled` is false fails.
package struct ReadCounts: Sendable, Hashable {
    package var read = 0
    package var added = 0
    package var updated = 0
    package var unchanged = 0
    package var superseded = 0
    /// Parts of trips: charge lines and status changes beyond the first of their trip, and records of supplements.
    package var merged = 0
    package var skipped = 0
    package var rejected = 0

    package init() {}

    /// `read = added + updated + unchanged + superseded + merged + skipped + rejected`.
    package var isReconciled: Bool { read == outcomes.reduce(0, +) }

    /// Whether they can be counts: those of a damaged file must not overflow a sum.
    package var isPossible: Bool {
        (outcomes + [read]).allSatisfy { (0...1 << 48).contains($0) } && isReconciled
    }

    private var outcomes: [Int] { [added, updated, unchanged, superseded, merged, skipped, rejected] }

    package mutating func merge(_ other: ReadCounts) {
        read += other.read
        added += other.added
        updated += other.updated
        unchanged += other.unchanged
        superseded += other.superseded
        merged += other.merged
        skipped += other.skipped
        rejected += other.rejected
    }

    /// The equation with its figures, as every run prints it. Records are merged only if a profile says so.
    package var equation: String {
        "read \(read) = added \(added) + updated \(updated) + unchanged \(unchanged) + superseded \(superseded)"
            + (merged == 0 ? "" : " + merged \(merged)") + " + skipped \(skipped) + rejected \(rejected)"
    }
}

extension ReadCounts: Codable {
    private enum CodingKeys: String, CodingKey {
        case read, added, updated, unchanged, superseded, merged, skipped, rejected
    }

    /// Files of earlier versions have no merged records.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        read = try values.decode(Int.self, forKey: .read)
        added = try values.decode(Int.self, forKey: .added)
        updated = try values.decode(Int.self, forKey: .updated)
        unchanged = try values.decode(Int.self, forKey: .unchanged)
        superseded = try values.decode(Int.self, forKey: .superseded)
        merged = try values.decodeIfPresent(Int.self, forKey: .merged) ?? 0
        skipped = try values.decode(Int.self, forKey: .skipped)
        rejected = try values.decode(Int.self, forKey: .rejected)
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(read, forKey: .read)
        try values.encode(added, forKey: .added)
        try values.encode(updated, forKey: .updated)
        try values.encode(unchanged, forKey: .unchanged)
        try values.encode(superseded, forKey: .superseded)
        if merged != 0 { try values.encode(merged, forKey: .merged) }
        try values.encode(skipped, forKey: .skipped)
        try values.encode(rejected, forKey: .rejected)
    }
}
