import Basics
import KPIContract
import KPIs
import Reports
import Trips

/// In-house beside contracted cost: each month, and each fiscal year.
///
/// For staff with cost per trip and per mile of each, from the ledger. A release publishes no costed trips and no miles by
/// sourcing, so it has none of these.
extension CostWorkbook {
    private static let compared: [Sourcing] = [.inHouse, .contracted]
    static let costTitles = KPICatalog.measures([.inHouseCost, .contractedCost]).map(\.title)
    private static let releasedMeasures = KPICatalog.measures([
        .inHouse, .contracted, .unclassified, .inHouseShare, .inHouseCost, .contractedCost,
    ])

    /// In-house and contracted cost per month.
    func sourcingSheet() -> SheetContent {
        let months = tableMonths
        let table: SheetTable
        if let ledger {
            let sums = ledger.period.grouped { SourcedPeriod(index: Int($0.month), sourcing: $0.sourcing) }
            table = Self.ledgerTable("SourcingCosts", "Month", months.map { ($0.description, Int($0.index)) }, sums)
        } else {
            let lines = months.map { month in
                SheetCell.line(
                    [month.description], figures.values(Self.releasedMeasures, figures[month.description]))
            }
            table = Self.releasedTable("SourcingCosts", "Month", lines, known: overall.map(releasedValues) ?? [])
        }
        let isSplitShown =
            months.isEmpty || table.lines.contains { Self.costs($0, table).allSatisfy { $0?.whole != nil } }
        return sourcingSheet(
            Self.sourcingName, "In-house versus contracted cost", table, notes: isSplitShown ? [] : [Self.noSplitText])
    }

    /// In-house and contracted cost per fiscal year.
    func sourcingYearsSheet() -> SheetContent {
        let years = Dictionary(grouping: shownMonths, by: \.fiscalYear).sorted { $0.key < $1.key }
        let names = years.map { year, months in
            "FY\(year), " + (months.count < 12 ? "\(months.count) of 12 months" : "12 months")
        }
        let table: SheetTable
        if let ledger {
            let sums = ledger.period.grouped {
                SourcedPeriod(index: Month(index: $0.month).fiscalYear, sourcing: $0.sourcing)
            }
            table = Self.ledgerTable("SourcingYears", "Fiscal year", Array(zip(names, years.map(\.key))), sums)
        } else {
            let lines = zip(names, years).map { name, year in SheetCell.line([name], releasedSums(year.value)) }
            table = Self.releasedTable("SourcingYears", "Fiscal year", lines, known: overall.map(releasedValues) ?? [])
        }
        return sourcingSheet(
            "Sourcing years", "In-house versus contracted cost by fiscal year", table,
            notes: ["A fiscal year is the sum of its months in the period."])
    }

    private func sourcingSheet(
        _ name: String, _ title: String, _ table: SheetTable, notes: [String]
    ) -> SheetContent {
        let parts = ["In-house", "Contracted", "Unclassified"]
        let paragraphs = [WorkbookReport.costBasis] + [ledger == nil ? Self.noUnitCostText : Self.unitCostText] + notes
        return costSheet(
            name, title, warning: WorkbookReport.notLikeForLike, paragraphs: paragraphs,
            notes: [.trips, .cost, .loadedMile],
            total: SheetTotal(
                trips: table.total(of: parts.map { "\($0) trips" }) ?? 0,
                costCents: table.total(of: parts.map { "\($0) cost" }) ?? 0,
                rest: ledger == nil ? "unclassified, or shown only together with other trips" : nil), table)
    }

    private static let noSplitText =
        "No month shows its costs by sourcing: too few trips of one kind have a cost. Fewer regions and trip types hide less; a "
        + "workbook made with --audience staff hides nothing and stays inside."
    private static let unitCostText =
        "Cost per trip is over costed trips, cost per loaded mile over the trips that have both a cost and loaded miles above zero. "
        + "Loaded miles are of all trips; their total is rounded to a tenth, as in all workbooks."
    private static let noUnitCostText =
        "Cost per trip and per mile of each sourcing are in the workbook for staff: a release publishes no number of costed "
        + "trips and no miles by sourcing."

    // MARK: For staff

    /// A month (`Month.index`) or fiscal year, and a sourcing.
    private struct SourcedPeriod: Hashable {
        var index: Int
        var sourcing: Sourcing
    }

    /// The same figure of both sourcings side by side.
    private static func both(
        _ title: String, _ unit: ValueUnit, isSummed: Bool = true, totalUnit: ValueUnit? = nil,
        derivation: ((String) -> Derivation)? = nil
    ) -> [SheetTable.Column] {
        compared.map { sourcing in
            let word = CostWords.word(sourcing)
            return SheetTable.Column(
                title: "\(word) \(title)", unit: unit, isSummed: isSummed, totalUnit: totalUnit,
                derivation: derivation?(word))
        }
    }

    private static let ledgerColumns: [SheetTable.Column] =
        both("trips", .count) + [
            .init(title: "Unclassified trips", unit: .count, isSummed: true),
            .init(
                title: "In-house share", unit: .tenthsOfPercent,
                derivation: .share(of: "In-house trips", and: "Contracted trips")),
        ] + both("costed trips", .count) + both("cost", .cents) + [
            .init(title: "Unclassified cost", unit: .cents, isSummed: true)
        ]
        + both("cost per trip", .cents, isSummed: false) { .cost("\($0) cost", per: "\($0) costed trips") }
        + both("loaded miles", .hundredthsOfMiles, totalUnit: .tenthsOfMiles)
        // A filter's total cannot be made of these: it has no column of the miles of costed trips.
        + both("cost per loaded mile", .cents, isSummed: false)

    private static func ledgerTable(
        _ name: String, _ key: String, _ periods: [(name: String, index: Int)], _ sums: [SourcedPeriod: CostSums]
    ) -> SheetTable {
        let lines = periods.map { period in
            SheetCell.line([period.name], ledgerValues { sums[SourcedPeriod(index: period.index, sourcing: $0)] })
        }
        let totals = Dictionary(grouping: sums, by: \.key.sourcing).mapValues { parts in
            parts.reduce(into: CostSums()) { $0.merge($1.value) }
        }
        let known = zip(ledgerColumns, ledgerValues { totals[$0] }).map { column, value -> ShownValue in
            guard column.totalUnit == .tenthsOfMiles, let hundredths = value.whole else { return value }
            return .known(HalfUp.quotient(hundredths, by: 10), .tenthsOfMiles)
        }
        return SheetTable(
            name: name, columns: [.init(title: key)] + ledgerColumns, lines: lines, totals: .filtered,
            totalTitle: "Period", knownTotals: known)
    }

    /// In the order of `ledgerColumns`.
    private static func ledgerValues(_ sums: (Sourcing) -> CostSums?) -> [ShownValue] {
        let sides = compared.map { sums($0) ?? CostSums() }, rest = sums(.unclassified) ?? CostSums()
        func both(_ value: (CostSums) -> ShownValue) -> [ShownValue] { sides.map(value) }
        let share = HalfUp.quotient(sides[0].trips, times: 1000, by: sides[0].trips + sides[1].trips)
        var values = both { .number($0.trips, .count) }
        values += [.number(rest.trips, .count), .known(share, .tenthsOfPercent)]
        values += both { .number($0.costedTrips, .count) } + both(\.shownCost) + [rest.shownCost]
        values += both { .known($0.costPerTripCents, .cents) }
        values += both { .number($0.loadedHundredths, .hundredthsOfMiles) }
        return values + both { .known($0.costPerLoadedMileCents, .cents) }
    }

    // MARK: For release

    private func releasedValues(_ cell: Cell) -> [ShownValue] { figures.values(Self.releasedMeasures, cell) }

    /// Counts and costs of some months; a share is a quotient of two of them.
    private func releasedSums(_ months: [Month]) -> [ShownValue] {
        let values = months.map { figures.values(Self.releasedMeasures, figures[$0.description]) }
        var sums = Self.releasedMeasures.enumerated().map { index, kpi in
            ShownValue.sum(values.map { $0[index] }, ValueUnit(kpi.shownFormat))
        }
        // A quotient of counts that leave out trips would be a share of nothing.
        let isWhole = !sums[0].coverage.isIncomplete && !sums[1].coverage.isIncomplete
        sums[3] =
            isWhole ? Derivation.share(of: "", and: "").value(.tenthsOfPercent, from: [sums[0], sums[1]]) : .hidden
        return sums
    }

    private static func releasedTable(
        _ name: String, _ key: String, _ lines: [[SheetCell]], known: [ShownValue]
    ) -> SheetTable {
        var columns = releasedMeasures.map { kpi in
            SheetTable.Column.kpi(kpi) { ownTitles[$0] ?? $0.kpi.title }
        }
        // The published share stays: it may be of other trips than the counts beside it.
        for index in columns.indices { columns[index].derivation = nil }
        return SheetTable(
            name: name, columns: [.init(title: key)] + columns, lines: lines, totals: .filtered, totalTitle: "Period",
            knownTotals: known)
    }

}
