package import Basics
package import Trips

/// First and last months with hardly any trips: a clock that was wrong or a stray date, more often than a quiet month.
package struct EdgeMonths: Sendable, Hashable {
    /// A month counts if it has less than one in so many of its neighbour's trips: under 5 %.
    private static let share = 20
    /// More quiet months in a row are a service that began small.
    private static let most = 6

    /// The months before the first one that is not an edge; ascending.
    package private(set) var first: [Month] = []
    /// The months after the last one that is not an edge; ascending.
    package private(set) var last: [Month] = []
    /// The first and last month that are no edges.
    private var inner: ClosedRange<Month>?
    /// The last month that is no edge, or has only begun.
    private var lastKept: Month?

    /// - Parameter trips: of each month; months without a trip do not count.
    package init(_ trips: [Month: Int]) {
        let known = trips.filter { $0.value > 0 }.sorted { $0.key < $1.key }
        let before = Self.edge(known.map(\.value)), after = Self.edge(known.map(\.value).reversed())
        guard before + after < known.count else { return }
        first = known.prefix(before).map(\.key)
        last = known.suffix(after).map(\.key)
        inner = known[before].key...known[known.count - 1 - after].key
        lastKept = inner?.upperBound
    }

    /// How many values at the beginning are each small against the next one after them. Several stray months may be alike,
    /// so a month is compared with the one after all of them.
    private static func edge(_ trips: [Int]) -> Int {
        guard trips.count > 1 else { return 0 }
        return (1...min(most, trips.count / 2)).last { end in
            trips[..<end].allSatisfy { $0 * share < trips[end] }
        } ?? 0
    }

    package var isEmpty: Bool { first.isEmpty && last.isEmpty }

    /// Without the month that has only begun.
    package func without(_ month: Month) -> EdgeMonths {
        guard last.contains(month) else { return self }
        var edges = self
        edges.last.removeAll { $0 == month }
        edges.lastKept = month
        return edges
    }

    /// A sentence for each edge, with the setting that leaves its months out; no figure.
    package var sentences: [String] {
        guard let inner, let lastKept else { return [] }
        return [
            Self.sentence(first, comparedWith: inner.lowerBound, setting: "first_month: \(inner.lowerBound)"),
            Self.sentence(last, comparedWith: inner.upperBound, setting: "last_month: \(lastKept)"),
        ].compactMap { $0 }
    }

    private static func sentence(_ edge: [Month], comparedWith month: Month, setting: String) -> String? {
        guard !edge.isEmpty else { return nil }
        let more = edge.count > 3 ? " and \(edge.count - 3) more" : ""
        let names = edge.prefix(3).map(\.description).joined(separator: ", ") + more
        let have = edge.count == 1 ? "\(names) has" : "\(names) each have"
        return "\(have) under 5 % of the trips of \(month); if the dates are wrong, the setting \(setting) leaves such "
            + "trips out"
    }
}

extension KPITally {
    /// The trips that count, by month.
    package var tripsByMonth: [Month: Int] {
        tripsByDay().reduce(into: [:]) { $0[$1.day.month, default: 0] += $1.trips }
    }

    /// Forgets all trips of months outside the limits.
    package mutating func removeMonths(outside limits: MonthLimits) {
        for month in months where !limits.contains(month) { remove(month: month) }
    }
}
