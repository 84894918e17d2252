import Basics
import KPIContract
import Privacy
import Reports
import TestSupport
import Testing
import Trips

struct RestatementsTests {
    private static let first = "2026-04-01T12:00:00Z"
    private static let second = "2026-04-02T12:00:00Z"
    private static let third = "2026-04-03T12:00:00Z"

    /// A document of months with so many trips each, of $10 each; fewer than 11 are hidden.
    private func summary(_ trips: [String: Int]) throws -> KPISummaryV1 {
        var groups = TripGroups()
        for (text, count) in trips.sorted(by: { $0.key < $1.key }) {
            groups.add(count, month: try #require(Month(text))) { $0.costCents = 1_000 }
        }
        return try ReportFixture.report(groups).summary
    }

    /// The new document as it is published after `previous`.
    private func next(
        _ trips: [String: Int], after previous: KPISummaryV1?, at generatedAt: String = second
    ) throws -> KPISummaryV1 {
        var next = try summary(trips)
        next.restatements = SummaryReport.restatements(
            previous: previous, cells: next.cells, generatedAt: generatedAt)
        return next
    }

    @Test("Nothing published before, the same figures, and new months restate nothing")
    func none() throws {
        let old = try next(["2026-01": 40, "2026-02": 50], after: nil)
        #expect(old.restatements == [])
        #expect(try next(["2026-01": 40, "2026-02": 50], after: old).restatements == [])
        #expect(try next(["2026-01": 40, "2026-02": 50, "2026-03": 60], after: old).restatements == [])
    }

    @Test("A changed month has its figures before and after")
    func changed() throws {
        let old = try next(["2026-01": 40, "2026-02": 50], after: nil)
        let new = try next(["2026-01": 43, "2026-02": 50], after: old)
        let restatement = try #require(new.restatements?.first)
        #expect(new.restatements?.count == 1)
        #expect(restatement.month == "2026-01" && restatement.restatedAt == Self.second)
        #expect(restatement.before.trips == 40 && restatement.before.totalCost == Cents(cents: 40_000))
        #expect(restatement.after.trips == 43 && restatement.after.costPerTrip == Cents(cents: 1_000))
    }

    /// What is loaded of it each night is no correction; nor is its last night, after which it is over.
    @Test func aMonthUnderWayIsNeverRestated() throws {
        func summary(_ trips: Int, open: Bool, after previous: KPISummaryV1?) throws -> KPISummaryV1 {
            var groups = TripGroups()
            groups.add(40, month: ReportFixture.january) { $0.costCents = 1_000 }
            groups.add(trips, month: ReportFixture.january.advanced(by: 1)) { $0.costCents = 1_000 }
            var facts = ReportFixture.facts
            facts.firstOpenMonth = open ? ReportFixture.january.advanced(by: 1) : nil
            facts.previousSummary = previous
            return try ReportFixture.report(groups, audience: .staff, facts: facts).summary
        }
        let first = try summary(20, open: true, after: nil)
        let second = try summary(30, open: true, after: first)
        let third = try summary(40, open: false, after: second)
        #expect([first, second, third].allSatisfy { $0.restatements == [] })
        #expect(try summary(41, open: false, after: third).restatements?.map(\.month) == ["2026-02"])
    }

    @Test("An entry is carried forward until the month changes again, and publishing twice changes nothing")
    func carried() throws {
        let old = try next(["2026-01": 40, "2026-02": 50], after: nil)
        let restated = try next(["2026-01": 43, "2026-02": 50], after: old)
        let later = try next(["2026-01": 43, "2026-02": 50], after: restated, at: Self.third)
        #expect(later.restatements == restated.restatements)
        let again = try next(["2026-01": 44, "2026-02": 51], after: later, at: Self.third)
        #expect(again.restatements?.map(\.month) == ["2026-01", "2026-02"])
        #expect(again.restatements?.map(\.restatedAt) == [Self.third, Self.third])
        #expect(again.restatements?.first?.before.trips == 43)
        #expect(try next(["2026-01": 44, "2026-02": 51], after: again, at: Self.third) == again)
    }

    @Test("That a figure is hidden in one of two sets is no change of the month")
    func hiddenInOne() throws {
        let old = try next(["2026-01": 40], after: nil)
        var new = old
        for index in new.cells.indices where new.cells[index].month == "2026-01" { new.cells[index].totalCost = nil }
        #expect(SummaryReport.restatements(previous: old, cells: new.cells, generatedAt: Self.second) == [])
        #expect(SummaryReport.restatements(previous: new, cells: old.cells, generatedAt: Self.second) == [])
    }

    @Test("A month that was withheld is new when it is shown, and gone when it is withheld again")
    func hidden() throws {
        let old = try next(["2026-01": 40, "2026-02": 5], after: nil)
        #expect(try next(["2026-01": 40, "2026-02": 7], after: old).restatements == [])
        #expect(try next(["2026-01": 40, "2026-02": 50], after: old).restatements == [])
        let hidden = try #require(try next(["2026-01": 4, "2026-02": 30], after: old).restatements?.first)
        #expect(hidden.month == "2026-01" && hidden.before.trips == 40 && hidden.after == .init())
    }

    @Test("A month that is gone has no figures after, and stays told; one that comes back is new")
    func gone() throws {
        let old = try next(["2026-01": 40, "2026-02": 50], after: nil)
        let gone = try next(["2026-02": 50], after: old)
        #expect(gone.restatements?.map(\.month) == ["2026-01"])
        #expect(gone.restatements?.first?.after == .init())
        #expect(try next(["2026-02": 50], after: gone, at: Self.third).restatements == gone.restatements)
        #expect(try next(["2026-01": 40, "2026-02": 50], after: gone, at: Self.third).restatements == [])
    }

    @Test("A document from before the key was added is compared like any other")
    func oldDocument() throws {
        var old = try summary(["2026-01": 40])
        old.restatements = nil
        #expect(try next(["2026-01": 41], after: old).restatements?.map(\.month) == ["2026-01"])
    }

    @Test("The report compares with the summary in its facts, and the table says it in words")
    func report() throws {
        var facts = ReportFixture.facts
        facts.previousSummary = try ReportFixture.before().summary
        let report = try ReportFixture.report(audience: .staff, facts: facts)
        Snapshot.expect(
            String(decoding: JSONReport().bytes(report), as: UTF8.self), matches: "summary-restated.json")
        let table = TableReport(color: false).text(report)
        Snapshot.expect(table, matches: "table-restated.txt")
        #expect(table.contains("Restated since published"))
        #expect(table.contains("2025-12, on 2026-04-01: trips                                 11               –"))
        #expect(try !TableReport(color: false).text(ReportFixture.report()).contains("Restated"))
    }

    @Test("Missing days are those of shown months, at most 31 of them, and may be unknown")
    func missingDays() throws {
        let quality = try ReportFixture.report(audience: .staff).summary.quality
        #expect(quality.missingDayCount == 3 && quality.missingDays?.first == "2026-01-05")
        var facts = ReportFixture.facts
        let start = try #require(CivilDay(year: 2026, month: 1, day: 1))
        facts.missingDays = (0..<40).map { CivilDay(daysSince1970: start.daysSince1970 + $0) }
        let capped = try ReportFixture.report(audience: .staff, facts: facts).summary.quality
        #expect(capped.missingDayCount == 40 && capped.missingDays?.count == 31)
        facts.missingDays = nil
        let unknown = try ReportFixture.report(audience: .staff, facts: facts).summary.quality
        #expect(unknown.missingDayCount == nil && unknown.missingDays == nil)
        #expect(unknown.exports == .init(loaded: 4, failed: 1, waived: 2))
    }
}
