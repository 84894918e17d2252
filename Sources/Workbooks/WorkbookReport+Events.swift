import Basics
import KPIContract
import Reports

/// What is beside the measures: events, and targets. Only where there are any.
extension WorkbookReport {
    /// Longer tables are not printed whole.
    private static let mostPrintedLines = 200

    /// The rows of `events.csv`, the totals of months first; nil: no events were read.
    func events() -> SheetContent? {
        guard let events = summary.events else { return nil }
        let listed = isInternal ? "has no events" : "has no events, or too few to show"
        let isTotal = { (count: KPISummaryV1.EventCount) in count.region == CellKey.all && count.kind == CellKey.all }
        let totals = events.counts.filter(isTotal)
        let isLong = events.counts.count > Self.mostPrintedLines
        let remarks =
            isLong ? ["In print: the totals of months. The sheet also has those of each region and kind."] : []
        let text =
            "Hazard reports, closures and weather. All is the sum of that column. A month, region or kind that is not listed \(listed)."
        return SheetContent(
            name: "Events", title: "Events by month, region and kind",
            blocks: ([text] + remarks).map { .paragraph($0) } + [.gap()], notes: [WorkbookNote.hidden, .all],
            remarks: [text] + remarks,
            table: SheetTable(
                name: "Events",
                columns: SheetTable.Column.texts(["Month", "Region", "Kind"]) + [
                    .init(title: "Events", unit: .count), .init(title: "Evacuations", unit: .count),
                ],
                lines: (totals + events.counts.filter { !isTotal($0) }).map { count in
                    SheetCell.line(
                        [count.month, count.region, count.kind],
                        [
                            .number(count.events, .count, .all),
                            count.evacuations.map { .number($0, .count, .all) } ?? .hidden,
                        ])
                }, emptyText: "No events to show.",
                printedLines: isLong ? totals.count : nil))
    }

    /// What measures are to reach, and how often they did; nil: no targets are set.
    func targets() -> SheetContent? {
        guard let targets = summary.targets else { return nil }
        let text =
            "The gap is that of the latest complete month. Only closed months with complete figures and at least 11 trips count. Times are "
            + "minutes:seconds."
        return SheetContent(
            name: "Targets", title: "Targets, and how often they were met", blocks: [.paragraph(text), .gap()],
            notes: [WorkbookNote.none, .all],
            remarks: [text],
            table: SheetTable(
                name: "Targets",
                columns: SheetTable.Column.texts(["Measure", "Region", "Trip type", "Target", "Gap"]) + [
                    .init(title: "Months met", unit: .count), .init(title: "Months", unit: .count),
                    .init(title: "Share of months met", unit: .tenthsOfPercent),
                ],
                lines: targets.map { target in
                    SheetCell.line(
                        [
                            target.kpi?.title ?? target.measure, target.region, target.tripType, target.words,
                            target.gapWords ?? "n/a",
                        ],
                        [
                            .number(target.monthsMet, .count, .all), .number(target.monthCount, .count, .all),
                            HalfUp.quotient(target.monthsMet, times: 1000, by: target.monthCount)
                                .map { .number($0, .tenthsOfPercent, .all) } ?? .notApplicable,
                        ])
                }, headerHeight: 48))
    }
}
