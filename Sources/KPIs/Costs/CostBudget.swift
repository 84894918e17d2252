import Basics
package import Trips

/// Which trips a line of a budget is about. Nil: all of them.
package struct BudgetScope: Sendable, Hashable {
    /// Codes of the configured lists.
    package var region: UInt8?
    package var tripType: UInt8?
    package var sourcing: Sourcing?

    package init(region: UInt8? = nil, tripType: UInt8? = nil, sourcing: Sourcing? = nil) {
        self.region = region
        self.tripType = tripType
        self.sourcing = sourcing
    }

    /// Whether all trips of the other scope are in this one.
    package func contains(_ other: BudgetScope) -> Bool {
        (region == nil || region == other.region) && (tripType == nil || tripType == other.tripType)
            && (sourcing == nil || sourcing == other.sourcing)
    }

    /// Whether a trip can be in both.
    package func overlaps(_ other: BudgetScope) -> Bool {
        func agree<Part: Equatable>(_ one: Part?, _ other: Part?) -> Bool { one == nil || other == nil || one == other }
        return agree(region, other.region) && agree(tripType, other.tripType) && agree(sourcing, other.sourcing)
    }
}

/// What is planned for one scope and fiscal year.
package struct BudgetLine: Sendable, Hashable {
    /// The year it ends in: October of the year before to September.
    package var fiscalYear: Int
    package var scope: BudgetScope
    /// Nil: no number of trips is planned.
    package var trips: Int?
    /// Nil: no cost is planned.
    package var costCents: Int?

    package init(fiscalYear: Int, scope: BudgetScope, trips: Int?, costCents: Int?) {
        self.fiscalYear = fiscalYear
        self.scope = scope
        self.trips = trips
        self.costCents = costCents
    }
}

/// A budget. No trip is counted twice in its totals: a line that is part of another line is shown and not added up.
package struct CostBudget: Sendable, Hashable {
    /// By fiscal year, wider scopes first. No two have the same fiscal year and scope.
    package let lines: [BudgetLine]

    package init(_ lines: [BudgetLine]) {
        self.lines = lines.sorted { Self.order($0).lexicographicallyPrecedes(Self.order($1)) }
    }

    private static func order(_ line: BudgetLine) -> [Int] {
        let parts = [
            line.scope.region.map(Int.init), line.scope.tripType.map(Int.init),
            line.scope.sourcing.map { Int($0.rawValue) },
        ]
        return [line.fiscalYear] + parts.map { $0.map { $0 + 1 } ?? 0 }
    }

    /// Whether the line is in the totals: it is not part of a line with a wider scope.
    package func isCounted(_ line: BudgetLine) -> Bool {
        !lines.contains {
            $0.fiscalYear == line.fiscalYear && $0.scope != line.scope && $0.scope.contains(line.scope)
        }
    }

    /// Whether the lines that are counted have trips in common, such as a region's and a trip type's: then they cannot be
    /// added up.
    package func hasOverlap(in fiscalYear: Int) -> Bool {
        let counted = lines.filter { $0.fiscalYear == fiscalYear && isCounted($0) }.map(\.scope)
        return counted.indices.contains { first in
            counted[(first + 1)...].contains { $0.overlaps(counted[first]) }
        }
    }
}

/// A plan against what happened in the complete months of its fiscal year.
///
/// - The plan to date is the plan × complete months / 12, as a budget has no months.
/// - Variance = actual − plan to date = volume + price + trips without a cost, where the plan has trips and cost. Volume: the
///   trips more or fewer than planned × the planned cost per trip. Trips without a cost: their number × the planned cost per
///   trip, less than 0, as the actual cost lacks theirs. Price: the rest, which is the actual cost less the planned cost of
///   the trips that have a cost, to within two cents.
/// - The forecast to year end is the actual by run rate: actual × 12 / complete months. A year that is over has none.
///
/// Amounts are rounded to the cent, halves away from zero; price is not rounded, so that the parts add up to the variance.
package struct BudgetVariance: Sendable, Hashable {
    package static let monthsPerYear = 12

    package let line: BudgetLine
    /// Complete months of the fiscal year that have figures: 1 to 12.
    package let months: Int
    package let actualTrips: Int
    package let actualCents: Int
    /// Of the actual trips, those that have a cost; nil: not known.
    package let costedTrips: Int?
    /// Whether the last day of the fiscal year is over.
    package let hasEnded: Bool

    /// Nil without a complete month: there is nothing to compare.
    package init?(
        _ line: BudgetLine, months: Int, actualTrips: Int, actualCents: Int, costedTrips: Int?, hasEnded: Bool = false
    ) {
        guard (1...Self.monthsPerYear).contains(months) else { return nil }
        self.line = line
        self.months = months
        self.actualTrips = actualTrips
        self.actualCents = actualCents
        self.costedTrips = costedTrips
        self.hasEnded = hasEnded
    }

    package var planTripsToDate: Int? { line.trips.flatMap(toDate) }
    package var planCentsToDate: Int? { line.costCents.flatMap(toDate) }
    package var varianceCents: Int? { planCentsToDate.map { actualCents - $0 } }

    /// In ten-thousandths of the plan to date; nil without a plan above 0.
    package var varianceShare: Int? {
        guard let variance = varianceCents, let plan = planCentsToDate, plan > 0 else { return nil }
        return HalfUp.quotient(variance, times: 10_000, by: plan)
    }

    /// Nil where the plan has no trips or no cost. The plan to date is not rounded to whole trips here.
    package var volumeCents: Int? {
        guard let trips = line.trips, trips > 0, let cost = line.costCents else { return nil }
        return HalfUp.quotient(
            Self.monthsPerYear * actualTrips - months * trips, times: cost, by: Self.monthsPerYear * trips)
    }

    /// What the trips without a cost were planned to cost, less than 0; nil, too, where their number is not known.
    package var withoutCostCents: Int? {
        guard let trips = line.trips, trips > 0, let cost = line.costCents, let costedTrips else { return nil }
        return HalfUp.quotient(costedTrips - actualTrips, times: cost, by: trips)
    }

    /// The rest of the variance.
    package var priceCents: Int? {
        guard let variance = varianceCents, let volume = volumeCents, let rest = withoutCostCents else { return nil }
        return variance - volume - rest
    }

    package var forecastTrips: Int? { toYearEnd(actualTrips) }
    package var forecastCents: Int? { toYearEnd(actualCents) }

    package var forecastVarianceCents: Int? {
        guard let forecast = forecastCents, let plan = line.costCents else { return nil }
        return forecast - plan
    }

    /// In ten-thousandths of the plan; nil without a plan above 0.
    package var forecastVarianceShare: Int? {
        guard let variance = forecastVarianceCents, let plan = line.costCents, plan > 0 else { return nil }
        return HalfUp.quotient(variance, times: 10_000, by: plan)
    }

    private func toDate(_ plan: Int) -> Int? { HalfUp.quotient(plan, times: months, by: Self.monthsPerYear) }

    private func toYearEnd(_ actual: Int) -> Int? {
        hasEnded ? nil : HalfUp.quotient(actual, times: Self.monthsPerYear, by: months)
    }
}
