import Basics
import Foundation
import KPIContract
import Reports
import TestSupport
import Testing
import Workbooks

/// Workbooks of several kinds of summaries: the same bytes each time, with the summary's months in them. Where
/// `CHECK_WORKBOOK_SAMPLES` names a folder, they are written there with their JSON, for `Tests/Tools/check_reports.py`
/// and `check_reports.py`.
@Suite("Workbook samples") struct WorkbookSampleTests {
    private static let folder = ProcessInfo.processInfo.environment["CHECK_WORKBOOK_SAMPLES"]
    private static let year = (1...12).map { "2025-\($0 < 10 ? "0" : "")\($0)" } + ["2026-01", "2026-02", "2026-03"]

    @Test(arguments: ["shown", "hidden", "internal", "accessible", "real"])
    func aWorkbookIsTheSameEachTimeAndHasTheMonths(name: String) throws {
        let (report, summary) = try Self.sample(name)
        try TemporaryFolder.with { temporary in
            let folder = Self.folder ?? temporary.path
            try report.write(to: "\(folder)/\(name).xlsx")
            try Data(summary.canonicalJSON()).write(to: URL(filePath: "\(folder)/\(name).json"))
            let bytes = try Array(Data(contentsOf: URL(filePath: "\(folder)/\(name).xlsx")))
            try report.write(to: temporary.path(of: "again.xlsx"))
            #expect(try temporary.read("again.xlsx") == bytes)
            let archive = try WorkbookArchive(path: "\(folder)/\(name).xlsx")
            #expect(summary.months.count > 1 && summary.months.allSatisfy(archive.strings.contains))
        }
    }

    private static func sample(_ name: String) throws -> (report: WorkbookReport, summary: KPISummaryV1) {
        func made(
            _ summary: KPISummaryV1, isInternal: Bool = false, style: WorkbookStyle = .standard
        ) -> (report: WorkbookReport, summary: KPISummaryV1) {
            let report = WorkbookReport(
                summary: summary, isInternal: isInternal, runID: "run-0001",
                createdAt: UTCTime(secondsSince1970: 1_775_000_000), style: style)
            return (report, summary)
        }
        switch name {
        case "shown": return made(WorkbookFixture.summary(months: year))
        case "hidden":
            return made(
                WorkbookFixture.summary(
                    months: year,
                    hiding: { $0.month == "2025-04" || ($0.month == "2025-07" && $0.region != "All") },
                    hidingSplit: { $0.month == "2025-09" || $0.month == "2025-10" }))
        case "internal": return made(WorkbookFixture.summary(), isInternal: true)
        case "accessible":
            return made(
                WorkbookFixture.summary(months: year, hiding: { $0.month == "2025-04" }), style: .accessible)
        default:
            let report = try ReportFixture.report()
            return (WorkbookReport(report, createdAt: UTCTime(secondsSince1970: 1_775_000_000)), report.summary)
        }
    }
}
