package import KPIs
package import Trips

/// The figures of one cell as an audience may see them. Nil is not shown, or has no value (a mean over none); the count
/// beside it tells which: not shown either, or 0.
package struct PublishedCell: Sendable, Hashable {
    package let scope: CellScope
    /// No group lies in the cell: nothing of it is shown.
    package internal(set) var suppressed = false
    /// Nothing of the cell is in a group that reaches beyond it: its figures are of all its trips.
    package internal(set) var complete = true
    /// Corrections of a group of the cell wait for a revision.
    package internal(set) var revisionPending = false
    /// No group of the cell is divided by sourcing.
    package internal(set) var sourcingSuppressed = false
    package internal(set) var sourcingBasis = SourcingBasis.classified
    /// Measures that some groups of the cell do not show; the figures are of the others. In the order of
    /// `PublishedMeasure.all`.
    package internal(set) var incompleteMeasures: [PublishedMeasure] = []

    package internal(set) var trips: Int?
    package internal(set) var cancelled: Int?
    package internal(set) var noShow: Int?
    package internal(set) var patients: PatientCount?

    package internal(set) var inHouse: Int?
    package internal(set) var contracted: Int?
    package internal(set) var unclassified: Int?
    /// Of in-house and contracted trips together.
    package internal(set) var inHousePercent: Int?
    package internal(set) var inHouseTenThousandths: Int?

    package internal(set) var costedTrips: Int?
    package internal(set) var totalCostCents: Int?
    package internal(set) var inHouseCostCents: Int?
    package internal(set) var contractedCostCents: Int?
    /// Over the costed trips.
    package internal(set) var costPerTripCents: Int?

    package internal(set) var loadedTenths: Int?
    package internal(set) var unloadedTenths: Int?
    /// Staff: over the trips that have both a cost and loaded miles. Release: the quotient of the two published sums.
    package internal(set) var costPerLoadedMileCents: Int?
    /// Loaded miles of all miles.
    package internal(set) var loadedTenThousandths: Int?

    /// By `TripInterval.rawValue`.
    package internal(set) var intervals: [PublishedInterval]

    package func interval(_ interval: TripInterval) -> PublishedInterval {
        intervals.indices.contains(interval.rawValue) ? intervals[interval.rawValue] : .hidden
    }
}

/// What `contracted` counts.
package enum SourcingBasis: String, Sendable, Hashable {
    /// Contracted trips alone; unclassified trips are shown beside them.
    case classified
    /// Contracted or unclassified trips together; `inHousePercent` is then of all trips.
    case all
}

/// One interval's statistics as they may be shown.
package struct PublishedInterval: Sendable, Hashable {
    package var used: Int?
    package var excluded: Int?
    package var meanTenths: Int?
    package var p50Seconds: Int?
    package var p90Seconds: Int?

    package static let hidden = PublishedInterval()
}

extension PublishedCell {
    /// The true numbers, for staff.
    init(exact cell: KPICell) {
        let sums = cell.sums
        let classified = sums.tripsBySourcing.inHouse + sums.tripsBySourcing.contracted
        scope = cell.scope
        trips = sums.trips
        cancelled = sums.cancelled
        noShow = sums.noShow
        patients = cell.patients
        inHouse = sums.tripsBySourcing.inHouse
        contracted = sums.tripsBySourcing.contracted
        unclassified = sums.tripsBySourcing.unclassified
        inHousePercent = HalfUp.quotient(sums.tripsBySourcing.inHouse, times: 100, by: classified)
        inHouseTenThousandths = HalfUp.quotient(sums.tripsBySourcing.inHouse, times: 10_000, by: classified)
        costedTrips = sums.costedTrips
        totalCostCents = sums.totalCostCents
        inHouseCostCents = sums.costCentsBySourcing.inHouse
        contractedCostCents = sums.costCentsBySourcing.contracted
        costPerTripCents = HalfUp.quotient(sums.totalCostCents, by: sums.costedTrips)
        loadedTenths = HalfUp.quotient(sums.loadedHundredths, by: 10)
        unloadedTenths = HalfUp.quotient(sums.unloadedHundredths, by: 10)
        costPerLoadedMileCents = HalfUp.quotient(
            sums.costCentsWithLoadedMiles, times: 100, by: sums.loadedHundredthsWithCost)
        loadedTenThousandths = HalfUp.quotient(
            sums.loadedHundredths, times: 10_000, by: sums.loadedHundredths + sums.unloadedHundredths)
        intervals = cell.intervals.map(PublishedInterval.init(exact:))
    }

    /// Nothing but where the cell lies.
    init(suppressed scope: CellScope) {
        self.scope = scope
        suppressed = true
        complete = false
        sourcingSuppressed = true
        intervals = TripInterval.allCases.map { _ in .hidden }
    }
}

extension PublishedInterval {
    init(exact statistics: IntervalStatistics) {
        used = statistics.used
        excluded = statistics.excluded
        meanTenths = HalfUp.quotient(statistics.sumSeconds, times: 10, by: statistics.used)
        p50Seconds = statistics.p50Seconds
        p90Seconds = statistics.p90Seconds
    }
}
