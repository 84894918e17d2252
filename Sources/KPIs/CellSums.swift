import KPIContract
package import Trips

/// Everything that adds up over the trips of a cell, in whole units: trips, cents, hundredths of a mile.
///
/// `merge` and `subtract` are exact and do not depend on order, so parallel equals sequential to the byte.
package struct CellSums: Sendable, Hashable {
    /// Of the checkpoints that hold these numbers.
    static let formatVersion: UInt8 = 4
    /// Of releases that an earlier version recorded: version 3 had miles and intervals of all completed trips together, and
    /// version 2 had no `costNotRunCents` either.
    static let earlierFormatVersions: ClosedRange<UInt8> = 2...3

    /// Completed trips, by sourcing.
    package var inHouse = CompletedSums()
    package var contracted = CompletedSums()
    package var unclassified = CompletedSums()
    package var cancelled = 0
    package var noShow = 0
    /// Cost of cancelled trips and no-shows.
    package var costNotRunCents = 0

    package init() {}

    package subscript(sourcing: Sourcing) -> CompletedSums {
        @inline(__always) get {
            switch sourcing {
            case .inHouse: inHouse
            case .contracted: contracted
            case .unclassified: unclassified
            }
        }
        set {
            switch sourcing {
            case .inHouse: inHouse = newValue
            case .contracted: contracted = newValue
            case .unclassified: unclassified = newValue
            }
        }
    }

    /// Completed trips of every sourcing.
    package var completed: CompletedSums {
        var sums = inHouse
        sums.merge(contracted)
        sums.merge(unclassified)
        return sums
    }

    package var trips: Int { inHouse.trips + contracted.trips + unclassified.trips }
    package var costedTrips: Int { inHouse.costedTrips + contracted.costedTrips + unclassified.costedTrips }
    package var isEmpty: Bool { trips == 0 && cancelled == 0 && noShow == 0 }

    /// What measures follow from.
    package var measured: MeasureSums {
        let all = completed
        var sums = MeasureSums()
        sums[.trips] = all.trips
        sums[.cancelled] = cancelled
        sums[.noShow] = noShow
        sums[.inHouse] = inHouse.trips
        sums[.contracted] = contracted.trips
        sums[.unclassified] = unclassified.trips
        sums[.totalCost] = all.costCents
        sums[.inHouseCost] = inHouse.costCents
        sums[.contractedCost] = contracted.costCents
        sums[.costedTrips] = all.costedTrips
        sums[.costNotRun] = costNotRunCents
        sums[.loadedMiles] = all.loadedHundredths
        sums[.unloadedMiles] = all.unloadedHundredths
        sums.costCentsWithLoadedMiles = all.costCentsWithLoadedMiles
        sums.loadedHundredthsWithCost = all.loadedHundredthsWithCost
        return sums
    }

    /// Every number, with that of other sums, in the order of the checkpoint's format.
    mutating func visit<Failure: Error>(
        with other: CellSums, _ body: (inout Int, Int) throws(Failure) -> Void
    ) throws(Failure) {
        try inHouse.visit(with: other.inHouse, body)
        try contracted.visit(with: other.contracted, body)
        try unclassified.visit(with: other.unclassified, body)
        try body(&cancelled, other.cancelled)
        try body(&noShow, other.noShow)
        try body(&costNotRunCents, other.costNotRunCents)
    }

    package mutating func merge(_ other: CellSums) { visit(with: other) { $0 &+= $1 } }

    package mutating func subtract(_ other: CellSums) { visit(with: other) { $0 &-= $1 } }

    /// Whether every number of trips is 0 or more. Costs may be negative.
    var hasNoNegativeCount: Bool {
        cancelled >= 0 && noShow >= 0
            && [inHouse, contracted, unclassified].allSatisfy(\.hasNoNegativeCount)
    }

    /// Whether the numbers of trips can be those of the same trips.
    package var isConsistent: Bool {
        hasNoNegativeCount && [inHouse, contracted, unclassified].allSatisfy(\.isConsistent)
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
        switch batch.sourcing[row] {
        case Sourcing.inHouse.rawValue: inHouse.add(batch, row: row)
        case Sourcing.contracted.rawValue: contracted.add(batch, row: row)
        default: unclassified.add(batch, row: row)
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
        case .inHouse: inHouse.trips
        case .contracted: contracted.trips
        case .unclassified: unclassified.trips
        case .cancelled: cancelled
        case .noShow: noShow
        }
    }
}
