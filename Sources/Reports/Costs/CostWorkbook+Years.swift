internal import Costs
internal import KPIContract
internal import Trips

extension CostWorkbook {
    private static let monthNames = [
        "Oct", "Nov", "Dec", "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep",
    ]

    /// October to September, and the year: the sum of what is shown, hidden where a month of it is.
    private static let yearColumns: [CostGrid.Column] =
        monthNames.map { .init(title: $0, unit: .cents, isSummed: false) } + [
            .init(title: "Fiscal year", unit: .cents, derivation: .sum(0...11))
        ]

    /// Cost of each fiscal year by month, and its parts.
    func fiscalYearSheet() -> CostSheet {
        let cells = cells()
        let measures: [(name: String, figure: KPIColumn)] = [
            ("Cost", .totalCost), ("In-house cost", .inHouseCost), ("Contracted cost", .contractedCost),
        ]
        let months = Set(shownMonths)
        var lines: [CostGrid.Line] = []
        for year in Set(months.map(\.fiscalYear)).sorted() {
            for measure in measures {
                let figures = Self.months(of: year).map { month -> Figure in
                    guard months.contains(month) else { return .none }
                    return cells[month.description]?[Self.all].map(measure.figure.figure) ?? .hidden
                }
                lines.append(Self.yearLine(["FY\(year)", measure.name], figures, hasGap: hasGap(year)))
            }
        }
        return CostSheet(
            name: "Fiscal years", title: "Fiscal years, October to September",
            paragraphs: [
                "A year with a hidden month has no total, nor has one with a month without trips between others: that is "
                    + "n/a, as is a month outside the period. A year that begins or ends within the period is the sum of its "
                    + "months. \(partsText)"
            ],
            grid: CostGrid(
                name: "FiscalYears", keyTitles: ["Fiscal year", "Measure"], columns: Self.titledYearColumns,
                lines: lines, summing: .none), emphasis: (.shades, 0...11), notes: [.cost, .years])
    }

    /// Of a release the parts may be of fewer trips than the whole.
    private var partsText: String {
        report.isInternal
            ? "In-house and contracted cost, with that of unclassified trips, make up the cost."
            : "In-house and contracted cost make up the cost only where neither is marked and no trip is unclassified: + leaves "
                + "out trips, and ^ counts the cost of unclassified trips as contracted."
    }

    /// The same by provider and contract.
    func providerYearsSheet(_ ledger: CostLedger) -> CostSheet {
        let months = Set(shownMonths)
        let sums = ledger.period.grouped { ProviderMonth($0) }
        let lines = Set(sums.keys.map(\.yearly)).map { year -> CostGrid.Line in
            let figures = Self.months(of: year.fiscalYear).map { month -> Figure in
                guard months.contains(month) else { return .none }
                return .value(sums[year.of(month)]?.costCents ?? 0, .cents)
            }
            let words = [ledger.text(year.providerID), ledger.text(year.providerName), ledger.text(year.contract)]
            return Self.yearLine(["FY\(year.fiscalYear)"] + words, figures, hasGap: hasGap(year.fiscalYear))
        }
        var columns = Self.titledYearColumns
        for index in columns.indices { columns[index].isSummed = true }
        return CostSheet(
            name: "Provider years", title: "Fiscal years by provider and contract",
            grid: CostGrid(
                name: "ProviderYears", keyTitles: ["Fiscal year", "Provider id", "Provider", "Contract"],
                columns: columns, lines: lines.sorted { $0.keys.lexicographicallyPrecedes($1.keys) },
                totalTitle: "All listed"), emphasis: (.shades, 0...11), notes: [.cost, .years])
    }

    /// No two columns of a table may have one name.
    private static let titledYearColumns: [CostGrid.Column] = {
        var columns = yearColumns
        columns[12].title = "Year"
        return columns
    }()

    private static func months(of fiscalYear: Int) -> [Month] {
        (0..<12).map { Month(year: fiscalYear - 1, month: 10).advanced(by: $0) }
    }

    /// Whether a month of the year is missing though months before and after it are there: a sum with a gap in it is not
    /// that of the year.
    private func hasGap(_ fiscalYear: Int) -> Bool {
        let months = shownMonths
        guard let first = months.first, let last = months.last else { return false }
        return Self.months(of: fiscalYear).contains { (first...last).contains($0) && !months.contains($0) }
    }

    private static func yearLine(_ keys: [String], _ months: [Figure], hasGap: Bool) -> CostGrid.Line {
        let coverage = months.reduce(FigureCoverage.all) { $0.union($1.coverage) }
        let total: Figure =
            months.contains(.hidden)
            ? .hidden : hasGap ? .none : .value(months.compactMap(\.whole).reduce(0, +), .cents, coverage)
        return .init(keys: keys, figures: months + [total])
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

        var yearly: ProviderMonth {
            var year = self
            year.month = 0
            return year
        }

        func of(_ month: Month) -> ProviderMonth {
            var part = self
            part.month = month.index
            return part
        }
    }
}
