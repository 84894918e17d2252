import KPIContract
import Reports
import Spreadsheets
import Trips

/// The latest complete month beside earlier ones: the first thing that a reader asks.
extension WorkbookReport {
    private static let latestMeasures = KPICatalog.measures([
        "trips", "inHouseShare", "totalCost", "costPerTrip", "response.p50", "response.p90", "duration.mean",
    ])
    /// Fewer months have no mean.
    private static let fewestMonthsOfMean = 3
    static let notAssessed = "not assessed"
    static let verdictText =
        "Than usual: from a control chart (XmR) of the complete months, so that chance is not taken for change. "
        + "\"\(notAssessed.prefix(1).uppercased() + notAssessed.dropFirst())\": there is no chart of the measure, or there are fewer "
        + "than 12 comparable months."

    /// Each headline measure: the month, the month and the year before, the mean of twelve months, and whether it is unusual.
    func latest() -> SheetContent {
        let month = latestMonth
        let before = month?.advanced(by: -1), yearBefore = month?.advanced(by: -12)
        var columns: [SheetTable.Column] = [.init(title: "Measure")]
        // The unit is that of the line.
        columns += [
            month?.description ?? "Month", "Month before\(before.map { ", \($0)" } ?? "")",
            "Year before\(yearBefore.map { ", \($0)" } ?? "")", "Mean of 12 months", "Months in the mean",
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
                lines: month.map { month in Self.latestMeasures.map { latestLine($0, month) } } ?? [],
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
        let mean = mean(of: kpi, (-11...0).map(value))
        let verdict = (summary.controlCharts ?? []).chart(of: kpi.name)?.verdict(of: month.description)
        return SheetCell.line([kpi.title], [value(0), value(-1), value(-12), mean.value, mean.months]) + [
            verdict.map { .verdict($0) } ?? .text(Self.notAssessed), .value(Self.values([kpi], overall)[0]),
        ]
    }

    /// The mean of the months that can be compared with the last one, and their number.
    private func mean(of kpi: KPIDescription, _ values: [ShownValue]) -> (value: ShownValue, months: ShownValue) {
        guard case .number(_, let unit, let coverage)? = values.last else {
            return (.notApplicable, .number(0, .count))
        }
        let wholes = values.filter { $0.coverage.isComparable(with: coverage) }.compactMap(\.whole)
        let count = ShownValue.number(wholes.count, .count)
        // A figure that leaves out trips is comparable with no other.
        guard !coverage.isIncomplete else { return (.notComparable, count) }
        guard wholes.count >= Self.fewestMonthsOfMean else { return (.notApplicable, count) }
        // The mean is no more exact than the figures.
        let step = !isInternal && unit.isRoundedInRelease ? Self.percentileStep : 1
        let mean = HalfUp.quotient(wholes.reduce(0, +), by: wholes.count * step) ?? 0
        return (.number(mean * step, unit, coverage), count)
    }
}
