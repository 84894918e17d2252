import Basics
import KPIContract
import KPIs
import Reports
import Trips

/// A budget against what happened: plan, actual, variance and its three parts, forecast to year end.
///
/// The actuals are figures of the summary, so a release shows no more of them than it publishes. They are of whole fiscal
/// years up to the last complete month, whatever the period of the workbook.
extension CostWorkbook {
    static let budgetText =
        "Plan to date: the plan × complete months / 12. Variance: actual − plan to date = volume + price + trips without a cost, to "
        + "the cent. Volume: (actual trips − planned trips to date) × planned cost per trip. Price: actual cost − planned cost per "
        + "trip × the trips that have a cost. Trips without a cost: − planned cost per trip × these trips, as the actual cost "
        + "lacks theirs. Forecast to year end by run rate: actual × 12 / complete months, none for a year that has ended; "
        + "trips without a cost are in the forecast trips and not in the forecast cost. Amounts are rounded to the cent, halves "
        + "away from zero. In the total: yes; part, a line that is part of a wider line, which is in the total; other, what happened "
        + "outside the budget's lines."

    private static let counted = "yes", part = "part", unplanned = "other"

    func budgetSheet(_ plan: BudgetPlan) -> SheetContent {
        let years = Set(shownMonths.map(\.fiscalYear))
        let shown = plan.budget.lines.filter { years.contains($0.fiscalYear) && isSelected($0, plan) }
        let budget = CostBudget(shown)
        let rows = budget.lines.map { line in
            BudgetRow(
                line, actual(of: line.scope, in: line.fiscalYear, plan), months: actualMonths(line.fiscalYear).count,
                hasEnded: hasEnded(line.fiscalYear))
        }
        let lines = rows.map { row in
            SheetCell.line(
                ["FY\(row.line.fiscalYear)"] + Self.words(row.line.scope, plan)
                    + [budget.isCounted(row.line) ? Self.counted : Self.part], row.values)
        }
        let obstacle = Self.obstacle(budget)
        var table = SheetTable(
            name: "Budget",
            columns: Self.budgetColumns(
                rows.filter { budget.isCounted($0.line) }, isSummed: obstacle == nil),
            lines: lines + (obstacle == nil ? unplannedLines(budget, rows, plan) : []),
            totals: obstacle == nil ? .lines(column: Self.totalColumn, text: Self.counted) : .blank,
            totalTitle: "Budget",
            emptyText: "The budget has no line for the fiscal years and regions of this workbook.")
        table.headerHeight = 48
        Self.narrow(&table)
        let isActual = { (line: [SheetCell]) in line[4] != .text(Self.part) }
        var content = costSheet(
            "Budget", "Budget: plan, actual, variance and forecast", paragraphs: [Self.budgetText],
            notes: [.budget, .cost],
            facts: budgetFacts(plan, rows, obstacle),
            total: obstacle == nil
                ? SheetTotal(
                    trips: table.total(of: ["Actual trips"], where: isActual) ?? 0,
                    costCents: table.total(of: ["Actual cost"], where: isActual) ?? 0,
                    rest: "months and trips that only one of the period and the budget covers") : nil, table)
        content.table?.frozenColumns = 4
        content.isOnWidePaper = true
        // Those of other sheets are against a month.
        for title in ["Volume", "Price", Self.withoutCostTitle] {
            if let place = table.places[title] { content.table?.columns[place].note = CostNote.budget }
        }
        return content
    }

    // MARK: What the figures are of

    /// Whether the line's trips are in a workbook of some regions.
    private func isSelected(_ line: BudgetLine, _ plan: BudgetPlan) -> Bool {
        guard let regions = context.regions else { return true }
        return line.scope.region.map { regions.contains(plan.regions.name(of: $0)) } ?? false
    }

    /// The last month that is over and whole; nil: there is none.
    var lastCompleteMonth: Month? { report.summary.latestCompleteMonth.flatMap { Month($0) } }

    /// The whole months of a fiscal year from the first with data on.
    private func actualMonths(_ fiscalYear: Int) -> [Month] {
        monthsToDate(fiscalYear).filter { !monthsNotCompared.contains($0) }
    }

    /// The months of a fiscal year from the first with data to the last that is whole.
    private func monthsToDate(_ fiscalYear: Int) -> [Month] {
        guard let first = knownMonths.min(), let last = lastCompleteMonth else { return [] }
        return Self.months(of: fiscalYear).filter { first <= $0 && $0 <= last }
    }

    /// Which months are in neither plan nor actual, as a sentence; nil: none.
    private func monthsLeftOutOfBudget(_ fiscalYears: some Sequence<Int>) -> String? {
        let months = Set(fiscalYears).sorted().flatMap(monthsToDate).filter(monthsNotCompared.contains)
        guard !months.isEmpty else { return nil }
        return "Left out of plan and actual, because they lack days or have no trips: "
            + months.map(\.description).joined(separator: ", ") + "."
    }

    /// Whether its last day is over: then there is nothing to forecast.
    private func hasEnded(_ fiscalYear: Int) -> Bool {
        Month(report.summary.generatedAt.prefix(7)).map { $0 > Month(year: fiscalYear, month: 9) } ?? false
    }

    private func actual(of scope: BudgetScope, in fiscalYear: Int, _ plan: BudgetPlan) -> BudgetActual {
        let region = scope.region.map { plan.regions.name(of: $0) } ?? CellKey.all
        let type = scope.tripType.map { plan.tripTypes.name(of: $0) } ?? CellKey.all
        let withheld = Set(report.summary.withheldMonths)
        return BudgetActual(
            sumOf: actualMonths(fiscalYear).map { month in
                if let cell = figures[month.description, region, type] {
                    return BudgetActual(
                        trips: figures.trips(of: scope.sourcing, in: cell),
                        costedTrips: figures.costedTrips(of: scope.sourcing, in: cell),
                        cost: figures.cost(of: scope.sourcing, in: cell))
                }
                // Without a cell there were no trips in a month that is shown.
                return withheld.contains(month.description) ? .hidden : .zero
            })
    }

    /// Why the lines cannot be added up; nil if they can.
    private static func obstacle(_ budget: CostBudget) -> String? {
        if Set(budget.lines.map(\.fiscalYear)).contains(where: budget.hasOverlap) {
            return "There is no total: lines of the budget have trips in common, and neither is part of the other."
        }
        return budget.lines.contains { budget.isCounted($0) && $0.costCents == nil }
            ? "There is no total: a line of the budget has no cost." : nil
    }

    /// What happened beside the budget, for each fiscal year: only from figures that are of all their trips.
    private func unplannedLines(_ budget: CostBudget, _ rows: [BudgetRow], _ plan: BudgetPlan) -> [[SheetCell]] {
        Set(budget.lines.map(\.fiscalYear)).sorted().compactMap { year in
            let all = actual(of: BudgetScope(), in: year, plan)
            let planned = rows.filter { $0.line.fiscalYear == year && budget.isCounted($0.line) }
            let trips = [all.trips] + planned.map(\.actual.trips), cost = [all.cost] + planned.map(\.actual.cost)
            guard (trips + cost).allSatisfy({ $0.coverage == .all && $0 != .hidden }), let allTrips = all.trips.whole
            else { return nil }
            let restTrips = allTrips - trips.dropFirst().compactMap(\.whole).reduce(0, +)
            let restCents = (all.cost.whole ?? 0) - cost.dropFirst().compactMap(\.whole).reduce(0, +)
            guard restTrips != 0 || restCents != 0 else { return nil }
            let months = ShownValue.number(actualMonths(year).count, .count)
            var values = Array(repeating: ShownValue.notApplicable, count: BudgetRow.columnCount)
            values[0] = months
            values[5] = .number(restTrips, .count)
            values[6] = .number(restCents, .cents)
            return SheetCell.line(["FY\(year)", "other", "other", "other", Self.unplanned], values)
        }
    }

    // MARK: Words

    private static func words(_ scope: BudgetScope, _ plan: BudgetPlan) -> [String] {
        [
            scope.region.map { plan.regions.name(of: $0) } ?? CellKey.all,
            scope.tripType.map { plan.tripTypes.name(of: $0) } ?? CellKey.all,
            scope.sourcing.map(CostWords.word) ?? CellKey.all,
        ]
    }

    private func budgetFacts(_ plan: BudgetPlan, _ rows: [BudgetRow], _ obstacle: String?) -> [String] {
        var facts = [
            lastCompleteMonth.map {
                "The last complete month is \($0): later figures are in no actual. A forecast is the actual of complete "
                    + "months over the share of the year that they are."
            } ?? "No month is complete yet: there is no actual."
        ]
        let years = Set(rows.map(\.line.fiscalYear)).sorted()
        facts += years.filter(hasEnded).map { "FY\($0) has ended: there is no forecast for it." }
        if let first = knownMonths.min() {
            facts += years.filter { Self.months(of: $0).contains(first) && first.month != 10 }.map {
                "The figures of FY\($0) begin in \(first): earlier months are in neither its plan to date nor its actual."
            }
        }
        if let leftOut = monthsLeftOutOfBudget(years) { facts.append(leftOut) }
        let left = plan.budget.lines.count - rows.count
        if left > 0 {
            facts.append(
                "\(NumberText.counted(left, "line")) of the budget \(left == 1 ? "is" : "are") left out: of other fiscal years"
                    + (context.regions == nil ? "." : ", of other regions, or of all of them."))
        }
        let cells = years.flatMap(actualMonths).compactMap { figures[$0.description] }
        let trips = cells.map(\.trips), costed = cells.map(\.costedTrips)
        if cells.allSatisfy({ $0.complete != false && $0.measuresNotWhole.isEmpty }), !trips.contains(nil),
            !costed.contains(nil)
        {
            let all = trips.compactMap(\.self).reduce(0, +), known = costed.compactMap(\.self).reduce(0, +)
            if known < all {
                facts.append(
                    "\(NumberText.grouped(all - known)) of \(NumberText.counted(all, "trip")) in the actuals have no cost on "
                        + "record: their cost is unknown, and in no actual cost. A forecast cost lacks it, too: it is too low by what "
                        + "such trips cost.")
            }
        }
        if rows.contains(where: \.lacksCostedTrips) {
            facts.append(
                "Price and trips without a cost are n/a where the number of trips with a cost is not known by sourcing: the "
                    + "workbook for staff has it.")
        }
        return facts + [obstacle].compactMap(\.self)
    }

    // MARK: Columns

    /// Gives the columns of numbers no more room than they need: the table is to be read on one printed page.
    private static func narrow(_ table: inout SheetTable) {
        let lines = table.lines + [table.totalLine()]
        for (index, column) in table.columns.enumerated() where column.unit != nil {
            let numbers = lines.compactMap { $0[index].value?.displayWidth }.max() ?? 0
            table.columns[index].width = max(numbers + 1, SheetLayout.headerWidth(column.title))
        }
    }

    private static let totalColumn = "In the total"
    private static let withoutCostTitle = "Trips without a cost"

    /// - Parameters:
    ///   - counted: the lines that are in the total.
    ///   - isSummed: whether there is a total.
    private static func budgetColumns(_ counted: [BudgetRow], isSummed: Bool) -> [SheetTable.Column] {
        // A sum over some of the lines would be beside the cost of all of them.
        let hasTrips = isSummed && counted.allSatisfy { $0.line.trips ?? 0 > 0 }
        // A plan whose actual is not known is compared with nothing.
        let isCompared = isSummed && counted.allSatisfy(\.isCompared)
        let hasPrice = hasTrips && isCompared && !counted.contains(where: \.lacksCostedTrips)
        let hasForecast = isSummed && counted.allSatisfy { $0.months > 0 && !$0.hasEnded }
        func column(
            _ title: String, _ unit: ValueUnit, _ isSummed: Bool, _ derivation: Derivation? = nil
        ) -> SheetTable.Column {
            .init(title: title, unit: unit, isSummed: isSummed, derivation: derivation)
        }
        return SheetTable.Column.texts(["Fiscal year", "Region", "Trip type", "Sourcing", totalColumn]) + [
            column("Complete months", .count, false), column("Plan trips", .count, hasTrips),
            column("Plan cost", .cents, isSummed), column("Plan trips to date", .count, hasTrips),
            column("Plan cost to date", .cents, isSummed), column("Actual trips", .count, isSummed),
            column("Actual cost", .cents, isSummed),
            column("Variance", .cents, isCompared, .difference("Actual cost", "Plan cost to date")),
            column("Variance, per cent", .change, false, .share("Variance", of: "Plan cost to date")),
            column("Volume", .cents, hasTrips && isCompared),
            column("Price", .cents, hasPrice, .difference("Variance", "Volume", withoutCostTitle)),
            column(withoutCostTitle, .cents, hasPrice),
            column("Forecast trips", .count, hasForecast), column("Forecast cost", .cents, hasForecast),
            column("Forecast less plan", .cents, hasForecast, .difference("Forecast cost", "Plan cost")),
            column("Forecast less plan, per cent", .change, false, .share("Forecast less plan", of: "Plan cost")),
        ]
    }
}
