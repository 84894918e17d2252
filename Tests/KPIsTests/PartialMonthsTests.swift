import Basics
import KPIs
import TestSupport
import Testing
import Trips

@Suite struct PartialMonthsTests {
    /// - Parameter days: of April 2026, each with so many trips.
    private static func tally(_ days: ClosedRange<Int>, trips: Int) throws -> KPITally {
        var batch = TripBatch(capacity: days.count * trips, textFields: [])
        for day in days {
            let day = try #require(CivilDay(year: 2026, month: 4, day: day))
            for _ in 0..<trips {
                batch.day[batch.count] = day.daysSince1970
                batch.month[batch.count] = day.month.index
                batch.count += 1
            }
        }
        var tally = KPITally(
            shape: KPITally.Shape(regionCount: 2, tripTypeCount: 2, maximumIntervalSeconds: 86_400))
        tally.add(batch)
        return tally
    }

    @Test(arguments: [(1...15, 5, true), (16...30, 5, true), (1...25, 2, true), (1...26, 9, false), (1...30, 1, false)])
    func aMonthLacksTheDaysBeforeOrAfterItsTrips(days: ClosedRange<Int>, trips: Int, lacksDays: Bool) throws {
        let month = Month(year: 2026, month: 4)
        #expect(try Self.tally(days, trips: trips).monthsLackingDays == (lacksDays ? [month] : []))
    }

    /// Five days without a trip are chance where there is a trip a day.
    @Test func aMonthOfFewTripsIsWhole() throws {
        #expect(try Self.tally(1...25, trips: 1).monthsLackingDays.isEmpty)
        #expect(try Self.tally(1...23, trips: 1).monthsLackingDays == [Month(year: 2026, month: 4)])
    }
}
