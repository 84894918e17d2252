import Foundation
import KPIContract
import Reports
import Workbooks
import Testing

/// Writes workbooks and their JSON for `Tests/Tools/check_workbook.py`, where `TRIPKPI_WORKBOOK_SAMPLES` names a
/// folder.
@Suite("Workbook samples") struct WorkbookSampleTests {
    static let folder = ProcessInfo.processInfo.environment["TRIPKPI_WORKBOOK_SAMPLES"]

    @Test(.enabled(if: folder != nil)) func samplesAreWritten() throws {
        let folder = try #require(Self.folder)
        let year = (1...12).map { "2025-\($0 < 10 ? "0" : "")\($0)" } + ["2026-01", "2026-02", "2026-03"]
        let samples: [(String, KPISummaryV1, Bool)] = [
            ("shown", WorkbookFixture.summary(months: year), false),
            (
                "hidden",
                WorkbookFixture.summary(
                    months: year,
                    hiding: { $0.month == "2025-04" || ($0.month == "2025-07" && $0.region != "All") },
                    hidingSplit: { $0.month == "2025-09" || $0.month == "2025-10" }), false
            ),
            ("internal", WorkbookFixture.summary(), true),
        ]
        let accessible = WorkbookFixture.summary(months: year, hiding: { $0.month == "2025-04" })
        try WorkbookReport(
            summary: accessible, isInternal: false, runID: "run-0001", createdAt: 1_775_000_000, style: .accessible
        ).write(to: "\(folder)/accessible.xlsx")
        try Data(accessible.canonicalJSON()).write(to: URL(filePath: "\(folder)/accessible.json"))
        let real = try ReportFixture.report()
        try WorkbookReport(real, createdAt: 1_775_000_000).write(to: "\(folder)/real.xlsx")
        try Data(real.summary.canonicalJSON()).write(to: URL(filePath: "\(folder)/real.json"))
        for (name, summary, isInternal) in samples {
            let report = WorkbookReport(
                summary: summary, isInternal: isInternal, runID: "run-0001", createdAt: 1_775_000_000)
            try report.write(to: "\(folder)/\(name).xlsx")
            try Data(summary.canonicalJSON()).write(to: URL(filePath: "\(folder)/\(name).json"))
        }
    }
}
