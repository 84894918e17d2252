import Basics
import KPIContract
import KPIs
import TestSupport
import Testing
import Trips

/// The cost of cancelled trips and no-shows is a sum of its own, in no other figure.
@Suite struct CostNotRunTests {
    private static let month = Month(year: 2026, month: 4)

    private static func trip(_ status: TripStatus, cents: Int?) -> TripFacts {
        var trip = TripFacts()
        trip.month = month.index
        trip.day = CivilDay.days(year: 2026, month: 4, day: 1)
        trip.status = status.rawValue
        if let cents { trip.costCents = cents }
        return trip
    }

    @Test func itIsOfTripsThatWereNotRun() throws {
        var tally = KPITally(shape: RandomTally.shape)
        try tally.add([
            Self.trip(.completed, cents: 50_000), Self.trip(.cancelled, cents: 7_500), Self.trip(.noShow, cents: 2_500),
            Self.trip(.cancelled, cents: nil), Self.trip(.void, cents: 99_999),
        ])
        let sums = tally.sums(of: tally.allLeaves, in: Self.month)
        #expect(sums.costNotRunCents == 10_000 && sums.completed.costCents == 50_000 && sums.costedTrips == 1)
        #expect(sums.measured[.costNotRun] == 10_000)
        var read = KPITally(shape: RandomTally.shape)
        try read.merge(encoded: tally.encoded(month: Self.month), month: Self.month)
        #expect(read.sums(of: read.allLeaves, in: Self.month) == sums)
        #expect(tally.subtract(read) && tally.sums(of: tally.allLeaves, in: Self.month) == CellSums())
    }

    /// A release shows no such cost.
    @Test func itIsInNoFigureOfARelease() throws {
        var tally = KPITally(shape: RandomTally.shape)
        try tally.add([Self.trip(.completed, cents: nil)])
        var other = tally
        try tally.add([Self.trip(.cancelled, cents: 7_500)])
        try other.add([Self.trip(.cancelled, cents: 9_000)])
        let populations: [[TripPopulation]] = [TripPopulation.completed, [.cancelled]]
        #expect(tally.hasSameFigures(as: other, inEachLeafOf: Self.month, populations))
    }
}
