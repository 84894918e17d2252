import Basics
import KPIContract
import KPIs
import Privacy
import Reports
import TestSupport
import Trips

/// A made-up quarter: three months, of which March is withheld, and figures of every sort that can be hidden.
enum ReportFixture {
    static let january = Month(year: 2026, month: 1)

    static func quarter() -> TripGroups {
        var groups = TripGroups()
        for (offset, month) in [january, january.advanced(by: 1)].enumerated() {
            groups.add(40 + offset, month: month, region: 1, tripType: 1) {
                $0.costCents = 41_250
                $0.loadedHundredths = 1_234
                $0.unloadedHundredths = 517
                $0.seconds = [.duration: 3_492, .response: 605, .turnout: 61, .scene: 900, .transport: 1_201]
                $0.cancelled = 12
                $0.noShow = 3
            }
            groups.add(25, month: month, region: 2, tripType: 2) {
                $0.sourcing = .contracted
                $0.costCents = 98_765
                $0.loadedHundredths = 2_500
                $0.seconds = [.duration: 5_400, .response: 1_800]
            }
            groups.add(3, month: month, region: 2, tripType: 2) { $0.sourcing = .contracted }
            groups.add(15, month: month, region: 2, tripType: 0) { $0.seconds = [.duration: 60] }
        }
        groups.add(4, month: january.advanced(by: 2), region: 2, tripType: 2) {
            $0.sourcing = .contracted
            $0.costCents = 50_000
        }
        groups.warnings = [.badCost: 7, .intervalMissing: 40]
        return groups
    }

    static var facts: RunStatement {
        var counts = ReadCounts()
        counts.read = 190
        counts.added = 182
        counts.superseded = 3
        counts.rejected = 5
        return RunStatement(
            generatedAt: UTCTime(secondsSince1970: 1_775_044_800), runID: "run-0001",
            dataThrough: CivilDay(year: 2026, month: 3, day: 30), dateBasis: "local dates of America/Chicago",
            counts: counts, rulesName: "standard", rulesVersion: String(repeating: "0", count: 64),
            exports: .init(loaded: 4, failed: 1, waived: 2),
            missingDays: [
                CivilDay(year: 2026, month: 1, day: 5), CivilDay(year: 2026, month: 1, day: 6),
                CivilDay(year: 2026, month: 3, day: 2),
            ].compactMap(\.self))
    }

    /// The quarter as it was published first: with fewer trips in January, and another December.
    static func before() throws -> SummaryReport {
        var groups = quarter()
        groups.add(11, month: january.advanced(by: -1), region: 1, tripType: 1) { $0.costCents = 10_000 }
        groups.groups.removeFirst()
        groups.add(38, month: january, region: 1, tripType: 1) { $0.costCents = 41_250 }
        return try report(groups)
    }

    static func report(
        _ groups: TripGroups = quarter(), audience: Audience = .release, facts: RunStatement = facts,
        missingCounts: MissingCountPolicy = .publish
    ) throws -> SummaryReport {
        SummaryReport(try publishable(groups, audience, missingCounts), facts: facts)
    }

    static func publishable(
        _ groups: TripGroups, _ audience: Audience = .release, _ missingCounts: MissingCountPolicy = .publish
    ) throws -> Publishable {
        if audience == .staff { return try Publishable(forStaff: groups.table()) }
        let tally = groups.tally(), rule = PartitionRule()
        return try Publishable(
            releasing: tally.monthsMet.map { ReleasedMonth(month: $0, partition: rule.partition(of: $0, in: tally)) },
            tally: tally, withholding: [], context: groups.context, missingCounts: missingCounts)
    }
}
