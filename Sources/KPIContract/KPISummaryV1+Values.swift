/// Measures of which no trip has the value: an export without a column of costs has no costs, and not costs of $0.00.
extension KPIDescription {
    /// Counts and sums that are 0 if no trip has a value of the measure.
    package var valuesOf: [Measure] {
        switch combination {
        case .statistic(let count): return [count]
        case .ratioOfTripsWithBoth: return [.costedTrips, .loadedMiles]
        case .sum where format == .miles: return [measure]
        case .ratio(_, let whole) where whole.count > 1 && shownFormat == .share: return whole
        case .sum where format == .dollars && population == .completed, .ratio where format == .dollars:
            return [.costedTrips]
        case .sum, .ratio: return []
        }
    }

    /// Whether the cell has trips and none of them has a cost: the total is then unknown. The document has 0 there, with 0
    /// costed trips.
    package func isUnknownCost(_ cell: KPISummaryV1.Cell) -> Bool {
        measure == .totalCost && figure(cell) == 0 && cell[.costedTrips] == 0 && cell[.trips] ?? 0 > 0
    }
}

extension KPISummaryV1 {
    /// Whether there are trips and none of them has a value of the measure: it is not shown to people.
    package func isWithoutValue(_ kpi: KPIDescription) -> Bool {
        guard let overall = cells.first else { return false }
        if kpi.population == .notRun, kpi.figure(overall) == nil { return true }
        guard overall[.trips] ?? 0 > 0 else { return false }
        return kpi.valuesOf.contains { overall[$0] == 0 }
    }

    /// Those that some trip has a value of.
    package func withValues(_ measures: [KPIDescription]) -> [KPIDescription] {
        measures.filter { !isWithoutValue($0) }
    }

    /// Whether some trip has a cost, or the document does not say.
    package var hasCosts: Bool { !isWithoutValue(Measure.totalCost.kpi) }
}
