import Basics
import KPIContract
import KPIs
import Reports

extension CostWorkbook {
    /// What a month is compared with.
    private enum Comparison: String, CaseIterable {
        case monthBefore = "month before"
        case yearBefore = "year before"

        var distance: Int { self == .monthBefore ? -1 : -12 }
    }

    private static let changeColumns: [SheetTable.Column] = [
        .init(title: "Costed trips before", unit: .count, isSummed: true),
        .init(title: "Costed trips", unit: .count, isSummed: true),
        .init(title: "Cost before", unit: .cents, isSummed: true),
        .init(title: "Cost", unit: .cents, isSummed: true),
        .init(
            title: "Cost per trip before", unit: .cents, derivation: .cost("Cost before", per: "Costed trips before")),
        .init(title: "Cost per trip", unit: .cents, derivation: .cost("Cost", per: "Costed trips")),
        .init(title: "Change", unit: .cents, isSummed: true, derivation: .difference("Cost", "Cost before")),
        .init(
            title: "Volume", unit: .cents, isSummed: true,
            derivation: .volume(trips: ("Costed trips before", "Costed trips"), cost: ("Cost before", "Cost"))),
        .init(title: "Price", unit: .cents, isSummed: true, derivation: .difference("Change", "Volume")),
    ]

    static let changeText =
        "Change = volume + price, to the cent. Volume: more or fewer costed trips at the cost per trip before, rounded to "
        + "the cent, halves away from zero. Price: the rest, another cost per trip. Without a costed trip before, all "
        + "of the change is volume. A month that is under way, lacks days or has no trips is not compared."

    /// Costed trips and cost of one or more months, and whether they are of all trips.
    private struct CostSide {
        /// Nil: hidden, by the setting `missing_counts`.
        var trips: Int? = 0
        var cents = 0
        var coverage = FigureCoverage.all
        /// Whether there are trips, and none of them has a cost.
        var isUnknown = false

        /// Trips, cost, and cost per trip.
        var values: (trips: ShownValue, cost: ShownValue, perTrip: ShownValue) {
            let perTrip = trips.map { ShownValue.known(HalfUp.quotient(cents, by: $0), .cents) } ?? .hidden
            return (
                ShownValue.total(trips, .count).covering(coverage),
                isUnknown ? .costUnknown() : .number(cents, .cents, coverage), perTrip.covering(coverage)
            )
        }
    }

    /// The values of `changeColumns`; a side that is nil is not known, and hides all of them.
    ///
    /// - Parameter areWhole: false: a month of them is under way, lacks days or has no trips.
    private static func change(_ before: CostSide?, _ after: CostSide?, areWhole: Bool = true) -> [ShownValue] {
        guard let before, let after else { return changeColumns.map { _ in .hidden } }
        let old = before.values, new = after.values
        let sides = [old.trips, new.trips, old.cost, new.cost, old.perTrip, new.perTrip]
        // Not knowing a cost is no change of it.
        if before.isUnknown || after.isUnknown {
            return sides + [.notApplicable, .notApplicable, .notApplicable]
        }
        // Totals of which one leaves out trips are shown side by side, and are not compared.
        guard areWhole, before.coverage.isComparable(with: after.coverage) else {
            return sides + [.notComparable, .notComparable, .notComparable]
        }
        // Without costed trips the change of cost stays: volume and price would disclose them.
        guard let tripsBefore = before.trips, let tripsAfter = after.trips else {
            return [
                .hidden, .hidden, old.cost, new.cost, .hidden, .hidden, .number(after.cents - before.cents, .cents),
                .hidden, .hidden,
            ]
        }
        let change = CostChange(
            tripsBefore: tripsBefore, costCentsBefore: before.cents, tripsAfter: tripsAfter, costCentsAfter: after.cents
        )
        guard let change else { return changeColumns.map { _ in .hidden } }
        return sides.map { $0.covering(.all) }
            + [change.changeCents, change.volumeCents, change.priceCents].map { .number($0, .cents) }
    }

    private static func line(_ keys: [String], _ change: [ShownValue]) -> [SheetCell] {
        SheetCell.line(keys, change)
    }

    /// Each month and trip type against the month and the year before, as far as both are shown; then each fiscal year.
    func varianceSheet() -> SheetContent {
        let cells = cells(), notCompared = monthsNotCompared
        var lines: [[SheetCell]] = []
        for month in shownMonths {
            for comparison in Comparison.allCases {
                let earlier = month.advanced(by: comparison.distance).description
                let before = cells[earlier], after = cells[month.description]
                let areWhole = notCompared.isDisjoint(with: [month, month.advanced(by: comparison.distance)])
                guard before != nil || report.summary.withheldMonths.contains(earlier) else { continue }
                for type in tripTypes where type == CellKey.all || after?[type] != nil || before?[type] != nil {
                    lines.append(
                        Self.line(
                            [month.description, type, comparison.rawValue],
                            Self.change(
                                Self.sum([before], of: type), Self.sum([after], of: type), areWhole: areWhole)))
                }
            }
        }
        return changes(
            "Variance", "Why costs changed: volume and price", table: "Variance", keys: ["Month", "Trip type"],
            lines + yearChanges(cells)
        ) { $0[1] == .text(CellKey.all) }
    }

    /// - Parameter isPart: whether a line is added up to the months.
    private func changes(
        _ name: String, _ title: String, table: String, keys: [String], _ lines: [[SheetCell]], advice: String = "",
        where isPart: ([SheetCell]) -> Bool = { _ in true }
    ) -> SheetContent {
        let table = SheetTable(
            name: table, columns: SheetTable.Column.texts(keys + ["Against"]) + Self.changeColumns, lines: lines,
            totals: .blank, emptyText: "No month of the period has one before it to be compared with.")
        let isCounted = { (line: [SheetCell]) in
            line[keys.count] == .text(Comparison.monthBefore.rawValue) && isPart(line)
        }
        return costSheet(
            name, title, paragraphs: [Self.changeText + advice], notes: [.cost, .change],
            total: SheetTotal(
                trips: table.total(of: ["Costed trips"], where: isCounted) ?? 0, isOfCostedTrips: true,
                costCents: table.total(of: ["Cost"], where: isCounted) ?? 0,
                rest: "months without a month before them, or with a hidden one"), table)
    }

    /// A fiscal year's whole months of the period against the same months of the year before, where there are all of these.
    private func yearChanges(_ cells: [String: [String: Cell]]) -> [[SheetCell]] {
        let withheld = Set(report.summary.withheldMonths), notCompared = monthsNotCompared
        let whole = shownMonths.filter { notCompared.isDisjoint(with: [$0, $0.advanced(by: -12)]) }
        let years = Dictionary(grouping: whole, by: \.fiscalYear).sorted { $0.key < $1.key }
        return years.flatMap { year, months -> [[SheetCell]] in
            let earlier = months.map { $0.advanced(by: -12).description }
            guard months.count > 1, earlier.allSatisfy({ cells[$0] != nil || withheld.contains($0) }) else { return [] }
            let before = earlier.map { cells[$0] }, after = months.map { cells[$0.description] }
            let types = tripTypes.filter { type in
                type == CellKey.all || (before + after).contains { $0?[type] != nil }
            }
            return types.map { type in
                Self.line(
                    ["FY\(year), \(months.count) months", type, "same months of FY\(year - 1)"],
                    Self.change(Self.sum(before, of: type), Self.sum(after, of: type)))
            }
        }
    }

    /// Over months; nil where a month is withheld (nil) or hides its cost.
    private static func sum(_ months: [[String: Cell]?], of type: String) -> CostSide? {
        var sum = CostSide(), trips = 0
        for month in months {
            guard let month else { return nil }
            // A type without a cell had no trips in a month that is shown.
            guard let cell = month[type] else { continue }
            guard let cost = cell.totalCost else { return nil }
            sum.trips = sum.trips.flatMap { trips in cell.costedTrips.map { trips + $0 } }
            trips += cell.trips ?? 0
            sum.cents += cost.cents
            sum.coverage = sum.coverage.union(Measure.totalCost.kpi.coverage(cell))
        }
        sum.isUnknown = sum.trips == 0 && trips > 0
        return sum
    }

    /// Provider, contract, type and sourcing against the month before, and against the year before.
    func lineVarianceSheet(_ ledger: CostLedger) -> SheetContent {
        // By region most lines would be too small to tell volume from price.
        let tally = ledger.tally.grouped { $0.ofAllRegions }
        let known = Set(tally.keys.map(\.month)), notCompared = monthsNotCompared
        func side(_ sums: CostSums?) -> CostSide {
            CostSide(
                trips: sums?.costedTrips ?? 0, cents: sums?.costCents ?? 0,
                isUnknown: sums.map { $0.trips > 0 && $0.costedTrips == 0 } ?? false)
        }
        var lines: [[SheetCell]] = []
        for comparison in Comparison.allCases {
            let distance = Int32(comparison.distance)
            var keys = Set(tally.keys.filter { ledger.months.contains($0.month) })
            keys.formUnion(tally.keys.map { $0.advanced(by: -distance) }.filter { ledger.months.contains($0.month) })
            for key in keys where known.contains(key.month + distance) && known.contains(key.month) {
                let words =
                    [Month(index: key.month).description] + ledger.words.line(key, withRegion: false)
                    + [comparison.rawValue]
                let months = [Month(index: key.month), Month(index: key.month + distance)]
                let change = Self.change(
                    side(tally[key.advanced(by: distance)]), side(tally[key]),
                    areWhole: notCompared.isDisjoint(with: months))
                lines.append(Self.line(words, change))
            }
        }
        return changes(
            "Line variance", "Why costs changed, by provider and contract", table: "LineVariance",
            keys: ["Month"] + Self.ledgerKeys.filter { $0 != "Region" }, lines.sortedByKeys(),
            advice: " Filter on one comparison before adding up.")
    }
}
