import Basics
import KPIContract
import Reports

/// The latest complete month beside earlier ones: the first thing that a reader asks.
extension WorkbookReport {
    private static let latestMeasures = KPICatalog.measures([
        .trips, .inHouseShare, .totalCost, .costPerTrip, .responseP50, .responseP90, .durationMean,
    ])
    /// Of fewer months nothing is said together.
    private static let fewestPooledMonths = 3
    static let notAssessed = "not assessed"
    static let verdictText =
        "Than usual: from a control chart (XmR) of the complete months, so that chance is not taken for change. "
        + "\"\(notAssessed.prefix(1).uppercased() + notAssessed.dropFirst())\": there is no chart of the measure, or there are fewer "
        + "than 12 comparable months."

    /// Each headline measure: the month, the month and the year before, twelve months together, and whether it is unusual.
    func latest() -> SheetContent {
        let month = latestMonth
        let before = month?.advanced(by: -1), yearBefore = month?.advanced(by: -12)
        var columns: [SheetTable.Column] = [.init(title: "Measure")]
        // The unit is that of the line.
        columns += [
            month?.description ?? "Month", "Month before\(before.map { ", \($0)" } ?? "")",
            "Year before\(yearBefore.map { ", \($0)" } ?? "")", "12 months", "Months in these",
        ].map { .init(title: $0, unit: .count, note: WorkbookNote.latest) }
        columns += [.init(title: "Than usual", note: WorkbookNote.latest), .init(title: "All months", unit: .count)]
        return SheetContent(
            name: "Summary",
            title: month.map { "Latest complete month: \($0)" } ?? "Ambulance trip KPIs",
            blocks: sentences.map { .paragraph($0, .body) } + openBlocks + [.paragraph(Self.verdictText)]
                + coverageBlocks + [.gap()],
            notes: [WorkbookNote.hidden, .none, .latest] + incompleteNote, remarks: sentences + openRemarks,
            table: SheetTable(
                name: "LatestMonth", columns: columns,
                lines: month.map { month in summary.withValues(Self.latestMeasures).map { latestLine($0, month) } }
                    ?? [],
                emptyText: "No complete month in this report.", headerHeight: 48))
    }

    /// What changed, where, and since when: the same as on the page.
    private var sentences: [String] { summary.headline?.sentences ?? [] }

    private func latestLine(_ kpi: KPIDescription, _ month: Month) -> [SheetCell] {
        func value(_ distance: Int) -> ShownValue {
            let name = month.advanced(by: distance).description
            guard let found = monthTotals.first(where: { $0.month == name }) else { return .notApplicable }
            return Self.values([kpi], found.cell)[0]
        }
        let pooled = pooled(kpi, month)
        let verdict = (summary.controlCharts ?? []).chart(of: kpi.measure)?.verdict(of: month.description)
        return SheetCell.line([kpi.title], [value(0), value(-1), value(-12), pooled.value, pooled.months]) + [
            verdict.map { .verdict($0) } ?? .text(Self.notAssessed), .value(Self.values([kpi], overall)[0]),
        ]
    }

    /// The months that can be compared with the last one, together, and their number.
    private func pooled(_ kpi: KPIDescription, _ month: Month) -> (value: ShownValue, months: ShownValue) {
        let names = (-11...0).map { month.advanced(by: $0).description }
        let cells = monthTotals.filter { names.contains($0.month) && !monthsNotWhole.contains($0.month) }
            .compactMap(\.cell)
        guard let last = cells.last, last.month == month.description, kpi.figure(last) != nil, !kpi.isUnknownCost(last)
        else {
            return (.notApplicable, .number(0, .count))
        }
        let coverage = kpi.coverage(last)
        let months = cells.filter {
            kpi.figure($0) != nil && !kpi.isUnknownCost($0) && kpi.coverage($0).isComparable(with: coverage)
        }
        let count = ShownValue.number(months.count, .count)
        // A figure that leaves out trips is comparable with no other.
        guard !coverage.isIncomplete else { return (.notComparable, count) }
        guard months.count >= Self.fewestPooledMonths, let pooled = kpi.pooled(months) else {
            return (.notApplicable, count)
        }
        return (.number(pooled, ValueUnit(kpi.shownFormat), coverage), count)
    }
}
