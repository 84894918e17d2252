import Basics
import KPIContract

/// The report on one screen of a terminal: 80 columns and at most 40 lines.
///
/// What a reader needs first stands first: whose figures these are and how old, what changed in the latest complete month,
/// that month by trip type and by region, and the last months. `TableReport` has all tables.
package struct ScreenReport: Sendable {
    package static let lines = 40

    private let color: Bool
    private let ascii: Bool

    /// - Parameters:
    ///   - color: whether headings may be bold.
    ///   - ascii: nothing but ASCII.
    package init(color: Bool, ascii: Bool = false) {
        self.color = color
        self.ascii = ascii
    }

    package func text(_ report: SummaryReport) -> String {
        let opening = ReportOpening(report)
        var lines = opening.isOld ? [opening.stamp, opening.age] : [opening.stamp]
        lines = lines.map(bold) + [bold("Ambulance trips, \(opening.months)")] + (opening.isOld ? [] : [opening.age])
        lines += wrapped(opening.selection.joined(separator: "; ")).prefix(2)
        let summary = report.summary
        guard !(summary.months.isEmpty && summary.withheldMonths.isEmpty) else {
            return finished(lines + wrapped("\(ScreenNotes.records(report)) \(ScreenNotes.rules(summary))"))
        }
        let room = Self.lines - lines.count
        for layout in Self.layouts {
            let below = body(report, layout)
            if below.count <= room { return finished(lines + below) }
        }
        return finished(lines + body(report, Self.least).prefix(room))
    }

    private func finished(_ lines: [String]) -> String {
        let text = lines.joined(separator: "\n") + "\n"
        return ascii ? ASCIIText.of(text) : text
    }

    // MARK: What fits on the screen

    /// How many lines the parts have at most.
    private struct Layout: Sendable {
        var months = 4
        /// Trip types and regions.
        var places = Int.max
        /// Lines of sentences. Whole ones only.
        var sentences = 12
    }

    /// The most that a screen could show first. Earlier months are left out first, then regions and trip types, then
    /// sentences.
    private static let layouts =
        (4...13).reversed().map { Layout(months: $0) } + (5...16).reversed().map { Layout(places: $0) }
        + (2...11).reversed().map { Layout(places: 5, sentences: $0) } + [least]
    private static let least = Layout(months: 2, places: 3, sentences: 2)

    private func body(_ report: SummaryReport, _ layout: Layout) -> [String] {
        let summary = report.summary
        let latest = summary.latestCompleteMonth ?? summary.months.last ?? ""
        let isOneMonth = summary.months.count + summary.withheldMonths.count == 1
        let places = ScreenPlaces(summary, month: latest, most: layout.places)
        let months = isOneMonth ? nil : ScreenMonths.table(report, latest: latest, most: layout.months)
        let tables = [places.table] + [months].compactMap(\.self)
        let notes = ScreenNotes(report, tables: tables, left: places.left, latest: latest)
        return sentences(summary, layout.sentences) + tables.flatMap(lines)
            + [trend(report)].compactMap(\.self) + [""] + notes.lines.flatMap(wrapped)
    }

    private func lines(_ table: MarginTable) -> [String] {
        let lines = table.lines().map { $0.isHeader ? bold($0.text) : $0.text }
        return lines.isEmpty ? [] : [""] + lines
    }

    /// What changed in the latest complete month, where, and since when.
    private func sentences(_ summary: KPISummaryV1, _ most: Int) -> [String] {
        let sentences = (summary.headline?.sentences ?? []).map(PlainName.sentence).map(wrapped)
        let lines = sentences.reduce(into: [String]()) { lines, next in
            if lines.count + next.count <= most { lines += next }
        }
        return lines.isEmpty ? [] : [""] + lines
    }

    /// Trips of up to three years as bars, with the lowest and the highest month.
    private func trend(_ report: SummaryReport) -> String? {
        guard let last = report.summary.latestCompleteMonth.flatMap({ Month($0) }) else { return nil }
        let points = Sparkline.points(report.history, upTo: last, count: 36)
        let values = points.compactMap { if case .value(let value) = $0 { value } else { nil } }
        guard points.count > 5, let lowest = values.min(), let highest = values.max() else { return nil }
        return "  Trips of \(points.count) months  \(Sparkline.text(points))  \(NumberText.grouped(lowest)) to "
            + NumberText.grouped(highest)
    }

    private func wrapped(_ text: String) -> [String] {
        text.isEmpty ? [] : TextColumn.wrapped(text, to: TableReport.width)
    }

    private func bold(_ text: String) -> String { color ? "\u{1B}[1m\(text)\u{1B}[0m" : text }
}
