import KPIContract
import KPIs
import TestSupport
import Testing
import Trips

/// The laws of tallies: whatever the order and the parts, the table is the same, and nearest rank is the rank of a
/// sorted list.
@Suite struct KPITallyTests {
    @Test func theCountsOfCasesAreThoseOfTheTypes() {
        #expect(KPITally.intervalCount == TripInterval.allCases.count)
        #expect(KPITally.warningCount == WarningCode.allCases.count)
        #expect(KPITally.populationCount == TripPopulation.allCases.count)
    }

    @Test func mergingHasAnIdentityAndNoOrderAndSubtractingUndoesIt() {
        var random = SplitMix64(seed: 0x7A11)
        for _ in 0..<FuzzPlan.iterations(25) {
            let batches = (0..<3).map { _ in RandomTally.batch(Int.random(in: 0...256, using: &random), &random) }
            let whole = RandomTally.text(RandomTally.tally(batches))
            let parts = batches.map { RandomTally.tally([$0]) }
            var left = parts[0]
            left.merge(parts[1])
            left.merge(parts[2])
            var right = parts[1]
            right.merge(parts[2])
            var first = parts[0]
            first.merge(right)
            right.merge(parts[0])
            #expect(RandomTally.text(left) == whole)
            #expect(RandomTally.text(first) == whole)
            #expect(RandomTally.text(right) == whole)
            var same = left
            same.merge(KPITally(shape: RandomTally.shape))
            #expect(RandomTally.text(same) == whole)
            left.subtract(parts[1])
            var rest = parts[2]
            rest.merge(parts[0])
            #expect(RandomTally.text(left) == RandomTally.text(rest))
        }
    }

    @Test func percentilesAreRanksOfTheSortedList() throws {
        var random = SplitMix64(seed: 0x9E2C)
        for _ in 0..<FuzzPlan.iterations(40) {
            let batch = RandomTally.batch(Int.random(in: 1...256, using: &random), &random)
            let context = KPITally.TableContext(
                regions: NamedList(["North", "South"]), tripTypes: NamedList(["Routine"]), intervalPairs: [:])
            let table = try #require(RandomTally.tally([batch]).table(context))
            for cell in table.cells where cell.scope.month == nil {
                for interval in TripInterval.allCases {
                    let values = Self.values(batch, interval, cell.scope)
                    let statistics = cell.intervals[interval.rawValue]
                    #expect(statistics.used == values.count)
                    #expect(statistics.sumSeconds == values.reduce(0, +))
                    #expect(statistics[.p50] == Self.rank(50, values))
                    #expect(statistics[.p90] == Self.rank(90, values))
                }
            }
        }
    }

    /// The seconds of an interval over the completed trips of a scope, sorted.
    private static func values(_ batch: TripBatch, _ interval: TripInterval, _ scope: CellScope) -> [Int] {
        var values: [Int] = []
        for row in 0..<batch.count where batch.status[row] == 0 {
            if let region = scope.region, region != batch.region[row] { continue }
            if let tripType = scope.tripType, tripType != batch.tripType[row] { continue }
            let seconds = batch.intervals[interval.rawValue][row]
            if seconds >= 0 { values.append(Int(seconds)) }
        }
        return values.sorted()
    }

    private static func rank(_ percent: Int, _ values: [Int]) -> Int? {
        values.isEmpty ? nil : values[(values.count * percent + 99) / 100 - 1]
    }
}
