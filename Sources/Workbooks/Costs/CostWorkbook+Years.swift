import Reports

import Costs
import KPIContract
import Trips

extension CostWorkbook {
    private static let monthNames = [
        "Oct", "Nov", "Dec", "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep",
    ]

    /// Keys, October to September, and the year: the sum of what is shown, hidden where a month of it is.
    private static func yearColumns(_ keys: [String], isSummed: Bool) -> [SheetTable.Column] {
        SheetTable.Column.texts(keys)
            + monthNames.map { SheetTable.Column(title: $0, unit: .cents, isSummed: isSummed) }
            + [.init(title: "Year", unit: .cents, isSummed: isSummed, derivation: .sum(monthNames))]
    }

    /// Cost of each fiscal year by month, and its parts.
    func fiscalYearSheet() -> SheetContent {
        let cells = cells()
        let measures = zip(
            ["Cost", "In-house cost", "Contracted cost"],
            KPICatalog.measures(["totalCost", "inHouseCost", "contractedCost"]))
        let months = Set(shownMonths)
        let lines = Set(months.map(\.fiscalYear)).sorted().flatMap { year in
            measures.map { name, measure in
                let values = Self.months(of: year).map { month -> ShownValue in
                    guard months.contains(month) else { return .notApplicable }
                    return WorkbookReport.values([measure], cells[month.description]?[Self.all])[0]
                }
                return yearLine(["FY\(year)", name], values, year)
            }
        }
        // Of a release the parts may be of fewer trips than the whole.
        let partsText =
            report.isInternal
            ? "In-house and contracted cost, with that of unclassified trips, make up the cost."
            : "In-house and contracted cost make up the cost only where neither is marked and no trip is unclassified: + leaves "
                + "out trips, and ^ counts the cost of unclassified trips as contracted."
        return costSheet(
            "Fiscal years", "Fiscal years, October to September",
            paragraphs: [
                "A year with a hidden month has no total, nor has one with a month without trips between others: that is "
                    + "n/a, as is a month outside the period. A year that begins or ends within the period is the sum of its "
                    + "months. \(partsText)"
            ], notes: [.cost, .years], emphasis: (.shades, "Oct", "Sep"),
            SheetTable(
                name: "FiscalYears", columns: Self.yearColumns(["Fiscal year", "Measure"], isSummed: false),
                lines: lines,
                totals: .blank))
    }

    /// The same by provider and contract.
    func providerYearsSheet(_ ledger: CostLedger) -> SheetContent {
        let months = Set(shownMonths)
        let sums = ledger.period.grouped { ProviderMonth($0) }
        let lines = Set(sums.keys.map(\.yearly)).map { year -> [SheetCell] in
            let values = Self.months(of: year.fiscalYear).map { month -> ShownValue in
                months.contains(month) ? .number(sums[year.of(month)]?.costCents ?? 0, .cents) : .notApplicable
            }
            let words = [ledger.text(year.providerID), ledger.text(year.providerName), ledger.text(year.contract)]
            return yearLine(["FY\(year.fiscalYear)"] + words, values, year.fiscalYear)
        }
        return costSheet(
            "Provider years", "Fiscal years by provider and contract", notes: [.cost, .years],
            emphasis: (.shades, "Oct", "Sep"),
            SheetTable(
                name: "ProviderYears",
                columns: Self.yearColumns(["Fiscal year", "Provider id", "Provider", "Contract"], isSummed: true),
                lines: lines.sortedByKeys(), totals: .filtered, totalTitle: "All listed"))
    }

    private static func months(of fiscalYear: Int) -> [Month] {
        (0..<12).map { Month(year: fiscalYear - 1, month: 10).advanced(by: $0) }
    }

    private func yearLine(_ keys: [String], _ months: [ShownValue], _ fiscalYear: Int) -> [SheetCell] {
        let coverage = months.reduce(FigureCoverage.all) { $0.union($1.coverage) }
        let total: ShownValue =
            months.contains(.hidden)
            ? .hidden
            : hasGap(fiscalYear)
                ? .notApplicable : .number(months.compactMap(\.whole).reduce(0, +), .cents, coverage)
        return SheetCell.line(keys, months + [total])
    }

    /// Whether a month of the year is missing though months before and after it are there: a sum with a gap in it is not
    /// that of the year.
    private func hasGap(_ fiscalYear: Int) -> Bool {
        let months = shownMonths
        guard let first = months.first, let last = months.last else { return false }
        return Self.months(of: fiscalYear).contains { (first...last).contains($0) && !months.contains($0) }
    }

    /// What a provider was paid under a contract in a month.
    private struct ProviderMonth: Hashable {
        var providerID: Int32
        var providerName: Int32
        var contract: Int32
        /// `Month.index`; of a year 0.
        var month: Int32
        var fiscalYear: Int

        init(_ key: CostKey) {
            providerID = key.providerID
            providerName = key.providerName
            contract = key.contract
            month = key.month
            fiscalYear = Month(index: key.month).fiscalYear
        }

        var yearly: ProviderMonth { with(month: 0) }

        func of(_ month: Month) -> ProviderMonth { with(month: month.index) }

        private func with(month: Int32) -> ProviderMonth {
            var copy = self
            copy.month = month
            return copy
        }
    }
}
