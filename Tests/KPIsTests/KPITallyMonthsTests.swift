import Basics
import KPIs
import TestSupport
import Testing
import Trips

@Suite struct KPITallyMonthsTests {
    private static let march = Month(year: 2026, month: 3)
    private static let april = Month(year: 2026, month: 4)

    private static func batch(days: [String], patients: [UInt64] = [], warnings: UInt32 = 0) throws -> TripBatch {
        var batch = TripBatch(capacity: max(1, days.count), textFields: [])
        batch.count = days.count
        for (row, text) in days.enumerated() {
            let day = try #require(CivilDay(text))
            batch.day[row] = day.daysSince1970
            batch.month[row] = day.month.index
            batch.patientHashes[row] = row < patients.count ? patients[row] : 0
            batch.warnings[row] = warnings
            for interval in batch.intervals.indices { batch.intervals[interval][row] = 60 }
        }
        return batch
    }

    @Test func aTallyIsTheSumOfItsMonths() {
        var random = SplitMix64(seed: 0x304)
        for _ in 0..<FuzzPlan.iterations(15) {
            let tally = RandomTally.tally((0..<3).map { _ in RandomTally.batch(200, &random) })
            var sum = KPITally(shape: RandomTally.shape), rest = tally
            for month in tally.monthsMet {
                sum.merge(tally.only(month: month))
                #expect(tally.only(month: month).monthsMet == [month])
                rest.remove(month: month)
                #expect(!rest.monthsMet.contains(month))
            }
            #expect(RandomTally.text(sum) == RandomTally.text(tally))
            #expect(RandomTally.text(rest) == RandomTally.text(KPITally(shape: RandomTally.shape)))
            // What was removed can be put in again.
            rest.merge(tally)
            #expect(RandomTally.text(rest) == RandomTally.text(tally))
        }
    }

    @Test func daysWithoutTripsAreLeftOut() throws {
        var tally = RandomTally.tally([try Self.batch(days: ["2026-04-01", "2026-03-30", "2026-03-30", "2026-03-02"])])
        #expect(tally.tripsByDay().map { "\($0.day) \($0.trips)" } == ["2026-03-02 1", "2026-03-30 2", "2026-04-01 1"])
        #expect(tally.tripsByDay(in: Self.april...Self.april).map(\.trips) == [1])
        #expect(tally.latestDay() == CivilDay("2026-04-01"))
        #expect(tally.latestDay(in: Self.march...Self.march) == CivilDay("2026-03-30"))
        tally.subtract(RandomTally.tally([try Self.batch(days: ["2026-04-01"])]))
        #expect(tally.monthsMet == [Self.march])
    }

    @Test func aDayAfterTomorrowIsNotTheNewest() throws {
        let tally = RandomTally.tally([try Self.batch(days: ["2026-03-30", "2026-04-02", "2036-03-01"])])
        #expect(try tally.newestDay(on: #require(CivilDay("2026-04-01"))) == CivilDay("2026-04-02"))
        #expect(try tally.newestDay(on: #require(CivilDay("2026-03-31"))) == CivilDay("2026-03-30"))
        #expect(try tally.newestDay(on: #require(CivilDay("2026-01-01"))) == nil)
    }

    @Test func warningsAreThoseOfTheSelectedMonths() throws {
        let context = KPITally.TableContext(
            regions: NamedList(["North", "South"]), tripTypes: NamedList(["Routine"]), intervalPairs: [:])
        let bit = UInt32(1) << UInt32(WarningCode.badCost.index)
        let tally = RandomTally.tally([
            try Self.batch(days: ["2026-03-30", "2026-03-02"], warnings: bit),
            try Self.batch(days: ["2026-04-01"], warnings: bit),
        ])
        #expect(tally.table(context)?.warnings == [.badCost: 3])
        for (month, count) in [(Self.march, 2), (Self.april, 1)] {
            let table = tally.table(context, selection: KPISelection(months: month...month))
            #expect(table?.warnings == [.badCost: count])
        }
    }

    @Test func aMonthIsSureUntilTooManyPatientsWereTakenOut() throws {
        let shape = KPITally.Shape(
            regionCount: 3, tripTypeCount: 2, maximumIntervalSeconds: 86_400, patientSampleSize: 16)
        var random = SplitMix64(seed: 0x5E)
        let patients = (0..<100).map { _ in UInt64.random(in: 1...(.max), using: &random) }
        let all = try Self.batch(days: Array(repeating: "2026-03-05", count: 100), patients: patients)
        var tally = RandomTally.tally([all], shape: shape)
        #expect(tally.isSure(month: Self.march))
        let most = try Self.batch(days: Array(repeating: "2026-03-05", count: 95), patients: patients)
        tally.subtract(RandomTally.tally([most], shape: shape))
        #expect(!tally.isSure(month: Self.march))
        #expect(tally.isSure(month: Self.april))
        // A month without any trips left is sure of having no patients.
        let rest = try Self.batch(days: Array(repeating: "2026-03-05", count: 5), patients: Array(patients[95...]))
        tally.subtract(RandomTally.tally([rest], shape: shape))
        #expect(tally.isSure(month: Self.march))
    }
}
