import Basics
import Files
import Foundation
import KPIContract
import Privacy
import Reports
import TestSupport
import Testing
import Trips
import Workbooks

@Suite("Workbook") struct WorkbookReportTests {
    private static func report(_ summary: KPISummaryV1, isInternal: Bool = false) -> WorkbookReport {
        WorkbookReport(
            summary: summary, isInternal: isInternal, runID: "run-0001",
            createdAt: UTCTime(secondsSince1970: 1_775_000_000))
    }

    private static func archive(_ summary: KPISummaryV1, isInternal: Bool = false) throws -> WorkbookArchive {
        try withWorkbookFolder { folder in
            try report(summary, isInternal: isInternal).write(to: folder + "/kpis.xlsx")
            return try WorkbookArchive(path: folder + "/kpis.xlsx")
        }
    }

    /// A spreadsheet takes `_x0041_` for an A.
    @Test func aTextThatLooksLikeAnEscapeStaysItself() throws {
        try withWorkbookFolder { folder in
            let summary = WorkbookFixture.summary(hiding: { $0.month == "2026-02" })
            try WorkbookReport(
                summary: summary, isInternal: false, runID: "_x0041_x0042_",
                createdAt: UTCTime(secondsSince1970: 1_775_000_000)
            )
            .write(to: folder + "/a.xlsx")
            let parts = try WorkbookArchive(path: folder + "/a.xlsx").parts.values.joined()
            #expect(parts.contains("_x005F_x0041_x005F_x0042_") && !parts.contains(">_x0041_"))
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
            try WorkbookReport(summary: summary, isInternal: false, runID: "r", createdAt: UTCTime(secondsSince1970: 0))
                .write(
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
        let archive = try Self.archive(summary)
        #expect(archive.sheet(3).contains("<f>SUM(B6:B8)</f><v>\(summary.totalTrips)</v>"))
        #expect(archive.sheet(3).contains("<f>ROUND(SUM(F6:F8),2)</f>"))
        #expect(archive.sheet(5).contains("<f>ROUND(1000*B10/(B10+C10),0)/1000</f>"))
    }

    @Test func noFormulaTouchesAColumnWithAHiddenValue() throws {
        let archive = try Self.archive(WorkbookFixture.summary(hiding: { $0.month == "2026-02" }))
        let sums = archive.formulas.filter { $0.contains("SUM(B6:B8)") || $0.contains("SUMIFS") }
        #expect(sums.isEmpty)
        #expect(archive.strings.contains("<t>hidden</t>"))
    }

    @Test func hiddenSplitsLeaveTripsAndTotalCostAsFormulas() throws {
        let archive = try Self.archive(WorkbookFixture.summary(hidingSplit: { $0.month == "2026-02" }))
        #expect(archive.sheet(3).contains("<f>SUM(B6:B8)</f>"))
        #expect(archive.sheet(5).contains("ROUND(1000*B10/"))
        #expect(!archive.sheet(5).contains("SUM(B10:B12)"))
        #expect(!archive.sheet(5).contains("ROUND(1000*B11/"))
    }

    @Test func aTotalThatDoesNotAddUpIsWrittenAsPublished() throws {
        var summary = WorkbookFixture.summary()
        summary.cells[0].totalCost = summary.cells[0].totalCost.map { Cents(cents: $0.cents + 1) }
        let sheet = try Self.archive(summary).sheet(3)
        #expect(sheet.contains("<f>SUM(") && !sheet.contains("SUM(F6:F8)"))
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
            #expect(sheet.contains("<pageSetUpPr fitToPage=\"1\"/>") || sheet.contains("<colBreaks"))
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
        #expect(
            drawings[0].contains(
                "Line chart: completed trips by month, 2026-01 to 2026-03, without 2026-02, hidden or not comparable. Trips are "
            ))
    }

    @Test func aHiddenMonthIsAGapInTheChart() throws {
        let archive = try Self.archive(WorkbookFixture.summary(hiding: { $0.month == "2026-02" }))
        let chart = try #require(archive.parts["xl/charts/chart1.xml"])
        #expect(chart.contains("'Chart data'!$C$"))
        #expect(!chart.contains("hidden</c:v></c:pt></c:numCache>"))
        #expect(archive.strings.contains("<t>2026-02 hidden</t>"))
    }

    @Test func whatChartsPlotIsOnASheetOfItsOwn() throws {
        let archive = try Self.archive(WorkbookFixture.summary(hiding: { $0.month == "2026-02" }))
        #expect(archive.parts["xl/workbook.xml"]?.contains("<sheet name=\"Chart data\"") == true)
        #expect(archive.strings.contains("The charts of this workbook are drawn from these columns."))
        let tables = archive.parts.filter { $0.key.contains("tables/") }.values
        #expect(tables.count { $0.contains(": axis\"") } == 1)
        // A workbook without trips has no charts.
        var empty = WorkbookFixture.summary()
        empty.cells = []
        #expect(try Self.archive(empty).parts["xl/workbook.xml"]?.contains("Chart data") == false)
    }

    // MARK: The latest complete month

    @Test func theSummaryShowsTheLatestCompleteMonthAndWhatIsUnusual() throws {
        try withWorkbookFolder { folder in
            var groups = TripGroups()
            for offset in 0..<13 {
                // Each month has a trip more than the one before: a trend.
                groups.add(40 + offset, month: Month(year: 2025, month: 1).advanced(by: offset)) {
                    $0.costCents = 1_000
                }
            }
            try WorkbookReport(try ReportFixture.report(groups), createdAt: UTCTime(secondsSince1970: 1)).write(
                to: folder + "/kpis.xlsx")
            let archive = try WorkbookArchive(path: folder + "/kpis.xlsx")
            for text in [
                "Latest complete month: 2026-01", "Month before, 2025-12", "Year before, 2025-01", "higher than usual",
                "about the same as usual", "not assessed",
            ] {
                #expect(archive.strings.contains("<t>\(text)</t>"), "\(text)")
            }
            // The mean of 41 to 52, halves up.
            #expect(archive.sheet(2).contains("<v>52</v>") && archive.sheet(2).contains("<v>47</v>"))
        }
    }

    @Test func aMonthUnderWayIsMarkedAndNotCompared() throws {
        var summary = WorkbookFixture.summary()
        let closed = try Self.archive(summary, isInternal: true)
        #expect(closed.strings.contains("Latest complete month: 2026-03") && !closed.everything.contains("under way)"))
        summary.generatedAt = "2026-03-20T02:00:00Z"
        summary.dataThrough = "2026-03-19"
        summary.headline = .init(month: "2026-02", sentences: [])
        let archive = try Self.archive(summary, isInternal: true)
        #expect(archive.strings.contains("Latest complete month: 2026-02"))
        #expect(archive.strings.contains("2026-03: under way. Its figures will change and are not compared."))
        #expect(archive.parts["xl/styles.xml"]?.contains("@&quot; (under way)&quot;") == true)
        #expect(archive.strings.contains("<t>not comparable</t>"))
        // A ring in place of a disc.
        #expect(archive.parts["xl/charts/chart1.xml"]?.contains("<c:dPt><c:idx val=\"2\"/>") == true)
    }

    // MARK: Events and targets

    @Test func eventsAndTargetsHaveASheetOnlyWhereThereAreAny() throws {
        var summary = WorkbookFixture.summary()
        let without = try Self.archive(summary, isInternal: false)
        #expect(!without.everything.contains("Evacuations") && !without.everything.contains("Months met"))
        summary.events = .init(
            months: ["2026-01"],
            counts: [.init(month: "2026-01", region: "North", kind: "Flood", events: 4321, evacuations: nil)])
        summary.targets = [
            .init(
                measure: "costPerTrip", region: "North", tripType: "All", target: 450, monthCount: 12, monthsMet: 9,
                gap: 10.5)
        ]
        let archive = try Self.archive(summary, isInternal: false)
        for text in ["Flood", "at most $450.00", "$10.50 above", "hidden"] {
            #expect(archive.strings.contains("<t>\(text)</t>"), "\(text)")
        }
        #expect(archive.everything.contains("<v>4321</v>") && archive.everything.contains("<v>0.75</v>"))
    }

    // MARK: Rounded figures

    @Test func onlyPercentilesOfAReleaseLookRounded() throws {
        let styles = { (isInternal: Bool) in
            try Self.archive(WorkbookFixture.summary(), isInternal: isInternal).parts["xl/styles.xml"] ?? ""
        }
        #expect(try styles(false).contains("formatCode=\"&quot;≈ &quot;[h]:mm:ss\""))
        #expect(try !styles(false).contains("≈ &quot;$") && !styles(true).contains("≈"))
        #expect(try styles(true).contains("formatCode=\"0.0%\""))
    }

    /// Numbers in whole seconds are taken for percentiles.
    @Test func percentilesAloneAreInWholeSeconds() {
        let seconds = KPICatalog.all.filter { $0.format == .seconds }.map(\.name)
        #expect(seconds.count == 12 && seconds.allSatisfy { $0.hasSuffix(".p50") || $0.hasSuffix(".p90") })
    }

    // MARK: Comparisons

    @Test func sumsOverMonthsAreFormulasWhereAllMonthsAreThere() throws {
        // January 2025 to January 2026, each month a trip more than the one before; the small one is withheld.
        func formulas(small: Int? = nil) throws -> [String] {
            try withWorkbookFolder { folder in
                var groups = TripGroups()
                for offset in 0..<13 {
                    let month = Month(year: 2025, month: 1).advanced(by: offset)
                    groups.add(offset == small ? 5 : 40 + offset, month: month) { $0.costCents = 1_000 }
                }
                try WorkbookReport(try ReportFixture.report(groups), createdAt: UTCTime(secondsSince1970: 1)).write(
                    to: folder + "/kpis.xlsx")
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
        #expect(archive.parts["xl/charts/chart2.xml"] != nil)
        #expect(archive.parts["xl/charts/chart3.xml"] == nil)
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
            try WorkbookReport(report, createdAt: UTCTime(secondsSince1970: 1_775_000_000)).write(
                to: folder + "/kpis.xlsx")
            let archive = try WorkbookArchive(path: folder + "/kpis.xlsx")
            #expect(archive.strings.contains("<t>hidden</t>") == (audience == .release))
            #expect(archive.strings.contains(SummaryReport.internalStamp) == (audience == .staff))
        }
    }
}
