/// Finance's sums by line. Tallies of parts of the trips merge into that of all, in any order.
package struct CostTally: Sendable, Hashable {
    package private(set) var lines: [CostKey: CostSums] = [:]

    package init() {}

    package mutating func add(_ trip: CostTrip) {
        lines[trip.key, default: CostSums()].add(trip)
    }

    package mutating func merge(_ other: CostTally) {
        for (key, sums) in other.lines { lines[key, default: CostSums()].merge(sums) }
    }

    package var total: CostSums {
        lines.values.reduce(into: CostSums()) { $0.merge($1) }
    }

    /// Sums of lines that are the same to `group`.
    package func grouped<Group: Hashable>(by group: (CostKey) -> Group) -> [Group: CostSums] {
        lines.reduce(into: [:]) { $0[group($1.key), default: CostSums()].merge($1.value) }
    }

    /// Only the months of this range.
    package func within(_ months: ClosedRange<Int32>) -> CostTally {
        var part = CostTally()
        part.lines = lines.filter { months.contains($0.key.month) }
        return part
    }
}
