import Files
import Foundation
import KPIContract
import Privacy
import Reports
import Workbooks
import TestSupport
import Testing
import Trips

@Suite("Workbook") struct WorkbookReportTests {
    private static func report(_ summary: KPISummaryV1, isInternal: Bool = false) -> WorkbookReport {
        WorkbookReport(summary: summary, isInternal: isInternal, runID: "run-0001", createdAt: 1_775_000_000)
    }

    private static func archive(_ summary: KPISummaryV1, isInternal: Bool = false) throws -> WorkbookArchive {
        try withWorkbookFolder { folder in
            try report(summary, isInternal: isInternal).write(to: folder + "/kpis.xlsx")
            return try WorkbookArchive(path: folder + "/kpis.xlsx")
        }
    }

    @Test func twoWritesGiveTheSameBytes() throws {
        try withWorkbookFolder { folder in
            let summary = WorkbookFixture.summary(hiding: { $0.month == "2026-02" })
            try Self.report(summary).write(to: folder + "/a.xlsx")
            Thread.sleep(forTimeInterval: 1.1)
            try Self.report(summary).write(to: folder + "/b.xlsx")
            let first = try Data(contentsOf: URL(filePath: folder + "/a.xlsx"))
            #expect(try first == Data(contentsOf: URL(filePath: folder + "/b.xlsx")))
            #expect(first.count > 10_000)
        }
    }

    @Test func theEpochItselfIsNotTakenForNow() throws {
        try withWorkbookFolder { folder in
            let summary = WorkbookFixture.summary()
            try WorkbookReport(summary: summary, isInternal: false, runID: "r", createdAt: 0).write(
                to: folder + "/a.xlsx")
            let core = try WorkbookArchive(path: folder + "/a.xlsx").parts["docProps/core.xml"]
            #expect(core?.contains("1970-01-01T00:00:01Z") == true)
        }
    }

    @Test func theFileIsPrivateAndAloneInItsFolder() throws {
        try withWorkbookFolder { folder in
            let path = folder + "/kpis.xlsx"
            try Data("old".utf8).write(to: URL(filePath: path))
            try Self.report(WorkbookFixture.summary()).write(to: path)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["kpis.xlsx"])
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
        }
    }

    @Test func aFolderThatIsMissingIsAnErrorThatNamesIt() throws {
        let report = Self.report(WorkbookFixture.summary())
        let error = #expect(throws: FileError.self) { try report.write(to: "/nonexistent/folder/kpis.xlsx") }
        #expect(error?.failureKind == .cannotCreate)
        #expect(error?.description.contains("/nonexistent/folder") == true)
    }

    @Test func aTargetThatCannotBeReplacedLeavesNoDraftBehind() throws {
        try withWorkbookFolder { folder in
            try FileManager.default.createDirectory(
                atPath: folder + "/kpis.xlsx/inside", withIntermediateDirectories: true)
            let report = Self.report(WorkbookFixture.summary())
            let error = #expect(throws: FileError.self) { try report.write(to: folder + "/kpis.xlsx") }
            #expect(error?.failureKind == .cannotCreate)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["kpis.xlsx"])
        }
    }

    @Test func totalsAreFormulasWithCachedValues() throws {
        let summary = WorkbookFixture.summary()
        let sheet = try Self.archive(summary).sheet(2)
        #expect(sheet.contains("<f>SUM(B9:B11)</f><v>\(summary.totalTrips)</v>"))
        #expect(sheet.contains("<f>ROUND(SUM(I9:I11),2)</f>"))
        #expect(sheet.contains("<f>ROUND(100*E9/(E9+F9),0)/100</f>"))
    }

    @Test func noFormulaTouchesAColumnWithAHiddenValue() throws {
        let archive = try Self.archive(WorkbookFixture.summary(hiding: { $0.month == "2026-02" }))
        let sums = archive.formulas.filter { $0.contains("SUM(B9:B11)") || $0.contains("SUMIFS") }
        #expect(sums.isEmpty)
        #expect(archive.strings.contains("<t>hidden</t>"))
    }

    @Test func hiddenSplitsLeaveTripsAndTotalCostAsFormulas() throws {
        let archive = try Self.archive(WorkbookFixture.summary(hidingSplit: { $0.month == "2026-02" }))
        let sheet = archive.sheet(2)
        #expect(sheet.contains("<f>SUM(B9:B11)</f>"))
        #expect(!sheet.contains("SUM(E9:E11)"))
        #expect(!sheet.contains("ROUND(100*E10/"))
    }

    @Test func aTotalThatDoesNotAddUpIsWrittenAsPublished() throws {
        var summary = WorkbookFixture.summary()
        summary.cells[0].totalCost = summary.cells[0].totalCost.map { Cents(cents: $0.cents + 1) }
        let sheet = try Self.archive(summary).sheet(2)
        #expect(sheet.contains("<f>SUM(") && !sheet.contains("SUM(I9:I11)"))
    }

    @Test func textThatLooksLikeAFormulaStaysText() throws {
        let archive = try Self.archive(WorkbookFixture.summary(ruleName: "=1+1&\"<x>\u{0}"))
        #expect(archive.strings.contains("=1+1&amp;\"&lt;x&gt;\u{FFFD}"))
        #expect(archive.formulas.count > 10 && !archive.formulas.contains { $0.contains("1+1") })
    }

    @Test func everySheetIsStampedWhenInternal() throws {
        let archive = try Self.archive(WorkbookFixture.summary(), isInternal: true)
        #expect(archive.sheets.count > 5)
        #expect(archive.sheets.allSatisfy { $0.contains("<oddHeader>&amp;C&amp;\"Calibri,Bold\"&amp;12INTERNAL") })
        #expect(archive.strings.contains(SummaryReport.internalStamp))
        #expect(try !Self.archive(WorkbookFixture.summary()).everything.contains("INTERNAL"))
    }

    @Test func everySheetIsSetUpForPrint() throws {
        let sheets = try Self.archive(WorkbookFixture.summary()).sheets
        #expect(sheets.count > 5)
        for sheet in sheets {
            #expect(sheet.contains("orientation=\"landscape\""))
            #expect(sheet.contains("fitToHeight=\"0\""))
            #expect(sheet.contains("<oddFooter>&amp;L&amp;8Run run-0001"))
            #expect(sheet.contains("state=\"frozen"))
        }
    }

    @Test func propertiesNameTheRunAndNobody() throws {
        let archive = try Self.archive(WorkbookFixture.summary())
        let custom = archive.parts["docProps/custom.xml"] ?? ""
        #expect(custom.contains("tripkpi run id") && custom.contains("run-0001") && custom.contains(">1.0<"))
        #expect(archive.parts["docProps/core.xml"]?.contains("<dc:creator></dc:creator>") == true)
    }

    @Test func chartsSayInWordsWhatTheyShow() throws {
        let archive = try Self.archive(WorkbookFixture.summary(hiding: { $0.month == "2026-02" }))
        let drawings = (1...2).compactMap { archive.parts["xl/drawings/drawing\($0).xml"] }
        #expect(drawings.count == 2)
        #expect(drawings.allSatisfy { $0.contains("descr=\"") && $0.contains("2026-02") })
    }

    @Test func aHiddenMonthIsAGapInTheChart() throws {
        let archive = try Self.archive(WorkbookFixture.summary(hiding: { $0.month == "2026-02" }))
        let chart = try #require(archive.parts["xl/charts/chart1.xml"])
        #expect(chart.contains("Comparisons!$N$"))
        #expect(!chart.contains("hidden</c:v></c:pt></c:numCache>"))
        #expect(archive.strings.contains("<t>2026-02 hidden</t>"))
    }

    @Test func theNoteOnHiddenMonthsStandsAboveTheLegends() throws {
        try withWorkbookFolder { folder in
            let report = try ReportFixture.report()
            try WorkbookReport(report, createdAt: 1).write(to: folder + "/kpis.xlsx")
            let archive = try WorkbookArchive(path: folder + "/kpis.xlsx")
            let texts = archive.strings.components(separatedBy: "<si>").dropFirst()
            for text in ["A month that is hidden is a gap in the chart", "Marked ^"] {
                let place = try #require(texts.firstIndex { $0.contains(text) }) - texts.startIndex
                #expect(archive.sheet(3).contains("t=\"s\"><v>\(place)</v>"), "\(text)")
            }
        }
    }

    @Test func sumsOverMonthsAreFormulasWhereAllMonthsAreThere() throws {
        // January 2025 to January 2026, each month a trip more than the one before; the small one is withheld.
        func formulas(small: Int? = nil) throws -> [String] {
            try withWorkbookFolder { folder in
                var groups = TripGroups()
                for offset in 0..<13 {
                    let month = Month(year: 2025, month: 1).advanced(by: offset)
                    groups.add(offset == small ? 5 : 40 + offset, month: month) { $0.costCents = 1_000 }
                }
                try WorkbookReport(try ReportFixture.report(groups), createdAt: 1).write(to: folder + "/kpis.xlsx")
                return try WorkbookArchive(path: folder + "/kpis.xlsx").formulas
            }
        }
        let shown = try formulas()
        #expect(shown.contains("SUM(B5:B16)") && shown.contains("ROUND(SUM(C5:C16),2)"))
        #expect(shown.contains("B5") && shown.contains("ROUND((B6-D6)/D6,4)"))
        // October to January.
        #expect(shown.contains("SUM(B14:B17)") && shown.contains("ROUND(SUM(C14:C17),2)"))
        let gap = try formulas(small: 10)
        #expect(!gap.isEmpty && !gap.contains { $0.contains("SUM(B") && $0.contains("B17") })
    }

    @Test func keyFiguresHaveNames() throws {
        let workbook = try #require(Self.archive(WorkbookFixture.summary()).parts["xl/workbook.xml"])
        for name in ["Total_trips", "In_house_share", "Total_cost", "Cost_per_trip", "Average_duration"] {
            #expect(workbook.contains("<definedName name=\"\(name)\">"))
        }
    }

    /// Month, region and trip type stand on each page of the widest sheet, whose figures do not go on one.
    @Test func theWidestSheetIsPrintedOnTwoPagesBesideItsNames() throws {
        let parts = try Self.archive(WorkbookFixture.summary()).parts
        let titles = try #require(parts["xl/workbook.xml"]).components(separatedBy: "_xlnm.Print_Titles")
        #expect(titles.filter { $0.contains("'Region × type'!$A:$C,") }.count == 1)
        let wide = parts.values.filter { $0.contains("fitToWidth=\"2\"") }
        #expect(wide.count == 1)
    }

    @Test func nothingIsDrawnWhereEverySplitIsHidden() throws {
        let archive = try Self.archive(WorkbookFixture.summary(hidingSplit: { _ in true }))
        #expect(archive.parts["xl/charts/chart1.xml"] != nil)
        #expect(archive.parts["xl/charts/chart2.xml"] == nil)
    }

    @Test func aReportWithoutTripsIsStillAWorkbook() throws {
        var summary = WorkbookFixture.summary()
        summary.cells = []
        let archive = try Self.archive(summary)
        #expect(archive.strings.contains("No trips in this report."))
    }

    @Test(arguments: [Audience.release, .staff])
    func takesWhatDisclosureControlPublishes(audience: Audience) throws {
        try withWorkbookFolder { folder in
            let report = try ReportFixture.report(audience: audience)
            try WorkbookReport(report, createdAt: 1_775_000_000).write(to: folder + "/kpis.xlsx")
            let archive = try WorkbookArchive(path: folder + "/kpis.xlsx")
            #expect(archive.strings.contains("<t>hidden</t>") == (audience == .release))
            #expect(archive.strings.contains(SummaryReport.internalStamp) == (audience == .staff))
        }
    }
}
