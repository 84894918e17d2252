import Basics
package import KPIContract
package import KPIs
import Trips

/// The figures of one cell as an audience may see them.
package struct PublishedCell: Sendable, Hashable {
    package let scope: CellScope
    /// No group lies in the cell: nothing of it is shown.
    package internal(set) var suppressed = false
    /// Its trips are all its completed trips: none is in a group that reaches beyond the cell, or not published.
    package internal(set) var complete = true
    /// Corrections of a group of the cell wait for a revision.
    package internal(set) var revisionPending = false
    /// Measures that are not of all trips of the cell. Names of `PartialMeasure.all`, in that order.
    package internal(set) var incompleteMeasures: [String] = []
    /// Suppressed: not counted, too.
    package internal(set) var patients: PatientCount?
    /// By `Measure`, in the smallest unit. What disclosure control has no rule for is suppressed.
    package private(set) var figures: [PublishedValue<Int>]

    package internal(set) subscript(measure: Measure) -> PublishedValue<Int> {
        get { figures[measure.rawValue] }
        set { figures[measure.rawValue] = newValue }
    }

    subscript(interval: TripInterval, statistic: IntervalStatistic) -> PublishedValue<Int> {
        get { self[Measure(ofInterval: interval.rawValue, statistic)] }
        set { self[Measure(ofInterval: interval.rawValue, statistic)] = newValue }
    }

    /// Completed trips; nil where they are suppressed.
    package var trips: Int? { self[.trips].value }

    /// A cell of which every figure is suppressed.
    init(_ scope: CellScope) {
        self.scope = scope
        figures = Array(repeating: .suppressed, count: KPICatalog.all.count)
    }
}

extension PublishedCell {
    /// The true numbers, for staff.
    init(exact cell: KPICell) {
        self.init(cell.scope)
        patients = cell.patients
        let sums = cell.sums.measured
        for (place, kpi) in KPICatalog.plain.enumerated() { figures[place] = .init(quotient: kpi.figure(of: sums)) }
        for (interval, own) in zip(TripInterval.allCases, cell.intervals) { show(own, of: interval) }
    }

    /// Publishes the statistics of an interval.
    mutating func show(_ own: IntervalStatistics, of interval: TripInterval) {
        for statistic in IntervalStatistic.allCases { self[interval, statistic] = .init(quotient: own[statistic]) }
    }

    /// A quotient over nothing is undefined, whether or not disclosure control has a rule for the measure.
    mutating func markUndefinedQuotients() {
        for kpi in KPICatalog.plain
        where self[kpi.measure] == .suppressed && !kpi.partialMeasures.contains(where: incompleteMeasures.contains) {
            guard case .ratio = kpi.combination, kpi.none.isMet({ self[$0].value }) else { continue }
            self[kpi.measure] = .undefined
        }
    }

    mutating func showInHouseShare(of inHouse: Int, and others: Int) {
        self[.inHousePercent] = .init(quotient: HalfUp.quotient(inHouse, times: 100, by: inHouse + others))
        self[.inHouseShare] = .init(quotient: HalfUp.quotient(inHouse, times: 10_000, by: inHouse + others))
    }

    /// Leaves out each count of trips with or without a value, and each quotient over such a count
    /// (`MissingCountPolicy.omit`).
    ///
    /// The trips of the cell and its total cost stay, so a cost per trip would give the costed trips back. Exact means
    /// of a cell and of its parts would give back in which ratio the parts have the value.
    package mutating func omitMissingCounts() {
        self[.costedTrips] = .suppressed
        self[.costPerTrip] = .suppressed
        for interval in TripInterval.allCases {
            // That there is nothing to compute a percentile from is a count of 0.
            for statistic in IntervalStatistic.allCases
            where statistic.percent == nil || self[interval, statistic] == .undefined {
                self[interval, statistic] = .suppressed
            }
        }
    }
}
