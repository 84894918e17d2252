import Basics
package import KPIContract

/// The report for a terminal, at most 80 columns wide: the latest complete month in sentences, the figures over everything,
/// trips by month as a sparkline, the latest complete month against earlier ones, the months, region by trip type, what the
/// figures are made of, what was restated and the quality of the data. Months under way are marked, and never compared. A hidden value is a `•`, explained below; a mean over none is a `–`.
package struct TableReport: Sendable {
    /// Whether headings may be bold: a terminal without `NO_COLOR`.
    package let color: Bool
    /// Nothing but ASCII, for a terminal that shows no other characters.
    package let ascii: Bool

    package static let width = 80
    /// At most so many months line by line: a year, and the same month of the year before.
    package static let monthLines = 13

    package init(color: Bool, ascii: Bool = false) {
        self.color = color
        self.ascii = ascii
    }

    package func text(_ report: SummaryReport) -> String {
        let summary = report.summary
        var lines = stamp(report) + heading(report) + sentences(summary) + headlines(summary) + trend(report)
        if let latest = summary.latestCompleteMonth {
            lines += comparison(report, latest) + happened(summary) + targets(summary)
        }
        if summary.months.isEmpty && summary.withheldMonths.isEmpty {
            return finished(lines + quality(report) + stamp(report))
        }
        // Of a single month, the months and the second grid would be the first one again.
        let isOneMonth = summary.months.count + summary.withheldMonths.count == 1
        lines += otherMeasures(summary, isOneMonth: isOneMonth)
        if !isOneMonth { lines += monthTable(summary) }
        if let latest = summary.latestCompleteMonth ?? summary.months.last {
            lines += grid(summary, month: latest, title: "\(latest), by region and trip type")
            lines += mergedGroups(summary, month: latest)
        }
        if !isOneMonth {
            let months = report.selection.isEmpty ? "All months" : "All months of this part"
            lines += grid(summary, month: CellKey.all, title: "\(months), by region and trip type")
        }
        lines += usedAndExcluded(summary) + restated(summary) + quality(report) + notes(report) + stamp(report)
        return finished(lines)
    }

    private func finished(_ lines: [String]) -> String {
        let text = lines.joined(separator: "\n") + "\n"
        return ascii ? ASCIIText.of(text) : text
    }

    private func stamp(_ report: SummaryReport) -> [String] {
        report.isInternal ? [bold(SummaryReport.internalStamp)] : []
    }

    private func heading(_ report: SummaryReport) -> [String] {
        let summary = report.summary
        let months = (summary.months + summary.withheldMonths).sorted()
        let period = Set([months.first, months.last].compactMap(\.self)).sorted().joined(separator: " to ")
        let through = summary.dataThrough.map { ", data through \($0)" } ?? ""
        let only = report.selection.flatMap { TextColumn.wrapped($0, to: Self.width) }
        return [bold("Trip KPIs, \(period)\(through)")] + only + [""]
    }

    private func headlines(_ summary: KPISummaryV1) -> [String] {
        let cards = summary.kpiCards.filter { card in
            KPISummaryV1.KPICard.measures[card.id].map { !summary.isWithoutValue($0.kpi) } ?? true
        }
        return cards.flatMap { card in
            let value = card.value == KPISummaryV1.KPICard.none ? "–" : TextColumn.cut(card.value, to: 16)
            let note = TextColumn.wrapped(card.subtitle, to: 45)
            let first = TextColumn.left(card.title, 18) + TextColumn.left(value, 17) + (note.first ?? "")
            return [first] + note.dropFirst().map { String(repeating: " ", count: 35) + $0 }
        }
    }

    /// The sparkline of up to three years to the latest complete month, with its lowest and highest month.
    private func trend(_ report: SummaryReport) -> [String] {
        guard let last = report.summary.latestCompleteMonth.flatMap({ Month($0) }) else { return [] }
        let points = Sparkline.points(report.history, upTo: last, count: 36)
        guard points.count > 1 else { return [] }
        let values = points.compactMap { if case .value(let value) = $0 { value } else { nil } }
        let range = [values.min(), values.max()].compactMap { $0.map(NumberText.grouped) }.joined(separator: " to ")
        let from = last.advanced(by: 1 - points.count)
        return [
            "Trips by month    " + Sparkline.text(points) + "  " + range,
            String(repeating: " ", count: 18) + "\(from) to \(last)",
        ]
    }

    /// What changed in the latest complete month, where, and since when.
    private func sentences(_ summary: KPISummaryV1) -> [String] {
        let sentences = summary.headline?.sentences ?? []
        return sentences.flatMap { TextColumn.wrapped($0, to: Self.width) } + (sentences.isEmpty ? [] : [""])
    }

    /// The events of the latest complete month; empty where none are shown.
    private func happened(_ summary: KPISummaryV1) -> [String] {
        guard let events = summary.events, let latest = summary.latestCompleteMonth else { return [] }
        let lines = EventText(events).lines(of: latest)
        return lines.isEmpty ? [] : [""] + lines
    }

    // MARK: What the parts share

    /// A measure of a cell, with its mark.
    package func text(_ measure: Measure, _ cell: KPISummaryV1.Cell) -> String {
        let kpi = measure.kpi
        return switch ShownValue(kpi, of: cell) {
        case .number(let whole, _, let coverage): kpi.shownFormat.shown(whole) + coverage.mark
        case .hidden: "•"
        case .notApplicable, .notComparable, .costUnknown: "–"
        }
    }

    /// A measure that has a column in each table, beside the trips.
    struct Column {
        let header: String
        let measure: Measure
        /// Of the table of months. A cost of four digits and its mark need one place more.
        var width = 10
    }

    static let columns = [
        Column(header: "In-house", measure: .inHouseShare),
        Column(header: "Cost/trip", measure: .costPerTrip, width: 12),
        Column(header: "Duration", measure: .durationMean), Column(header: "Resp. p90", measure: .responseP90),
    ]

    /// Those that some trip has a value of.
    func columns(_ summary: KPISummaryV1) -> [Column] {
        Self.columns.filter { !summary.isWithoutValue($0.measure.kpi) }
    }

    /// The figures of the columns.
    func measures(_ cell: KPISummaryV1.Cell, _ columns: [Column]) -> [String] { columns.map { text($0.measure, cell) } }

    package func figure(_ text: String?, hidden: Bool) -> String { text ?? (hidden ? "•" : "–") }

    package func right(_ text: String, _ width: Int) -> String { TextColumn.right(text, width) }

    package func bold(_ text: String) -> String { color ? "\u{1B}[1m\(text)\u{1B}[0m" : text }
}
