/// Finance's totals by line. Tallies of parts of the trips merge into that of all, in any order.
package struct CostTally: Sendable, Hashable {
    package private(set) var lines: [CostKey: CostSums] = [:]

    package init() {}

    package mutating func add(_ trip: CostTrip) {
        lines[trip.key, default: CostSums()].add(trip)
    }

    /// Undoes `add`. A tally of changes may be below 0.
    package mutating func remove(_ trip: CostTrip) {
        lines[trip.key, default: CostSums()].remove(trip)
    }

    package mutating func add(_ sums: CostSums, to key: CostKey) {
        lines[key, default: CostSums()].merge(sums)
    }

    package mutating func merge(_ other: CostTally) {
        for (key, sums) in other.lines { lines[key, default: CostSums()].merge(sums) }
    }

    package var total: CostSums {
        lines.values.reduce(into: CostSums()) { $0.merge($1) }
    }

    /// Totals of the lines with the same `group`.
    package func grouped<Group: Hashable>(by group: (CostKey) -> Group) -> [Group: CostSums] {
        lines.reduce(into: [:]) { $0[group($1.key), default: CostSums()].merge($1.value) }
    }

    /// Without lines over no trips.
    package var withoutEmptyLines: CostTally {
        var part = CostTally()
        part.lines = lines.filter { $0.value != CostSums() }
        return part
    }

    /// Only the months of this range.
    package func within(_ months: ClosedRange<Int32>) -> CostTally { selecting { months.contains($0.month) } }

    /// Only these lines.
    package func selecting(_ isPart: (CostKey) -> Bool) -> CostTally {
        var part = CostTally()
        part.lines = lines.filter { isPart($0.key) }
        return part
    }
}
