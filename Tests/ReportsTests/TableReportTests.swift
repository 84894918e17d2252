import Foundation
import Privacy
import Reports
import TestSupport
import Testing
import Trips

struct TableReportTests {
    @Test("No line is wider than 80 columns", arguments: [DisclosureMode.suppressed, .internalUse])
    func width(mode: DisclosureMode) throws {
        var groups = ReportFixture.quarter()
        groups.regions = NamedList(["A region with a very long name indeed", "South"])
        groups.pairs[.duration] = EventPair(.unitNotified, .arrived)
        let text = TableReport(color: false).text(try ReportFixture.report(groups, mode: mode))
        #expect(text.components(separatedBy: "\n").allSatisfy { $0.count <= 80 })
    }

    @Test("A region and type without any trip has no row, a region without any has its total")
    func blankRows() throws {
        let text = TableReport(color: false).text(try ReportFixture.report())
        #expect(text.contains("North         All ") && text.contains("North         Emergency "))
        #expect(!text.contains("North         Routine ") && text.contains("without any trip are left out"))
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
        let lines = TableReport(color: false).text(try ReportFixture.report(mode: .internalUse))
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
        #expect(text.contains("•") && text.contains("• hidden: a count from 1 to 10"))
        #expect(text.contains("Months withheld: 2026-03."))
        let open = TableReport(color: false).text(try ReportFixture.report(groups, mode: .internalUse))
        #expect(open.contains("161 used · 11 excluded"))
        #expect(!open.contains("•") && open.contains("read 190 = added 182"))
    }
}
