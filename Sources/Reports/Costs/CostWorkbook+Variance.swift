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

    /// Costed trips and cost of one or more months, and whether they are of all trips.
    private struct CostSide {
        /// Nil: hidden, by the setting `missing_counts`.
        var trips: Int? = 0
        var cents = 0
        var coverage = FigureCoverage.all
    }

    /// Sums of which one leaves out trips stand side by side, and are not compared.
    private static func incomparable(_ before: CostSide, _ after: CostSide) -> [Figure?] {
        func costPerTrip(_ side: CostSide) -> Figure {
            guard let trips = side.trips else { return .hidden }
            return HalfUp.quotient(side.cents, by: trips).map { .value($0, .cents, side.coverage) } ?? .none
        }
        return [
            Figure.sum(before.trips, .count).of(before.coverage), Figure.sum(after.trips, .count).of(after.coverage),
            .value(before.cents, .cents, before.coverage), .value(after.cents, .cents, after.coverage),
            costPerTrip(before), costPerTrip(after), .notComparable, .notComparable, .notComparable,
        ]
    }

    /// Without costed trips a change of cost stays: volume and price would give them back.
    private static func uncounted(_ before: CostSide, _ after: CostSide) -> [Figure?] {
        [
            .hidden, .hidden, .value(before.cents, .cents, before.coverage),
            .value(after.cents, .cents, after.coverage),
            .hidden, .hidden, .value(after.cents - before.cents, .cents), .hidden, .hidden,
        ]
    }

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

    /// Each month and trip type against the month and the year before, as far as both are shown; then each fiscal year.
    func varianceSheet() -> CostSheet {
        let cells = cells()
        var lines: [CostGrid.Line] = []
        for month in shownMonths {
            for comparison in Comparison.allCases {
                let earlier = month.advanced(by: comparison.distance)
                let before = cells[earlier.description]
                guard before != nil || report.summary.withheldMonths.contains(earlier.description) else { continue }
                let after = cells[month.description]
                for type in tripTypes where type == Self.all || after?[type] != nil || before?[type] != nil {
                    lines.append(
                        .init(
                            keys: [month.description, type, comparison.rawValue],
                            figures: Self.change(from: [before], to: [after], of: type)))
                }
            }
        }
        lines += yearChanges(cells)
        return changes(
            "Variance", "Why costs changed: volume and price", table: "Variance", keys: ["Month", "Trip type"], lines)
    }

    private func changes(
        _ name: String, _ title: String, table: String, keys: [String], _ lines: [CostGrid.Line], advice: String = ""
    ) -> CostSheet {
        CostSheet(
            name: name, title: title, paragraphs: [Self.changeText + advice],
            grid: CostGrid(
                name: table, keyTitles: keys + ["Against"], columns: Self.changeColumns, lines: lines, summing: .none,
                emptyText: "No month of the period has one before it to be compared with."),
            emphasis: (.sign, 6...8), notes: [.cost, .change])
    }

    /// A fiscal year's months of the period against the same months of the year before, where there are all of these.
    private func yearChanges(_ cells: [String: [String: Cell]]) -> [CostGrid.Line] {
        var lines: [CostGrid.Line] = []
        let withheld = Set(report.summary.withheldMonths)
        for (year, months) in Dictionary(grouping: shownMonths, by: \.fiscalYear).sorted(by: { $0.key < $1.key }) {
            let earlier = months.map { $0.advanced(by: -12).description }
            let areThere = earlier.allSatisfy { cells[$0] != nil || withheld.contains($0) }
            guard months.count > 1, areThere else { continue }
            let before = earlier.map { cells[$0] }, after = months.map { cells[$0.description] }
            for type in tripTypes where type == Self.all || (before + after).contains(where: { $0?[type] != nil }) {
                lines.append(
                    .init(
                        keys: ["FY\(year), \(months.count) months", type, "same months of FY\(year - 1)"],
                        figures: Self.change(from: before, to: after, of: type)))
            }
        }
        return lines
    }

    /// Between the sums over months; a month that is nil is withheld.
    private static func change(
        from before: [[String: Cell]?], to after: [[String: Cell]?], of type: String
    ) -> [Figure?] {
        func sum(_ months: [[String: Cell]?]) -> CostSide? {
            var sum = CostSide()
            for month in months {
                guard let month else { return nil }
                // A type without a cell had no trips in a month that is shown.
                guard let cell = month[type] else { continue }
                guard let cost = cell.totalCost else { return nil }
                sum.trips = sum.trips.flatMap { trips in cell.costedTrips.map { trips + $0 } }
                sum.cents += cost.cents
                sum.coverage = sum.coverage.union(KPICatalog.description(named: "totalCost")?.coverage(cell) ?? .all)
            }
            return sum
        }
        guard let old = sum(before), let new = sum(after) else { return figures(nil) }
        guard old.coverage.isComparable(with: new.coverage) else { return incomparable(old, new) }
        guard let tripsBefore = old.trips, let tripsAfter = new.trips else { return uncounted(old, new) }
        return figures(
            CostChange(
                tripsBefore: tripsBefore, costCentsBefore: old.cents, tripsAfter: tripsAfter, costCentsAfter: new.cents)
        )
    }

    /// Provider, contract, type and sourcing against the month before, and against the year before.
    func lineVarianceSheet(_ ledger: CostLedger) -> CostSheet {
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
        return changes(
            "Line variance", "Why costs changed, by provider and contract", table: "LineVariance",
            keys: ["Month", "Provider id", "Provider", "Contract", "Trip type", "Sourcing"],
            lines.map(\.line).sorted { $0.keys.lexicographicallyPrecedes($1.keys) },
            advice: " Filter on one comparison before adding up.")
    }
}
