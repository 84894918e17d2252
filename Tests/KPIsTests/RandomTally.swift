import Basics
import KPIs
import TestSupport
import Trips

/// Random trips of three months, their tallies, and a tally's table as a text to compare.
enum RandomTally {
    static let shape = KPITally.Shape(regionCount: 3, tripTypeCount: 2, maximumIntervalSeconds: 86_400)

    static func batch(_ rows: Int, _ random: inout SplitMix64) -> TripBatch {
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

    static func text(_ tally: KPITally) -> String {
        let context = KPITally.TableContext(
            regions: NamedList(["North", "South"]), tripTypes: NamedList(["Routine"]), intervalPairs: [:])
        guard let table = tally.table(context) else { return "unknown" }
        let warnings = WarningCode.allCases.map { table.warnings[$0] ?? 0 }
        let latest = tally.latestDay().map(\.daysSince1970) ?? 0
        let codes = [table.regionCodes, table.tripTypeCodes]
        return "\(table.months) \(codes) \(table.cells) \(table.countsPatients) \(warnings) \(latest)"
    }

    static func tally(_ batches: [TripBatch], shape: KPITally.Shape = shape) -> KPITally {
        var tally = KPITally(shape: shape)
        for batch in batches { tally.add(batch) }
        return tally
    }
}
