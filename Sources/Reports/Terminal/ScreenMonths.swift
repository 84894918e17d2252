import Basics
import KPIContract

/// The months line by line: the same month of the year before, the last ones, and all together.
enum ScreenMonths {
    /// Without a measure: the change on the month before.
    private static let columns: [(measure: Measure?, column: MarginTable.Column)] = [
        (.trips, .init(header: ["", "Trips"])),
        (nil, .init(header: ["On month", "before"], rank: 0)),
        (.inHouseShare, .init(header: ["In-house", "share"])), (.costPerTrip, .init(header: ["Cost", "per trip"])),
        (.durationMean, .init(header: ["Average", "duration"], rank: 1)),
        (.responseP90, .init(header: ["Response,", "9 of 10 trips"])),
    ]
    /// The mark of a month that is not compared.
    static let notWhole = "~"

    /// - Parameter most: months that have a line; the line of all months is one more.
    static func table(_ report: SummaryReport, latest: String, most: Int) -> MarginTable {
        let summary = report.summary
        let totals = summary.monthTotals
        var shown = Array(totals.suffix(most))
        let yearBefore = Month(latest)?.advanced(by: -12).description
        // Then a line of its own says that months between them are left out.
        var gap: [MarginTable.Row] = []
        if most > 3, let same = totals.first(where: { $0.month == yearBefore }),
            !shown.contains(where: { $0.month == same.month })
        {
            shown = [same] + shown.dropFirst(2)
            gap = [MarginTable.Row(name: "…", figures: columns.map { _ in CellText(text: "") })]
        }
        let partial = Set(summary.monthsNotWhole + (summary.partialMonths ?? []))
        let rows = shown.map { month, cell in
            MarginTable.Row(
                mark: partial.contains(month) ? notWhole : " ", name: PlainName.month(month),
                figures: columns.map { column in
                    guard let measure = column.measure else {
                        return cell == nil ? .notShown : change(summary, month, partial: partial)
                    }
                    return CellText(measure.kpi, of: cell)
                })
        }
        let all = summary.cell(at: CellKey())
        let total = MarginTable.Row(
            name: "All months",
            figures: columns.map { $0.measure.map { CellText($0.kpi, of: all) } ?? CellText(text: "") })
        return MarginTable(
            title: "By month", columns: columns.map(\.column), rows: rows.prefix(1) + gap + rows.dropFirst() + [total])
    }

    /// Trips against those of the month before; none where one of the two is not whole.
    private static func change(_ summary: KPISummaryV1, _ month: String, partial: Set<String>) -> CellText {
        let all = CellKey.all
        let before = Month(month)?.advanced(by: -1).description ?? ""
        let found = summary.comparisons.first { $0.month == month && $0.region == all && $0.tripType == all }
        let cells = [month, before].map { summary.cell(at: CellKey(month: $0)) }
        let isWhole = ![month, before].contains(where: partial.contains) && !cells.contains { $0?.complete == false }
        guard let share = found?.monthOverMonth, isWhole else { return .noValue }
        return CellText(text: TableReport.percent(share))
    }
}
