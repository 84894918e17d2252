package import KPIContract
package import KPIs
package import Trips

/// The figures of one cell as an audience may see them.
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
    /// Measures that some groups of the cell do not show; the figures are of the others. Names of `PartialMeasure.all`, in
    /// that order.
    package internal(set) var incompleteMeasures: [String] = []
    /// Suppressed: not counted, too.
    package internal(set) var patients: PatientCount?
    /// By place in `KPICatalog.all`, in the smallest unit. What disclosure control has no rule for is suppressed.
    package private(set) var figures: [PublishedValue<Int>]

    /// The figure of a measure by its name in `KPICatalog`; an unknown one is suppressed.
    package internal(set) subscript(name: String) -> PublishedValue<Int> {
        get { KPICatalog.position(of: name).map { figures[$0] } ?? .suppressed }
        set { if let position = KPICatalog.position(of: name) { figures[position] = newValue } }
    }

    /// Completed trips; nil where they are suppressed.
    package var trips: Int? { self["trips"].value }

    package internal(set) subscript(interval: TripInterval) -> PublishedInterval {
        get {
            let own = Array(figures[KPICatalog.places(ofInterval: interval.rawValue)])
            return PublishedInterval(
                used: own[0], excluded: own[1], meanTenths: own[2], p50Seconds: own[3], p90Seconds: own[4])
        }
        set {
            figures.replaceSubrange(
                KPICatalog.places(ofInterval: interval.rawValue),
                with: [newValue.used, newValue.excluded, newValue.meanTenths, newValue.p50Seconds, newValue.p90Seconds])
        }
    }

    /// A cell of which every figure is suppressed.
    init(_ scope: CellScope) {
        self.scope = scope
        figures = Array(repeating: .suppressed, count: KPICatalog.all.count)
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
    package var used = PublishedValue<Int>.suppressed
    package var excluded = PublishedValue<Int>.suppressed
    package var meanTenths = PublishedValue<Int>.suppressed
    package var p50Seconds = PublishedValue<Int>.suppressed
    package var p90Seconds = PublishedValue<Int>.suppressed
}

extension PublishedCell {
    /// The true numbers, for staff.
    init(exact cell: KPICell) {
        self.init(cell.scope)
        let sums = cell.sums, trips = sums.tripsBySourcing
        patients = cell.patients
        for (name, value) in sums.additive { self[name] = .value(value) }
        showInHouseShare(of: trips.inHouse, and: trips.contracted)
        self["costPerTrip"] = .init(quotient: HalfUp.quotient(sums.totalCostCents, by: sums.costedTrips))
        self["costPerLoadedMile"] = .init(
            quotient: HalfUp.quotient(sums.costCentsWithLoadedMiles, times: 100, by: sums.loadedHundredthsWithCost))
        self["loadedMileRatio"] = .init(
            quotient: HalfUp.quotient(
                sums.loadedHundredths, times: 10_000, by: sums.loadedHundredths + sums.unloadedHundredths))
        for (interval, own) in zip(TripInterval.allCases, cell.intervals) {
            self[interval] = PublishedInterval(
                used: .value(own.used), excluded: .value(own.excluded),
                meanTenths: .init(quotient: HalfUp.quotient(own.sumSeconds, times: 10, by: own.used)),
                p50Seconds: .init(quotient: own.p50Seconds), p90Seconds: .init(quotient: own.p90Seconds))
        }
    }

    mutating func showInHouseShare(of inHouse: Int, and others: Int) {
        self["inHousePercent"] = .init(quotient: HalfUp.quotient(inHouse, times: 100, by: inHouse + others))
        self["inHouseShare"] = .init(quotient: HalfUp.quotient(inHouse, times: 10_000, by: inHouse + others))
    }

    /// Leaves out each count of trips with or without a value, and each quotient over such a count
    /// (`MissingCountPolicy.omit`).
    ///
    /// The trips of the cell and its total cost stay, so a cost per trip would give the costed trips back. Exact means
    /// of a cell and of its parts would give back in which ratio the parts have the value.
    package mutating func omitMissingCounts() {
        self["costedTrips"] = .suppressed
        self["costPerTrip"] = .suppressed
        for interval in TripInterval.allCases {
            self[interval].used = .suppressed
            self[interval].excluded = .suppressed
            self[interval].meanTenths = .suppressed
            // That there is nothing to compute it from is a count of 0.
            if self[interval].p50Seconds == .undefined { self[interval].p50Seconds = .suppressed }
            if self[interval].p90Seconds == .undefined { self[interval].p90Seconds = .suppressed }
        }
    }
}
