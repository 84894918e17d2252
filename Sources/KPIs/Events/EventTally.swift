package import Basics

/// What is kept of an event: month, region, kind, and whether it calls for an evacuation.
package struct EventLeaf: Sendable, Hashable {
    package var month: Month
    /// One of the configured names, or `Unassigned`.
    package var region: String
    package var kind: EventKind
    package var isEvacuation: Bool

    package init(month: Month, region: String, kind: EventKind, isEvacuation: Bool) {
        self.month = month
        self.region = region
        self.kind = kind
        self.isEvacuation = isEvacuation
    }
}

/// How many events there are of each kind: exact, and the same in whatever order they are added.
package struct EventTally: Sendable, Hashable {
    /// Above 0.
    package private(set) var counts: [EventLeaf: Int] = [:]

    package init() {}

    package mutating func add(_ leaf: EventLeaf, events: Int = 1) {
        if events > 0 { counts[leaf, default: 0] += events }
    }

    package mutating func merge(_ other: EventTally) {
        for (leaf, events) in other.counts { add(leaf, events: events) }
    }

    /// Ascending.
    package var months: [Month] { Set(counts.keys.map(\.month)).sorted() }

    package var total: Int { counts.values.reduce(0, +) }

    /// The counts of some months.
    package func filter(months isIncluded: (Month) -> Bool) -> EventTally {
        var tally = EventTally()
        tally.counts = counts.filter { isIncluded($0.key.month) }
        return tally
    }

    /// All counts, by month, region, kind and evacuation.
    package var rows: [(leaf: EventLeaf, events: Int)] {
        counts.map { (leaf: $0.key, events: $0.value) }.sorted {
            let (left, right) = ($0.leaf, $1.leaf)
            return (left.month, left.region, left.kind.index, left.isEvacuation ? 1 : 0)
                < (right.month, right.region, right.kind.index, right.isEvacuation ? 1 : 0)
        }
    }
}
