import KPIs
import Trips

/// What each cell of a table hides where nothing else is published of the same trips: all cells and all their totals are
/// decided together.
struct SinglePattern: CellPattern {
    private let pattern: SuppressionPattern
    private let places: [CellScope: Int]

    init(
        _ table: KPITable, minimumCell: Int, costDominance: CostDominance? = nil, isComplementary: Bool = true
    ) throws(DisclosureError) {
        pattern = try SuppressionPattern(
            table, minimumCell: minimumCell, costDominance: costDominance, isComplementary: isComplementary)
        places = Dictionary(
            zip(table.cells.map(\.scope), table.cells.indices), uniquingKeysWith: { first, _ in first })
    }

    var showsTotalsOverMonths: Bool { true }

    func parts(of cell: KPICell, summing scopes: [CellScope]) -> HiddenParts {
        var parts = scopes.reduce(into: HiddenParts()) { parts, scope in
            parts.formUnion(places[scope].map { pattern.parts[$0] } ?? .whole)
        }
        if scopes.count > 1 { parts.hideMeansOfHiddenCounts() }
        return parts
    }
}

extension HiddenParts {
    /// A mean that was not looked at together with all others says something of its count.
    fileprivate mutating func hideMeansOfHiddenCounts() {
        if !isDisjoint(with: [.costedTrips, .totalCost]) { formUnion([.costPerTrip, .costPerLoadedMile]) }
        for interval in TripInterval.allCases where contains(.counts(of: interval)) { insert(.mean(of: interval)) }
    }
}
