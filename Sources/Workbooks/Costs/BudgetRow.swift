import KPIContract
import KPIs
import Reports

/// A line of the budget with its actual.
struct BudgetRow {
    /// Of `values`.
    static let columnCount = 16

    let line: BudgetLine
    let actual: BudgetActual
    /// Complete months of the fiscal year.
    let months: Int
    let hasEnded: Bool

    init(_ line: BudgetLine, _ actual: BudgetActual, months: Int, hasEnded: Bool) {
        self.line = line
        self.actual = actual
        self.months = months
        self.hasEnded = hasEnded
    }

    /// Whether price cannot be computed, only because it is not known which trips have a cost.
    var lacksCostedTrips: Bool {
        months > 0 && line.trips ?? 0 > 0 && line.costCents != nil && actual.costedTrips == .notApplicable
            && actual.cost.whole != nil && actual.cost.coverage == .all && actual.trips.coverage == .all
    }

    /// Whether it has a variance, or is hidden.
    var isCompared: Bool {
        actual.trips == .hidden || actual.cost == .hidden
            || months > 0 && line.costCents != nil && actual.trips.whole != nil && actual.cost.whole != nil
    }

    var values: [ShownValue] {
        let plan: [ShownValue] = [
            .number(months, .count), .known(line.trips, .count), .known(line.costCents, .cents),
        ]
        guard months > 0 else {
            return plan + Array(repeating: .notApplicable, count: Self.columnCount - plan.count)
        }
        // Without a cost there is a plan to date and no variance from it.
        let variance = BudgetVariance(
            line, months: months, actualTrips: actual.trips.whole ?? 0, actualCents: actual.cost.whole ?? 0,
            costedTrips: actual.costedTrips.whole, hasEnded: hasEnded)
        let toDate: [ShownValue] = [
            .known(variance?.planTripsToDate, .count), .known(variance?.planCentsToDate, .cents), actual.trips,
            actual.cost,
        ]
        return plan + toDate + compared(variance)
    }

    private func compared(_ variance: BudgetVariance?) -> [ShownValue] {
        let count = 9
        if actual.trips == .hidden || actual.cost == .hidden { return Array(repeating: .hidden, count: count) }
        guard let variance, actual.trips.whole != nil, actual.cost.whole != nil else {
            return Array(repeating: .notApplicable, count: count)
        }
        // A plan is of all trips; an actual that leaves out some is not compared with it.
        guard actual.trips.coverage == .all, actual.cost.coverage == .all else {
            return Array(repeating: .notComparable, count: count)
        }
        let isHidden = actual.costedTrips == .hidden && variance.volumeCents != nil
        return [
            .known(variance.varianceCents, .cents), .known(variance.varianceShare, .change),
            .known(variance.volumeCents, .cents), isHidden ? .hidden : .known(variance.priceCents, .cents),
            isHidden ? .hidden : .known(variance.withoutCostCents, .cents),
            .known(variance.forecastTrips, .count), .known(variance.forecastCents, .cents),
            .known(variance.forecastVarianceCents, .cents), .known(variance.forecastVarianceShare, .change),
        ]
    }
}
