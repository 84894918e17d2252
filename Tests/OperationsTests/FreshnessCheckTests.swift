import Basics
import Operations
import Testing
import Trips

@Suite struct FreshnessTests {
    @Test(arguments: [
        (Int32(0), FreshnessCheck.State.ok), (2, .ok), (3, .warn), (6, .warn), (7, .fail), (400, .fail), (-5, .ok),
    ])
    func ageDecides(days: Int32, state: FreshnessCheck.State) {
        let freshness = FreshnessCheck(
            newestDay: CivilDay(daysSince1970: 20_000), generatedOn: CivilDay(daysSince1970: 20_000 + days),
            warnDays: 3, failDays: 7)
        #expect(freshness.state == state)
        #expect(freshness.ageDays == max(0, Int(days)))
        #expect(freshness.event.name == "freshness.\(state.rawValue)")
    }

    @Test func withoutLimitsNothingIsTooOld() {
        let day = CivilDay(daysSince1970: 0)
        let freshness = FreshnessCheck(
            newestDay: day, generatedOn: CivilDay(daysSince1970: 20_000), warnDays: nil, failDays: nil)
        #expect(freshness.state == .ok)
    }
}

@Suite struct MissingDaysTests {
    private static let start: Int32 = 20_000

    /// From the start on, a day each.
    private func missing(_ trips: [Int]) -> MissingDays {
        let days = trips.indices.map { CivilDay(daysSince1970: Self.start + Int32($0)) }
        return MissingDays(tripsByDay: Dictionary(uniqueKeysWithValues: zip(days, trips)))
    }

    private func offsets(_ missing: MissingDays) -> [Int32] { missing.days.map { $0.daysSince1970 - Self.start } }

    /// Four weeks of so many trips a day.
    private func weeks(_ trips: Int) -> [Int] { Array(repeating: trips, count: 28) }

    @Test func aDayWithoutTripsAmongBusyOnesIsMissing() {
        let found = missing(weeks(6) + [0, 7, 0, 0, 9])
        #expect(offsets(found) == [28, 30, 31])
        #expect(found.event?.level == .warning)
    }

    /// An export of the second half of the first month was lost: the weeks after it show most of that.
    @Test func aGapNearTheBeginningIsFound() {
        let found = missing(Array(repeating: 9, count: 16) + Array(repeating: 0, count: 15) + weeks(9))
        #expect(found.count == 14)
        #expect(offsets(found).last == 30)
    }

    @Test func aFleetThatWorksEverySecondSaturdayMissesNone() {
        #expect(missing((0..<140).map { $0 % 14 == 5 || $0 % 7 < 5 ? 40 : 0 }).count == 0)
    }

    @Test func afterWeekdaysOfFourTripsItIsNoSurprise() {
        #expect(missing(weeks(4) + [0, 9]).event == nil)
        #expect(missing(weeks(5) + [0, 9]).count == 1)
    }

    @Test func beforeTheFirstAndAfterTheLastNothingIsMissing() {
        #expect(missing([0, 0] + weeks(9) + [0, 0]).count == 0)
        #expect(missing([]).count == 0)
        #expect(missing([0]).count == 0)
        #expect(missing([9, 0, 0, 9]).count == 0)
    }

    @Test func aFleetThatRestsOnTheSameDaysMissesNone() {
        #expect(missing((0..<70).map { $0 % 7 < 5 ? 40 : 0 }).count == 0)
    }

    @Test func aPauseOfMonthsIsReportedByItsFirstTwoWeeks() {
        let found = missing(weeks(9) + Array(repeating: 0, count: 90) + [9])
        #expect(found.count == 14)
        #expect(found.days.count == MissingDays.listedAtMost)
        #expect(offsets(found).last == 41)
        #expect(found.event?.sentence.contains("and 4 before them") == true)
    }
}
