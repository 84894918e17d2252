import Basics
import Foundation
import KPIContract
import Reports
import Testing
import Workbooks

/// The accessible workbook as XML; `Tests/Tools/check_reports.py` holds it to the checklist line by line.
@Suite struct AccessibleWorkbookTests {
    private static func archive(
        _ summary: KPISummaryV1 = WorkbookFixture.summary(hiding: { $0.month == "2026-02" }), isInternal: Bool = false
    ) throws -> WorkbookArchive {
        try withWorkbookFolder { folder in
            let report = WorkbookReport(
                summary: summary, isInternal: isInternal, runID: "run-0001",
                createdAt: UTCTime(secondsSince1970: 1_775_000_000),
                style: .accessible)
            try report.write(to: folder + "/kpis.xlsx")
            return try WorkbookArchive(path: folder + "/kpis.xlsx")
        }
    }

    @Test func nothingIsInItThatAScreenReaderStumblesOver() throws {
        let archive = try Self.archive()
        #expect(archive.sheets.count > 6)
        for sheet in archive.sheets {
            for word in ["<pane", "<autoFilter", "<mergeCell", "<drawing", "<headerFooter", "<conditionalFormatting"] {
                #expect(!sheet.contains(word), "\(word)")
            }
        }
        #expect(!archive.parts.keys.contains { $0.contains("drawing") || $0.contains("chart") })
        let tables = archive.parts.filter { $0.key.contains("tables/") }.values
        #expect(tables.count > 4 && !tables.contains { $0.contains("<autoFilter") })
        #expect(archive.parts["xl/styles.xml"]?.contains("patternType=\"solid\"") == false)
    }

    @Test func everySheetButTheCoverHasOneTable() throws {
        let archive = try Self.archive()
        #expect(
            archive.sheets.map { $0.contains("<tableParts count=\"1\">") } == [false]
                + Array(repeating: true, count: archive.sheets.count - 1))
    }

    @Test func everySheetIsStampedInItsCellsWhenInternal() throws {
        let archive = try Self.archive(isInternal: true)
        // The stamp is one shared string, and each sheet has a cell of it.
        let strings = archive.strings.components(separatedBy: "<si>").dropFirst()
        let stamp =
            try #require(strings.firstIndex { $0.contains(SummaryReport.internalStamp + "</t>") }) - strings.startIndex
        #expect(archive.sheets.count > 3)
        #expect(archive.sheets.allSatisfy { $0.contains("t=\"s\"><v>\(stamp)</v>") })
    }

    @Test func aSummaryWithoutTripsIsStillAWorkbook() throws {
        var summary = WorkbookFixture.summary()
        summary.cells = []
        summary.restatements = []
        #expect(try Self.archive(summary).sheets.count >= 4)
    }
}
