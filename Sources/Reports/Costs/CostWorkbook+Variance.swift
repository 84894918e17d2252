internal import Costs
internal import KPIContract
internal import Trips

extension CostWorkbook {
    /// A month and the one it is compared with.
    enum Comparison: String, CaseIterable {
        case monthBefore = "month before"
        case yearBefore = "year before"

        var distance: Int { self == .monthBefore ? -1 : -12 }
    }

    static let changeColumns: [CostGrid.Column] = [
        .init(title: "Costed trips before", unit: .count, isSummed: true),
        .init(title: "Costed trips", unit: .count, isSummed: true),
        .init(title: "Cost before", unit: .cents, isSummed: true),
        .init(title: "Cost", unit: .cents, isSummed: true),
        .init(title: "Cost per trip before", unit: .cents, derivation: .costPer(cost: 2, count: 0)),
        .init(title: "Cost per trip", unit: .cents, derivation: .costPer(cost: 3, count: 1)),
        .init(title: "Change", unit: .cents, isSummed: true, derivation: .difference(3, 2)),
        .init(
            title: "Volume", unit: .cents, isSummed: true,
            derivation: .volume(tripsBefore: 0, tripsAfter: 1, costBefore: 2, costAfter: 3)),
        .init(title: "Price", unit: .cents, isSummed: true, derivation: .difference(6, 7)),
    ]

    static let changeText =
        "Change = volume + price, to the cent. Volume: more or fewer costed trips at the cost per trip before, rounded to "
        + "the cent, halves away from zero. Price: the rest, another cost per trip. Without a costed trip before, all "
        + "of the change is volume."

    /// Figures of a change; of one that is not known all are hidden.
    static func figures(_ change: CostChange?) -> [Figure?] {
        guard let change else { return changeColumns.map { _ in Figure.hidden } }
        let before = HalfUp.quotient(change.costCentsBefore, by: change.tripsBefore)
        let after = HalfUp.quotient(change.costCentsAfter, by: change.tripsAfter)
        return [
            .value(change.tripsBefore, .count), .value(change.tripsAfter, .count),
            .value(change.costCentsBefore, .cents), .value(change.costCentsAfter, .cents),
            before.map { .value($0, .cents) } ?? Figure.none, after.map { .value($0, .cents) } ?? Figure.none,
            .value(change.changeCents, .cents), .value(change.volumeCents, .cents), .value(change.priceCents, .cents),
        ]
    }

    /// Each month and trip type against the month and the year before, as far as both are shown.
    func varianceSheet() -> SheetLayout {
        var sheet = base.frame("Variance", title: "Why costs changed: volume and price")
        sheet.addParagraph(Self.changeText)
        let cells = cells()
        var lines: [CostGrid.Line] = []
        for month in shownMonths {
            for comparison in Comparison.allCases {
                let earlier = month.advanced(by: comparison.distance)
                let before = cells[earlier.description]
                guard before != nil || report.summary.withheldMonths.contains(earlier.description) else { continue }
                let after = cells[month.description] ?? [:]
                for type in tripTypes where type == Self.all || after[type] != nil || before?[type] != nil {
                    let change = change(from: before?[type], to: after[type], isMonthKnown: before != nil)
                    lines.append(
                        .init(
                            keys: [month.description, type, comparison.rawValue], figures: Self.figures(change)))
                }
            }
        }
        let placed = sheet.add(
            CostGrid(
                name: "Variance", keyTitles: ["Month", "Trip type", "Against"], columns: Self.changeColumns,
                lines: lines, summing: .none,
                emptyText: "No month of the period has one before it to be compared with."))
        markChanges(&sheet, placed)
        return sheet
    }

    func markChanges(_ sheet: inout SheetLayout, _ placed: SheetLayout.PlacedCosts) {
        guard !placed.rows.isEmpty else { return }
        sheet.emphases.append(Emphasis(kind: .sign, rows: placed.rows, columns: placed.column(6)...placed.column(8)))
    }

    /// A type without a cell had no trips in a month that is shown; nil: a figure is hidden.
    private func change(from before: Cell?, to after: Cell?, isMonthKnown: Bool) -> CostChange? {
        func amount(_ cell: Cell?) -> (trips: Int, cents: Int)? {
            guard let cell else { return (0, 0) }
            guard let trips = cell.costedTrips, let cost = cell.totalCost else { return nil }
            return (trips, cost.cents)
        }
        guard isMonthKnown, let old = amount(before), let new = amount(after) else { return nil }
        return CostChange(
            tripsBefore: old.trips, costCentsBefore: old.cents, tripsAfter: new.trips, costCentsAfter: new.cents)
    }

    /// Provider, contract, type and sourcing against the month before, and against the year before.
    func lineVarianceSheet(_ ledger: CostLedger) -> SheetLayout {
        var sheet = base.frame("Line variance", title: "Why costs changed, by provider and contract")
        sheet.addParagraph(Self.changeText + " Filter on one comparison before adding up.")
        let tally = ledger.tally.lines
        let known = Set(tally.keys.map(\.month))
        var lines: [(key: CostKey, line: CostGrid.Line)] = []
        for comparison in Comparison.allCases {
            let distance = Int32(comparison.distance)
            var keys = Set(tally.keys.filter { ledger.months.contains($0.month) })
            keys.formUnion(tally.keys.map { $0.advanced(by: -distance) }.filter { ledger.months.contains($0.month) })
            for key in keys where known.contains(key.month + distance) && known.contains(key.month) {
                let change = CostChange(from: tally[key.advanced(by: distance)], to: tally[key])
                let words = [Month(index: key.month).description] + ledger.words(key) + [comparison.rawValue]
                lines.append((key, .init(keys: words, figures: Self.figures(change))))
            }
        }
        let ordered = lines.map(\.line).sorted { $0.keys.lexicographicallyPrecedes($1.keys) }
        let placed = sheet.add(
            CostGrid(
                name: "LineVariance",
                keyTitles: ["Month", "Provider id", "Provider", "Contract", "Trip type", "Sourcing", "Against"],
                columns: Self.changeColumns, lines: ordered, summing: .none,
                emptyText: "No month of the period has one before it to be compared with."))
        markChanges(&sheet, placed)
        return sheet
    }
}
