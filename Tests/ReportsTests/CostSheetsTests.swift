import Basics
import KPIContract
import KPIs
import Privacy
import Reports
import TestSupport
import Testing
import Trips
import Workbooks

/// Regions, reconciliation, unknown costs and budgets of finance's workbook. `Tests/Tools/check_costs.py` checks the figures.
@Suite("Sheets of the cost workbook") struct CostSheetsTests {
    private static func strings(
        _ report: SummaryReport, context: CostContext = CostContext(), months: ClosedRange<Month>? = nil,
        style: WorkbookStyle = .standard
    ) throws -> String {
        try withWorkbookFolder { folder in
            let path = folder + "/costs.xlsx"
            try CostWorkbook(
                report, ledger: nil, context: context, months: months,
                createdAt: UTCTime(secondsSince1970: 1_775_000_000), style: style
            ).write(to: path)
            return try WorkbookArchive(path: path).everything
        }
    }

    private static func plan(_ lines: [BudgetLine]) -> CostContext {
        var context = CostContext()
        context.plan = BudgetPlan(
            CostBudget(lines), regions: ReportFixture.quarter().regions, tripTypes: ReportFixture.quarter().tripTypes)
        return context
    }

    /// In January and in February 12 cancelled trips and 3 no-shows of $412.50 each.
    @Test func staffReadWhatWasPaidForTripsThatWereNotRun() throws {
        let staff = try ReportFixture.report(audience: .staff)
        #expect(staff.summary.cells.first?.costNotRun == Cents(cents: 30 * 41_250))
        #expect(staff.summary.cells.first?.totalCost == Cents(cents: 8_479_500))
        let found = try Self.strings(staff)
        #expect(found.contains("in the period: $97,170.00 = $84,795.00 + $12,375.00."))
        let csv = String(decoding: CSVReport().bytes(staff), as: UTF8.self)
        #expect(csv.contains(",cost_not_run_dollars,") && csv.contains(",12375.00,"))
        let release = try ReportFixture.report()
        #expect(release.summary.cells.allSatisfy { $0.costNotRun == nil })
        #expect(try !Self.strings(release).contains("Paid ="))
    }

    /// March has 4 trips of $500, February 81 that cost more: the difference is no change.
    @Test func aMonthUnderWayOrThatLacksDaysIsNotCompared() throws {
        let march = ReportFixture.january.advanced(by: 2)
        let change = "<v>-39603.75</v>"
        let whole = try Self.strings(ReportFixture.report(audience: .staff))
        #expect(whole.contains(change))
        var facts = ReportFixture.facts
        facts.firstOpenMonth = march
        let open = try Self.strings(ReportFixture.report(audience: .staff, facts: facts))
        #expect(!open.contains(change))
        facts.firstOpenMonth = nil
        facts.partialMonths = [march]
        let partial = try Self.strings(ReportFixture.report(audience: .staff, facts: facts))
        #expect(!partial.contains(change))
    }

    @Test func aMonthWithoutTripsIsALineOfZeros() throws {
        var groups = ReportFixture.quarter()
        groups.groups.removeAll { $0.month == ReportFixture.january.advanced(by: 1) }
        let found = try Self.strings(ReportFixture.report(groups, audience: .staff))
        #expect(found.contains("<t>2026-02</t>"))
    }

    @Test(arguments: [Audience.staff, .release], [WorkbookStyle.standard, .accessible])
    func everySheetOfFiguresIsReconciled(audience: Audience, style: WorkbookStyle) throws {
        let report = try ReportFixture.report(audience: audience)
        for months in [nil, ReportFixture.january...ReportFixture.january] {
            let found = try Self.strings(report, months: months, style: style)
            let lines = found.ranges(of: "Reconciled with kpi-summary.json: ").count
            // A text is in the file once, however many sheets have it; in the accessible style some sheets have no lines.
            #expect(lines >= 2)
            #expect(!found.contains("explained"))
            // The standard style breaks its lines.
            guard style == .accessible else { continue }
            #expect(found.contains("months outside the period") == (months != nil))
        }
    }

    @Test func aSheetThatDoesNotAddUpSaysSo() throws {
        var context = CostContext()
        var cell = try #require(try ReportFixture.report(audience: .staff).summary.cell(at: CellKey()))
        cell.trips = (cell.trips ?? 0) + 5
        context.published = cell
        let found = try Self.strings(ReportFixture.report(audience: .staff), context: context)
        #expect(found.contains("difference 5") && found.contains("5 trips and $0.00 (other regions)"))
    }

    @Test func regionsAreShownForBothAudiences() throws {
        for audience in [Audience.staff, .release] {
            let found = try Self.strings(ReportFixture.report(audience: audience))
            for word in ["RegionCosts", "RegionYears", "SourcingYears"] { #expect(found.contains(word)) }
        }
    }

    @Test func anUnknownCostIsNotZero() throws {
        var groups = TripGroups()
        groups.add(30, month: ReportFixture.january, region: 1, tripType: 1)
        let found = try Self.strings(ReportFixture.report(groups, audience: .staff))
        #expect(found.contains(">cost unknown<"))
        #expect(!found.contains("$0.00"))
        groups.add(30, month: ReportFixture.january, region: 2, tripType: 1) { $0.costCents = 0 }
        let withZero = try Self.strings(ReportFixture.report(groups, audience: .staff))
        #expect(withZero.contains(">cost unknown<"), "the region without a cost on record")
    }

    /// In-house and contracted cost do not make up the cost: the rest has a column of its own.
    @Test func theCostOfUnclassifiedTripsIsShownWhereThereIsOne() throws {
        var groups = ReportFixture.quarter()
        #expect(!(try Self.strings(ReportFixture.report(groups, audience: .staff)).contains("Unclassified_cost_total")))
        groups.add(30, month: ReportFixture.january, region: 1, tripType: 1) {
            $0.sourcing = .unclassified
            $0.costCents = 12_300
        }
        let staff = try Self.strings(ReportFixture.report(groups, audience: .staff))
        #expect(staff.contains(">Unclassified cost<") && staff.contains("<v>3690</v>"))
        #expect(staff.contains("Unclassified_cost_total"))
    }

    @Test(arguments: [WorkbookStyle.standard, .accessible])
    func aYearInPartIsNamedOnTheCoverAndBesideItsSum(style: WorkbookStyle) throws {
        let found = try Self.strings(ReportFixture.report(audience: .staff), style: style)
        #expect(found.contains("3 of 12 months have trips: 2026-01 to 2026-03"))
        #expect(
            found.contains(
                "FY2026 has 3 months of 12 here: 2026-01 to 2026-03. A number in the column Year is of these months alone."
            ))
    }

    /// Generated in April 2026.
    @Test(arguments: [(2025, true), (2026, false)])
    func aYearThatHasEndedHasNoForecast(fiscalYear: Int, hasEnded: Bool) throws {
        var groups = TripGroups()
        for month in 5...7 {
            groups.add(30, month: Month(year: fiscalYear - 1, month: month + 5), region: 1, tripType: 1) {
                $0.costCents = 100_00
            }
        }
        let context = Self.plan([
            BudgetLine(fiscalYear: fiscalYear, scope: BudgetScope(), trips: 1000, costCents: 10_000_00)
        ])
        let found = try Self.strings(ReportFixture.report(groups, audience: .staff), context: context)
        #expect(found.contains("FY\(fiscalYear) has ended: there is no forecast for it.") == hasEnded)
        // Three months of 30 trips at $100: × 12 / 3.
        #expect(found.contains("<v>36000</v>") == !hasEnded)
    }

    @Test func aBudgetIsComparedWithWhatTheReleaseShows() throws {
        let context = Self.plan([
            BudgetLine(fiscalYear: 2026, scope: BudgetScope(), trips: 1000, costCents: 10_000_00),
            BudgetLine(fiscalYear: 2026, scope: BudgetScope(region: 2), trips: 500, costCents: 5_000_00),
        ])
        let staff = try Self.strings(ReportFixture.report(audience: .staff), context: context)
        let release = try Self.strings(ReportFixture.report(audience: .release), context: context)
        for found in [staff, release] {
            #expect(found.contains(">part<") && found.contains("The last complete month is 2026-"))
        }
    }

    @Test func crossingLinesHaveNoTotal() throws {
        let context = Self.plan([
            BudgetLine(fiscalYear: 2026, scope: BudgetScope(region: 1), trips: 1000, costCents: 10_000_00),
            BudgetLine(fiscalYear: 2026, scope: BudgetScope(tripType: 1), trips: 500, costCents: 5_000_00),
        ])
        let found = try Self.strings(ReportFixture.report(audience: .staff), context: context)
        #expect(found.contains("There is no total: lines of the budget have trips in common"))
    }

    @Test func linesOfOtherYearsAreLeftOutAndCounted() throws {
        let context = Self.plan([
            BudgetLine(fiscalYear: 2026, scope: BudgetScope(), trips: 1000, costCents: 10_000_00),
            BudgetLine(fiscalYear: 2031, scope: BudgetScope(), trips: 1, costCents: 1_00),
        ])
        let found = try Self.strings(ReportFixture.report(audience: .staff), context: context)
        #expect(found.contains("1 line of the budget is left out: of other fiscal years."))
    }
}
