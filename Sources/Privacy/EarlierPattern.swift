package import KPIs
package import Trips

/// What cells hid of months that were over when they were last published. They go on hiding it (SPEC §5).
///
/// Why: a cell may be hidden for another one's sake. If a correction makes that other one large, and then both are shown,
/// whoever knows that the first has not changed knows what the other one was.
package struct EarlierPattern: Sendable {
    private struct PublishedMonth {
        /// Of the month's total.
        var trips: Int
        var parts: [CellScope: HiddenParts]
        var counts: [CellScope: PublishedCounts]
    }

    /// As each set had it.
    private var months: [Month: [PublishedMonth]] = [:]

    /// Of nothing: nothing was published before.
    package init() {}

    /// Adds a month of a set: what one of several sets hides stays hidden.
    ///
    /// - Parameters:
    ///   - trips: the month's, as they were shown.
    ///   - parts: by cell of the month.
    ///   - counts: by cell, what it showed.
    package mutating func add(
        _ month: Month, trips: Int, parts: [CellScope: HiddenParts], counts: [CellScope: PublishedCounts] = [:]
    ) {
        months[month, default: []].append(PublishedMonth(trips: trips, parts: parts, counts: counts))
    }

    /// By cell, what readers know of it: a set showed it, and it is the same now. Whoever sees by a total that nothing has
    /// changed takes it from there; so it is hidden for other cells' sake only where nothing else helps.
    func known(of cells: [KPICell], in lattice: CellLattice) -> [HiddenParts] {
        let published = cells.first?.scope.month.flatMap { months[$0] } ?? []
        return cells.indices.map { cell in
            let scope = cells[lattice.widest(cell)].scope
            return published.reduce(into: HiddenParts()) { parts, month in
                if let counts = month.counts[scope] { parts.formUnion(counts.unchanged(in: cells[cell])) }
            }
        }
    }

    /// By cell, what it goes on hiding. Nothing of what a set hid that had not half of the month's trips: it was not
    /// complete then.
    ///
    /// - Parameters:
    ///   - cells: of one month, its total first, in the order of the lattice.
    ///   - lattice: in which an axis of one part is the same as its "All": there both hide what "All" hid.
    func parts(of cells: [KPICell], in lattice: CellLattice) -> [HiddenParts] {
        guard let total = cells.first, let published = total.scope.month.flatMap({ months[$0] }) else {
            return Array(repeating: [], count: cells.count)
        }
        let complete = published.filter { total.sums.trips < 2 * $0.trips }
        let sets = complete.map { month in
            cells.indices.map { month.parts[cells[lattice.widest($0)].scope] ?? [] }
        }
        let all = cells.indices.map { cell in sets.reduce(into: HiddenParts()) { $0.formUnion($1[cell]) } }
        // A month that showed its total alone hid its zeros too; of two sets that hide all only together, neither did. But
        // a total of 0 tells that all are 0.
        let isTotalAlone =
            total.sums.trips > 0
            && sets.contains { SuppressionPattern.hidesAllButTheTotal($0, in: lattice) }
        return cells.indices.map { cell in
            var parts = all[cell]
            if isTotalAlone, !lattice.isOverall(cell) { return parts }
            let sums = cells[cell].sums
            // 0 is shown.
            if sums.trips == 0 {
                let rest: HiddenParts = [.cancelled, .noShow]
                parts = parts.contains(.whole) ? rest : parts.intersection(rest)
            }
            if sums.cancelled == 0 { parts.remove(.cancelled) }
            if sums.noShow == 0 { parts.remove(.noShow) }
            return parts
        }
    }
}
