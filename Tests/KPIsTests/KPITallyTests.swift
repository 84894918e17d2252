import KPIs
import TestSupport
import Testing
import Trips

/// The laws of tallies: whatever the order and the parts, the table is the same, and nearest rank is the rank of a
/// sorted list.
@Suite struct KPITallyTests {
    private static let shape = KPITally.Shape(regionCount: 3, tripTypeCount: 2, maximumIntervalSeconds: 86_400)

    private static func batch(_ rows: Int, _ random: inout SplitMix64) -> TripBatch {
        var batch = TripBatch(capacity: 256, textFields: [])
        batch.count = rows
        for row in 0..<rows {
            batch.status[row] = UInt8.random(in: 0...3, using: &random)
            let day = CivilDay.days(year: 2026, month: 1, day: 1) + Int32.random(in: 0...80, using: &random)
            batch.day[row] = day
            batch.month[row] = CivilDay(daysSince1970: day).month.index
            batch.region[row] = UInt8.random(in: 0...2, using: &random)
            batch.tripType[row] = UInt8.random(in: 0...1, using: &random)
            batch.sourcing[row] = UInt8.random(in: 0...2, using: &random)
            batch.warnings[row] = UInt32.random(in: 0...7, using: &random)
            batch.patientHashes[row] = Bool.random(using: &random) ? 0 : UInt64.random(in: 1...30, using: &random) << 50
            if Bool.random(using: &random) { batch.costCents[row] = Int.random(in: -500...90_000, using: &random) }
            if Bool.random(using: &random) { batch.loadedHundredths[row] = Int.random(in: 0...9000, using: &random) }
            for interval in batch.intervals.indices {
                batch.intervals[interval][row] = Int32.random(
                    in: -3...(Bool.random(using: &random) ? 900 : 86_400), using: &random)
            }
        }
        return batch
    }

    private static func text(_ tally: KPITally) -> String {
        let context = KPITally.TableContext(
            regions: NamedList(["North", "South"]), tripTypes: NamedList(["Routine"]), intervalPairs: [:])
        guard let table = tally.table(context) else { return "unknown" }
        let warnings = WarningCode.allCases.map { table.warnings[$0] ?? 0 }
        let latest = tally.latestDay().map(\.daysSince1970) ?? 0
        let codes = [table.regionCodes, table.tripTypeCodes]
        return "\(table.months) \(codes) \(table.cells) \(table.countsPatients) \(warnings) \(latest)"
    }

    private static func tally(_ batches: [TripBatch]) -> KPITally {
        var tally = KPITally(shape: shape)
        for batch in batches { tally.add(batch) }
        return tally
    }

    @Test func mergingHasAnIdentityAndNoOrderAndSubtractingUndoesIt() {
        var random = SplitMix64(seed: 0x7A11)
        for _ in 0..<FuzzPlan.iterations(25) {
            let batches = (0..<3).map { _ in Self.batch(Int.random(in: 0...256, using: &random), &random) }
            let whole = Self.text(Self.tally(batches))
            let parts = batches.map { Self.tally([$0]) }
            var left = parts[0]
            left.merge(parts[1])
            left.merge(parts[2])
            var right = parts[1]
            right.merge(parts[2])
            var first = parts[0]
            first.merge(right)
            right.merge(parts[0])
            #expect(Self.text(left) == whole)
            #expect(Self.text(first) == whole)
            #expect(Self.text(right) == whole)
            var same = left
            same.merge(KPITally(shape: Self.shape))
            #expect(Self.text(same) == whole)
            left.subtract(parts[1])
            var rest = parts[2]
            rest.merge(parts[0])
            #expect(Self.text(left) == Self.text(rest))
        }
    }

    @Test func percentilesAreRanksOfTheSortedList() throws {
        var random = SplitMix64(seed: 0x9E2C)
        for _ in 0..<FuzzPlan.iterations(40) {
            let batch = Self.batch(Int.random(in: 1...256, using: &random), &random)
            let context = KPITally.TableContext(
                regions: NamedList(["North", "South"]), tripTypes: NamedList(["Routine"]), intervalPairs: [:])
            let table = try #require(Self.tally([batch]).table(context))
            for cell in table.cells where cell.scope.month == nil {
                for interval in TripInterval.allCases {
                    let values = Self.values(batch, interval, cell.scope)
                    let statistics = cell.intervals[interval.rawValue]
                    #expect(statistics.used == values.count)
                    #expect(statistics.sumSeconds == values.reduce(0, +))
                    #expect(statistics.p50Seconds == Self.rank(50, values))
                    #expect(statistics.p90Seconds == Self.rank(90, values))
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
