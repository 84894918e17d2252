package import Trips

/// Everything that adds up over the trips of a cell, in whole units: trips, cents, hundredths of a mile.
///
/// `merge` and `subtract` are exact and do not depend on order, so parallel equals sequential to the byte.
/// All but `cancelled`, `noShow` and `costNotRunCents` are about completed trips only. To add a number, declare it, add it to `visit`,
/// count it in `addCompleted` or `addOther`, name it in `exact` if it is published, and raise `formatVersion`.
package struct CellSums: Sendable, Hashable {
    /// Of the checkpoints that hold these numbers.
    static let formatVersion: UInt8 = 3
    /// Of releases that an earlier version recorded: without `costNotRunCents`, which no release shows.
    static let formatWithoutCostNotRun: UInt8 = 2

    package var trips = 0
    package var cancelled = 0
    package var noShow = 0
    /// Trips by `Sourcing.rawValue`.
    package var tripsBySourcing = SourcingTriple()
    /// Cents by sourcing; their total is `totalCostCents`.
    package var costCentsBySourcing = SourcingTriple()
    /// Trips with a cost, by sourcing.
    package var costedTripsBySourcing = SourcingTriple()
    package var loadedHundredths = 0
    package var unloadedHundredths = 0
    /// Cost of those trips that have both a cost and loaded miles above zero: what `costPerLoadedMile` divides.
    package var costCentsWithLoadedMiles = 0
    /// Loaded miles of those same trips.
    package var loadedHundredthsWithCost = 0
    /// Trips that have both.
    package var costedTripsWithLoadedMiles = 0
    /// Trips that have loaded miles, and trips that have unloaded miles.
    package var tripsWithLoadedMiles = 0
    package var tripsWithUnloadedMiles = 0
    /// Cost of cancelled trips and no-shows.
    package var costNotRunCents = 0

    package init() {}

    package var totalCostCents: Int { costCentsBySourcing.total }
    package var costedTrips: Int { costedTripsBySourcing.total }
    package var isEmpty: Bool { trips == 0 && cancelled == 0 && noShow == 0 }

    /// What measures are made of, by the names of `KPIDescription.figure(of:)`: trips, cents, hundredths of a mile.
    package var exact: [String: Int] {
        [
            "trips": trips, "cancelled": cancelled, "noShow": noShow, "inHouse": tripsBySourcing.inHouse,
            "contracted": tripsBySourcing.contracted, "unclassified": tripsBySourcing.unclassified,
            "totalCost": totalCostCents, "inHouseCost": costCentsBySourcing.inHouse,
            "contractedCost": costCentsBySourcing.contracted, "costedTrips": costedTrips,
            "costNotRun": costNotRunCents, "loadedMiles": loadedHundredths, "unloadedMiles": unloadedHundredths,
            "totalCost with loadedMiles": costCentsWithLoadedMiles,
            "loadedMiles with totalCost": loadedHundredthsWithCost,
        ]
    }

    /// Every number, with that of other sums, in the order of the checkpoint's format.
    mutating func visit<Failure: Error>(
        with other: CellSums, _ body: (inout Int, Int) throws(Failure) -> Void
    ) throws(Failure) {
        try body(&trips, other.trips)
        try body(&cancelled, other.cancelled)
        try body(&noShow, other.noShow)
        try tripsBySourcing.visit(with: other.tripsBySourcing, body)
        try costCentsBySourcing.visit(with: other.costCentsBySourcing, body)
        try costedTripsBySourcing.visit(with: other.costedTripsBySourcing, body)
        try body(&loadedHundredths, other.loadedHundredths)
        try body(&unloadedHundredths, other.unloadedHundredths)
        try body(&costCentsWithLoadedMiles, other.costCentsWithLoadedMiles)
        try body(&loadedHundredthsWithCost, other.loadedHundredthsWithCost)
        try body(&costedTripsWithLoadedMiles, other.costedTripsWithLoadedMiles)
        try body(&tripsWithLoadedMiles, other.tripsWithLoadedMiles)
        try body(&tripsWithUnloadedMiles, other.tripsWithUnloadedMiles)
        try body(&costNotRunCents, other.costNotRunCents)
    }

    /// How many numbers `visit` visits.
    static let numbers: Int = {
        var sums = CellSums(), count = 0
        sums.visit(with: sums) { _, _ in count += 1 }
        return count
    }()

    /// Without the cost of trips that were not run: what a release is made of.
    var ofRelease: CellSums {
        var sums = self
        sums.costNotRunCents = 0
        return sums
    }

    package mutating func merge(_ other: CellSums) { visit(with: other) { $0 &+= $1 } }

    package mutating func subtract(_ other: CellSums) { visit(with: other) { $0 &-= $1 } }

    /// Whether every number of trips is 0 or more. Costs may be negative.
    var hasNoNegativeCount: Bool {
        let counts = [
            trips, cancelled, noShow, costedTripsWithLoadedMiles, tripsWithLoadedMiles, tripsWithUnloadedMiles,
        ]
        return counts.allSatisfy { $0 >= 0 } && tripsBySourcing.hasNoNegative && costedTripsBySourcing.hasNoNegative
    }

    /// Whether the numbers of trips can be those of the same trips.
    package var isConsistent: Bool {
        hasNoNegativeCount && tripsBySourcing.total == trips
            && Sourcing.allCases.allSatisfy { costedTripsBySourcing[$0] <= tripsBySourcing[$0] }
            && max(tripsWithLoadedMiles, tripsWithUnloadedMiles) <= trips
            && costedTripsWithLoadedMiles <= min(costedTrips, tripsWithLoadedMiles)
            && (costNotRunCents == 0 || cancelled + noShow > 0)
    }

    /// The largest number, whatever its sign.
    func largest(with other: CellSums) -> UInt {
        var sums = self, largest: UInt = 0
        sums.visit(with: other) { own, added in
            let (sum, overflows) = own.addingReportingOverflow(added)
            largest = max(largest, overflows ? .max : sum.magnitude)
        }
        return largest
    }

    /// Adds one completed trip.
    @inline(__always)
    mutating func addCompleted(_ batch: TripBatch, row: Int) {
        trips &+= 1
        let sourcing = Sourcing(rawValue: batch.sourcing[row]) ?? .unclassified
        tripsBySourcing[sourcing] &+= 1
        let cost = batch.costCents[row]
        let loaded = batch.loadedHundredths[row], unloaded = batch.unloadedHundredths[row]
        if cost != AmountState.absent {
            costCentsBySourcing[sourcing] &+= cost
            costedTripsBySourcing[sourcing] &+= 1
            if loaded > 0 {
                costCentsWithLoadedMiles &+= cost
                loadedHundredthsWithCost &+= loaded
                costedTripsWithLoadedMiles &+= 1
            }
        }
        if loaded != AmountState.absent {
            loadedHundredths &+= loaded
            tripsWithLoadedMiles &+= 1
        }
        if unloaded != AmountState.absent {
            unloadedHundredths &+= unloaded
            tripsWithUnloadedMiles &+= 1
        }
    }

    /// Adds one trip that was cancelled or a no-show.
    @inline(__always)
    mutating func addOther(_ batch: TripBatch, row: Int) {
        if batch.status[row] == TripStatus.cancelled.rawValue {
            cancelled &+= 1
        } else {
            noShow &+= 1
        }
        let cost = batch.costCents[row]
        if cost != AmountState.absent { costNotRunCents &+= cost }
    }

    /// How many trips of the cell belong to a population.
    package func trips(of population: TripPopulation) -> Int {
        switch population {
        case .inHouse: tripsBySourcing.inHouse
        case .contracted: tripsBySourcing.contracted
        case .unclassified: tripsBySourcing.unclassified
        case .cancelled: cancelled
        case .noShow: noShow
        }
    }
}

/// Trips of a cell whose patients are counted by themselves: completed ones by sourcing, cancelled ones and no-shows.
///
/// Disclosure control asks of each how many people are behind it.
package enum TripPopulation: Int, CaseIterable, Sendable, Hashable {
    // The first three as in `Sourcing`: a completed trip's population is its sourcing.
    case inHouse, contracted, unclassified, cancelled, noShow

    /// All completed trips.
    package static let completed: [TripPopulation] = [.inHouse, .contracted, .unclassified]
}

/// One number for each sourcing.
package struct SourcingTriple: Sendable, Hashable {
    package var inHouse = 0
    package var contracted = 0
    package var unclassified = 0

    package init() {}

    package var total: Int { inHouse + contracted + unclassified }

    var hasNoNegative: Bool { inHouse >= 0 && contracted >= 0 && unclassified >= 0 }

    package subscript(sourcing: Sourcing) -> Int {
        @inline(__always) get {
            switch sourcing {
            case .inHouse: inHouse
            case .contracted: contracted
            case .unclassified: unclassified
            }
        }
        @inline(__always) set {
            switch sourcing {
            case .inHouse: inHouse = newValue
            case .contracted: contracted = newValue
            case .unclassified: unclassified = newValue
            }
        }
    }

    package mutating func add(_ other: Self) { visit(with: other) { $0 += $1 } }

    /// In the order of `Sourcing`.
    mutating func visit<Failure: Error>(
        with other: Self, _ body: (inout Int, Int) throws(Failure) -> Void
    ) throws(Failure) {
        try body(&inHouse, other.inHouse)
        try body(&contracted, other.contracted)
        try body(&unclassified, other.unclassified)
    }
}
