import Basics
import KPIContract
import KPIs
import Reports

extension CostWorkbook {
    static let monthNames = [
        "Oct", "Nov", "Dec", "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep",
    ]

    /// Keys, October to September, and the year: the sum of what is shown, hidden where a month of it is.
    static func yearColumns(_ keys: [String], isSummed: Bool) -> [SheetTable.Column] {
        SheetTable.Column.texts(keys)
            + monthNames.map { SheetTable.Column(title: $0, unit: .cents, isSummed: isSummed) }
            + [.init(title: "Year", unit: .cents, isSummed: isSummed, derivation: .sum(monthNames))]
    }

    /// What a line of all costs says in the column Measure.
    static let costMeasure = "Cost"

    /// Of each fiscal year and region: its cost, then the in-house and contracted parts of it.
    ///
    /// - Parameter keys: of a fiscal year, region and measure.
    func yearLines(of regions: [String], keys: (Int, String, String) -> [String]) -> [[SheetCell]] {
        let measures = zip(
            [Self.costMeasure, "In-house cost", "Contracted cost"],
            KPICatalog.measures([.totalCost, .inHouseCost, .contractedCost]))
        let months = Set(shownMonths), withheld = Set(report.summary.withheldMonths)
        var lines: [[SheetCell]] = []
        for year in Set(months.map(\.fiscalYear)).sorted() {
            for region in regions {
                for (name, measure) in measures {
                    let values = Self.months(of: year).map { month -> ShownValue in
                        guard months.contains(month) else { return .notApplicable }
                        let cell = figures[month.description, region]
                        // A region without a cell had no trips in a month that is shown.
                        if cell == nil, figures[month.description] != nil, !withheld.contains(month.description) {
                            return .number(0, .cents)
                        }
                        return figures.values([measure], cell)[0]
                    }
                    lines.append(yearLine(keys(year, region, name), values, year))
                }
            }
        }
        return lines
    }

    /// Cost of each fiscal year by month, and its parts.
    func fiscalYearSheet() -> SheetContent {
        let table = SheetTable(
            name: "FiscalYears", columns: Self.yearColumns(["Fiscal year", "Measure"], isSummed: false),
            lines: yearLines(of: [CellKey.all]) { year, _, measure in ["FY\(year)", measure] }, totals: .blank)
        let cost = table.total(of: Self.monthNames) { $0[1] == .text(Self.costMeasure) }
        // Of a release the parts may be of fewer trips than the whole.
        let partsText =
            report.isInternal
            ? "In-house and contracted cost, with that of unclassified trips, make up the cost."
            : "In-house and contracted cost make up the cost only where no trip is unclassified."
        return costSheet(
            "Fiscal years", "Fiscal years, October to September",
            paragraphs: [
                "A year with a hidden month has no total, nor has one with a month without trips between others: that is "
                    + "n/a, as is a month outside the period. A year that begins or ends within the period is the sum of its "
                    + "months. \(partsText)"
            ], notes: [.cost, .years], facts: partialYearFacts,
            total: SheetTotal(costCents: cost ?? 0), table)
    }

    /// Years of which the workbook has fewer than 12 months: their sums must not be taken for those of whole years.
    var partialYearFacts: [String] {
        PartialFiscalYear.all(known: shownMonths, period: nil).filter { !$0.months.isEmpty }.map { year in
            let months = "\(NumberText.counted(year.months.count, "month")) of 12 here: \(Month.text(of: year.months))"
            return "\(year.name) has \(months). A number in the column Year is of these months alone."
        }
    }

    /// The same by provider and contract.
    func providerYearsSheet(_ ledger: CostLedger) -> SheetContent {
        let months = Set(shownMonths)
        let sums = ledger.period.grouped { ProviderMonth($0) }
        let lines = Set(sums.keys.map(\.yearly)).map { year -> [SheetCell] in
            let values = Self.months(of: year.fiscalYear).map { month -> ShownValue in
                months.contains(month) ? (sums[year.of(month)] ?? CostSums()).shownCost : .notApplicable
            }
            let words = [year.providerID, year.providerName, year.contract].map(ledger.words.text)
            return yearLine(["FY\(year.fiscalYear)"] + words, values, year.fiscalYear)
        }
        let table = SheetTable(
            name: "ProviderYears",
            columns: Self.yearColumns(["Fiscal year", "Provider id", "Provider", "Contract"], isSummed: true),
            lines: lines.sortedByKeys(), totals: .filtered, totalTitle: "All listed")
        return costSheet(
            "Provider years", "Fiscal years by provider and contract", notes: [.cost, .years], facts: partialYearFacts,
            total: SheetTotal(costCents: table.total(of: Self.monthNames) ?? 0), table)
    }

    static func months(of fiscalYear: Int) -> [Month] {
        (0..<12).map { Month(year: fiscalYear - 1, month: 10).advanced(by: $0) }
    }

    private func yearLine(_ keys: [String], _ months: [ShownValue], _ fiscalYear: Int) -> [SheetCell] {
        let sum = ShownValue.sum(months, .cents)
        return SheetCell.line(keys, months + [sum != .hidden && hasGap(fiscalYear) ? .notApplicable : sum])
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
