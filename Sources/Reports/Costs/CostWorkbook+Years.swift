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
    func fiscalYearSheet() -> SheetLayout {
        var sheet = base.frame("Fiscal years", title: "Fiscal years, October to September")
        sheet.addParagraph(
            "A year with a hidden month has no total, n/a is a month outside the period. "
                + "In-house and contracted cost, with that of unclassified trips, make up the cost.")
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
                lines.append(Self.yearLine(["FY\(year)", measure.name], figures))
            }
        }
        let placed = sheet.add(
            CostGrid(
                name: "FiscalYears", keyTitles: ["Fiscal year", "Measure"], columns: Self.titledYearColumns,
                lines: lines,
                summing: .none))
        shade(&sheet, placed)
        return sheet
    }

    /// The same by provider and contract.
    func providerYearsSheet(_ ledger: CostLedger) -> SheetLayout {
        var sheet = base.frame("Provider years", title: "Fiscal years by provider and contract")
        let months = Set(shownMonths)
        let sums = ledger.period.grouped { ProviderMonth($0) }
        let lines = Set(sums.keys.map(\.yearly)).map { year -> CostGrid.Line in
            let figures = Self.months(of: year.fiscalYear).map { month -> Figure in
                guard months.contains(month) else { return .none }
                return .value(sums[year.of(month)]?.costCents ?? 0, .cents)
            }
            let words = [ledger.text(year.providerID), ledger.text(year.providerName), ledger.text(year.contract)]
            return Self.yearLine(["FY\(year.fiscalYear)"] + words, figures)
        }
        var columns = Self.titledYearColumns
        for index in columns.indices { columns[index].isSummed = true }
        let placed = sheet.add(
            CostGrid(
                name: "ProviderYears", keyTitles: ["Fiscal year", "Provider id", "Provider", "Contract"],
                columns: columns, lines: lines.sorted { $0.keys.lexicographicallyPrecedes($1.keys) },
                totalTitle: "All listed"))
        shade(&sheet, placed)
        return sheet
    }

    /// No two columns of a table may have one name.
    private static let titledYearColumns: [CostGrid.Column] = {
        var columns = yearColumns
        columns[12].title = "Year"
        return columns
    }()

    private func shade(_ sheet: inout SheetLayout, _ placed: SheetLayout.PlacedCosts) {
        guard !placed.rows.isEmpty else { return }
        sheet.emphases.append(
            Emphasis(kind: .shades, rows: placed.rows, columns: placed.column(0)...placed.column(11)))
    }

    private static func months(of fiscalYear: Int) -> [Month] {
        (0..<12).map { Month(year: fiscalYear - 1, month: 10).advanced(by: $0) }
    }

    private static func yearLine(_ keys: [String], _ months: [Figure]) -> CostGrid.Line {
        let total: Figure =
            months.contains(.hidden) ? .hidden : .value(months.compactMap(\.whole).reduce(0, +), .cents)
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
