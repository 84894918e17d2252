import Basics
import KPIContract

/// The latest complete month in at most 12 lines: for a terminal, or as Markdown for a mail.
package struct BriefReport: Sendable {
    package static let lines = 12

    private static let measures: [Measure] = [.trips, .inHouseShare, .costPerTrip, .durationMean, .responseP90]
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
        var lines = [opening.stamp, title(report, opening)].map { color ? "\u{1B}[1m\($0)\u{1B}[0m" : $0 }
        lines.append(TextColumn.cut(opening.age, to: TableReport.width))
        lines += figures(report.summary).map { figure in
            let text = TextColumn.left(figure.title, 26) + TextColumn.right(figure.now, 14)
            return figure.before.isEmpty ? text : text + "   " + TextColumn.cut(figure.before, to: 37)
        }
        let sentences = sentences(report.summary).map { TextColumn.wrapped($0, to: TableReport.width) }
        let isWhole = lines.count + sentences.joined().count <= Self.lines
        for sentence in sentences where lines.count + sentence.count <= Self.lines - (isWhole ? 0 : 1) {
            lines += sentence
        }
        if !isWhole { lines.append(Self.rest) }
        let text = lines.joined(separator: "\n") + "\n"
        return ascii ? ASCIIText.of(text) : text
    }

    /// GitHub Flavored Markdown.
    package func markdown(_ report: SummaryReport) -> String {
        let opening = ReportOpening(report)
        let escaped = MarkdownReport.escaped
        var lines = ["**\(escaped(title(report, opening)))**", "", escaped("\(opening.stamp). \(opening.age)"), ""]
        lines += figures(report.summary).map { figure in
            let before = figure.before.isEmpty ? "" : " (\(figure.before))"
            return "- " + escaped("\(figure.title): \(figure.now)\(before)")
        }
        let sentences = sentences(report.summary).map { "- " + escaped($0) }
        return (lines + sentences.prefix(Self.lines - lines.count)).joined(separator: "\n") + "\n"
    }

    private static let rest = "More: leave out --brief."

    private func title(_ report: SummaryReport, _ opening: ReportOpening) -> String {
        let month = report.summary.latestCompleteMonth.map(PlainName.month)
        let parts = ["Ambulance trips", month ?? opening.months] + opening.selection
        return TextColumn.cut(parts.joined(separator: ", "), to: TableReport.width)
    }

    /// The first sentence has the figures, which are above.
    private func sentences(_ summary: KPISummaryV1) -> [String] {
        (summary.headline?.sentences ?? []).dropFirst().map(PlainName.sentence)
    }

    /// A measure of the latest complete month, or of all months if none is complete.
    private struct MonthFigure {
        let title: String
        let now: String
        /// The month before, and whether the change is usual.
        let before: String
    }

    private func figures(_ summary: KPISummaryV1) -> [MonthFigure] {
        let latest = summary.latestCompleteMonth
        guard !summary.months.isEmpty, let cell = summary.cell(at: CellKey(month: latest ?? CellKey.all)) else {
            return []
        }
        let before = latest.flatMap { Month($0)?.advanced(by: -1).description } ?? ""
        let earlier = summary.cell(at: CellKey(month: before))
        return Self.measures.compactMap { measure in
            let kpi = measure.kpi
            let now = CellText(kpi, of: cell)
            guard now.isFigure, !now.isIncomplete || measure == .trips else {
                guard now.text == CellText.hidden || now.isIncomplete else { return nil }
                return MonthFigure(title: PlainName.measure(kpi), now: "not shown", before: "")
            }
            var parts: [String] = []
            if let old = earlier.map({ CellText(kpi, of: $0) }), old.isFigure, !old.isIncomplete, !now.isIncomplete {
                parts.append("\(PlainName.month(before)): \(old.text)")
            }
            let chart = (summary.controlCharts ?? []).chart(of: measure)
            if let verdict = latest.flatMap({ chart?.verdict(of: $0) }), verdict != .usual {
                parts.append(verdict.words)
            }
            return MonthFigure(
                title: PlainName.measure(kpi), now: (now.isIncomplete ? "at least " : "") + now.text,
                before: parts.joined(separator: "; "))
        }
    }
}
