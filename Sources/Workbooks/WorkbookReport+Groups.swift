import KPIContract
import Reports

/// The groups of several regions or trip types of a release: trips that are in no cell by themselves.
extension WorkbookReport {
    private static let measures =
        KPISummaryV1.Group.measures
        + KPICatalog.measures([.durationMean, .durationP90, .responseMean, .responseP90])

    private static let mostPrintedGroups = 40

    /// Nil for staff, and where no group is of several regions or trip types.
    func mergedGroups() -> SheetContent? {
        // The newest month first. A long table is printed for this month only.
        let merged = (summary.groups ?? []).filter(\.isMerged)
        let groups = Set(merged.map(\.month)).sorted(by: >).flatMap { month in merged.filter { $0.month == month } }
        guard let newest = groups.first?.month else { return nil }
        let isLong = groups.count > Self.mostPrintedGroups
        let printed = isLong ? ["In print: the groups of \(newest). The sheet also has those of the other months."] : []
        let lines = groups.map { group in
            let keys = [group.month, group.population.title, group.regionsText, group.tripTypesText]
            let figures =
                group.population.isCompleted
                ? Self.values(Self.measures, group.cell) : Self.measures.map { _ in .notApplicable }
            return SheetCell.line(keys, [.number(group.trips, .count)] + figures)
        }
        return SheetContent(
            name: "Merged groups", title: "Groups of several regions or trip types",
            blocks: [
                .paragraph(
                    "Trips of regions and trip types that are too few to be shown by themselves are shown together. Each line is "
                        + "one group: how its trips are divided is not shown. In-house, contracted, unclassified, cancelled trips "
                        + "and no-shows have groups of their own.")
            ] + printed.map { .paragraph($0) } + [.gap()], notes: [WorkbookNote.hidden, .none], remarks: printed,
            table: SheetTable(
                name: "MergedGroups",
                columns: SheetTable.Column.texts(["Month", "Trips that are", "Regions", "Trip types"])
                    + [.init(title: "Trips", unit: .count)] + Self.measures.map { SheetTable.Column.kpi($0) },
                lines: lines, printedLines: isLong ? groups.count { $0.month == newest } : nil, headerHeight: 48))
    }
}
