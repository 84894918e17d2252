import Basics
import Foundation
import KPIContract
import Privacy
import Reports
import TestSupport
import Testing
import Trips

struct TableReportTests {
    @Test("No line is wider than 80 columns", arguments: [Audience.release, .staff])
    func width(audience: Audience) throws {
        var groups = ReportFixture.quarter()
        groups.regions = NamedList(["A region with a very long name indeed", "South"])
        groups.pairs[.duration] = EventPair(.unitNotified, .arrived)
        let text = TableReport(color: false).text(try ReportFixture.report(groups, audience: audience))
        #expect(text.components(separatedBy: "\n").allSatisfy { $0.count <= 80 })
    }

    @Test(
        "Long names that are cut stay apart",
        arguments: [
            ["Northern county, upper part", "Northern county, lower part"], ["County of A and B", "County of C and D"],
            ["One of the 4 regions of us", "One of the 5 regions of us"], ["County of A a", "County of A and B"],
        ])
    func longNames(names: [String]) throws {
        var groups = ReportFixture.quarter()
        groups.regions = NamedList(names)
        let text = TableReport(color: false).text(try ReportFixture.report(groups, audience: .staff))
        let table = try #require(text.components(separatedBy: "All months, by region").last)
        let shown = table.split(separator: "\n").filter { $0.dropFirst(14).hasPrefix("All ") }.map { $0.prefix(14) }
        #expect(Set(shown).count == shown.count && shown.count >= 3, "\(shown)")
        #expect(text.components(separatedBy: "\n").allSatisfy { $0.count <= 80 })
    }

    @Test("A region and type without any trip has no row, a region without any has its total")
    func blankRows() throws {
        let text = TableReport(color: false).text(try ReportFixture.report(audience: .staff))
        let rows = Self.rows(text)
        #expect(rows.contains(["North", "All"]) && rows.contains(["North", "Emergency"]))
        #expect(
            !rows.contains(["North", "Routine"]) && text.contains("without any trip are left out"))
    }

    @Test("Escapes are written only where colour is asked for, and never from a name")
    func escapes() throws {
        var groups = ReportFixture.quarter()
        groups.regions = NamedList(["\u{1B}[31mred", "South"])
        let report = try ReportFixture.report(groups)
        let plain = TableReport(color: false).text(report)
        #expect(!plain.contains("\u{1B}") && plain.contains("?[31mred"))
        #expect(TableReport(color: true).text(report).contains("\u{1B}[1m"))
    }

    @Test("An internal table is stamped at its head and foot")
    func stamp() throws {
        let lines = TableReport(color: false).text(try ReportFixture.report(audience: .staff))
            .components(separatedBy: "\n").dropLast()
        #expect(lines.first == SummaryReport.internalStamp && lines.last == SummaryReport.internalStamp)
        let released = TableReport(color: false).text(try ReportFixture.report())
        #expect(!released.contains("INTERNAL"))
    }

    @Test("Hidden values are marked and explained, and interval counts are said")
    func hidden() throws {
        var groups = ReportFixture.quarter()
        groups.add(1, month: ReportFixture.january) { $0.seconds = [:] }
        let text = TableReport(color: false).text(try ReportFixture.report(groups))
        #expect(text.contains("•") && text.contains("• not shown: fewer than 11 trips"))
        #expect(text.contains("Months withheld: 2026-03."))
        let open = TableReport(color: false).text(try ReportFixture.report(groups, audience: .staff))
        #expect(open.contains("161 used · 11 excluded"))
        #expect(!open.contains("•") && open.contains("read 190 = added 182"))
    }

    @Test("A withheld month is marked as hidden in each part, not as empty")
    func withheldMonth() throws {
        var groups = ReportFixture.quarter()
        groups.add(40, month: ReportFixture.january.advanced(by: 3), region: 1, tripType: 1) { $0.costCents = 100 }
        let summary = try ReportFixture.report(groups).summary
        #expect(summary.withheldMonths == ["2026-03"])
        let lines = TableReport(color: false).otherMeasures(summary, isOneMonth: false)
        #expect(lines.contains { $0.hasPrefix("Other measures") && $0.contains("2026-03") })
        let total = try #require(lines.first { $0.hasPrefix("Total cost") })
        #expect(total.split(separator: " ").suffix(2) == ["•", "$40.00"])
    }

    @Test("A trip type that is hidden whole is named below its region, not drawn as a row of dots")
    func hiddenParts() throws {
        var groups = ReportFixture.quarter()
        groups.add(7, month: ReportFixture.january, region: 1, tripType: 2)
        let text = TableReport(color: false).text(try ReportFixture.report(groups))
        #expect(!Self.rows(text).contains(["South", "Emergency"]) && Self.rows(text).contains(["•", "Emergency,"]))
    }

    @Test("Where the locale has no UTF-8 all is ASCII, and the columns stay where they are")
    func ascii() throws {
        let report = try ReportFixture.report()
        let plain = TableReport(color: false, ascii: true).text(report)
        let lines = plain.components(separatedBy: "\n")
        #expect(plain.utf8.allSatisfy { $0 < 0x80 })
        #expect(lines.map(\.count) == TableReport(color: false).text(report).components(separatedBy: "\n").map(\.count))
        #expect(plain.contains("* not shown:") && lines.contains { $0.hasPrefix("Trips by month    18  83 to 84") })
    }

    @Test("The latest month stands beside the month and the year before, the sums, and its sparkline")
    func comparison() throws {
        var groups = TripGroups()
        for offset in 0..<13 {
            groups.add(40 + offset, month: ReportFixture.january.advanced(by: offset - 12)) { $0.costCents = 1_000 }
        }
        let text = TableReport(color: false).text(try ReportFixture.report(groups, audience: .staff))
        let rows = text.components(separatedBy: "\n").map { $0.split(separator: " ").joined(separator: " ") }
        #expect(rows.contains("the month before, 2025-12 51 +1.96%"))
        #expect(rows.contains("the year before, 2025-01 40 +30.00%"))
        #expect(rows.contains("12 months to 2026-01 558 $5,580.00"))
        #expect(rows.contains("fiscal year 2026 to 2026-01 202 $2,020.00"))
        #expect(text.contains("Trips by month    ▁▁▂▂▃▃▄▅▅▆▆▇█  40 to 52"))
    }

    /// The first two words of each line.
    private static func rows(_ text: String) -> [[String]] {
        text.components(separatedBy: "\n").map { $0.split(separator: " ").prefix(2).map(String.init) }
    }
}
