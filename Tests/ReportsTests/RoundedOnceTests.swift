import Basics
import KPIContract
import Privacy
import Reports
import TestSupport
import Testing
import Trips
import Workbooks

/// 260 of 428 is 60.748 per cent: 60.7, and not 60.8 as its four decimals, 0.6075, would round to.
struct RoundedOnceTests {
    private static func report(_ audience: Audience = .staff) throws -> SummaryReport {
        var groups = TripGroups()
        groups.add(260, month: ReportFixture.january) { $0.costCents = 50_000 }
        groups.add(168, month: ReportFixture.january) {
            $0.sourcing = .contracted
            $0.costCents = 60_000
        }
        return try ReportFixture.report(groups, audience: audience)
    }

    @Test(arguments: [Audience.staff, .release])
    func aShareIsRoundedOnceInEveryText(audience: Audience) throws {
        let report = try Self.report(audience)
        let terminal = TableReport(color: false).text(report)
        let markdown = String(decoding: MarkdownReport().bytes(report), as: UTF8.self)
        let sentences = try #require(report.summary.headline).sentences.joined()
        for text in [terminal, markdown, sentences] {
            #expect(text.contains("60.7%") && !text.contains("60.8%"), "\(text)")
        }
        // The files keep the four decimals.
        #expect(report.summary.cells.first?.inHouseShare == Share(tenThousandths: 6075))
    }

    @Test func theWorkbooksHoldTheShareOfTheCounts() throws {
        let report = try Self.report()
        let archive = try withWorkbookFolder { folder in
            try WorkbookReport(report, createdAt: UTCTime(secondsSince1970: 1_775_000_000)).write(
                to: folder + "/kpis.xlsx")
            return try WorkbookArchive(path: folder + "/kpis.xlsx")
        }
        #expect(archive.everything.contains("<v>0.607</v>") && !archive.everything.contains("<v>0.6075</v>"))
        let costs = try withWorkbookFolder { folder in
            try CostWorkbook(report, ledger: nil, months: nil, createdAt: UTCTime(secondsSince1970: 1_775_000_000))
                .write(to: folder + "/c.xlsx")
            return try WorkbookArchive(path: folder + "/c.xlsx")
        }
        #expect(costs.everything.contains("<v>0.607</v>") && !costs.everything.contains("<v>0.6075</v>"))
    }

    @Test func aShareOfRoundedSumsKeepsItsFourDecimals() {
        #expect(FigureFormat.share.shown(6075) == "60.75%")
        #expect(FigureFormat.share.shown(5500) == "55.0%")
        #expect(FigureFormat.share.shown(-25) == "-0.25%")
    }
}
