import Basics
import KPIContract
import KPIs

/// The month report as Markdown with tables (GitHub Flavored Markdown): for a wiki, a ticket or a mail.
///
/// The same figures as on the terminal: the latest complete month in sentences, its events, the measures of everything, of
/// that month and of the month before, the months, targets, and regions by trip types of that month and of all. A `+` stands
/// at the name of a line, and not in its numbers.
package struct MarkdownReport: Sendable {
    private static let columns = KPICatalog.measures([
        .trips, .inHouseShare, .costPerTrip, .durationMean, .responseP50, .responseP90,
    ])

    /// Measures that some trip has a value of.
    private func columns(_ summary: KPISummaryV1) -> [KPIDescription] { summary.withValues(Self.columns) }

    /// The cells of a line. A `+` at the end of its names says that a figure leaves out trips.
    private func line(_ names: [String], _ figures: [CellText]) -> [String] {
        let mark = figures.contains(where: \.isIncomplete) ? " +" : ""
        return names.dropLast() + [(names.last ?? "") + mark] + figures.map(\.text)
    }

    package init() {}

    /// UTF-8.
    package func bytes(_ report: SummaryReport) -> [UInt8] { Array(text(report).utf8) }

    private func text(_ report: SummaryReport) -> String {
        let summary = report.summary
        let part = report.selection.isEmpty ? "" : ": " + report.selection.joined(separator: "; ")
        let age = ReportOpening(report).age
        var parts = [
            "# Ambulance trip KPIs\(Self.escaped(part))", "**\(summary.stamp)**",
            "\(Self.escaped(age)) Made \(summary.generatedAt).",
        ]
        parts += sentences(summary)
        parts += [
            "## Measures\n\n" + measures(summary), "## By month\n\n" + months(summary),
        ]
        if let targets = summary.targets, !targets.isEmpty { parts.append("## Targets\n\n" + Self.targets(targets)) }
        if let latest = latest(summary) { parts.append(grid(summary, month: latest, title: PlainName.month(latest))) }
        if let latest = latest(summary), !summary.mergedGroups(of: latest).isEmpty {
            parts.append(
                "## \(PlainName.month(latest)), groups of several regions or trip types\n\n" + groups(summary, latest))
        }
        parts.append(grid(summary, month: CellKey.all, title: "All months"))
        parts.append("## Notes\n\n" + notes(report).map { "- \(Self.escaped($0))" }.joined(separator: "\n"))
        return parts.joined(separator: "\n\n") + "\n"
    }

    private func latest(_ summary: KPISummaryV1) -> String? { summary.latestCompleteMonth ?? summary.months.last }

    /// What changed, where, since when, and what happened then.
    private func sentences(_ summary: KPISummaryV1) -> [String] {
        guard let month = summary.latestCompleteMonth else { return [] }
        let lines =
            ((summary.headline?.sentences ?? []) + (summary.events.map { EventText($0).sentences(of: month) } ?? []))
            .map(PlainName.sentence)
        return lines.isEmpty
            ? []
            : [
                "## Latest complete month: \(PlainName.month(month))\n\n"
                    + lines.map { "- \(Self.escaped($0))" }.joined(separator: "\n")
            ]
    }

    private static func targets(_ targets: [KPISummaryV1.Target]) -> String {
        table(
            ["Measure", "Region", "Type", "Target", "Gap", "Months met"],
            targets.map { target in
                [
                    target.kpi.map(PlainName.measure) ?? target.measure, target.region, target.tripType, target.words,
                    target.gapWords ?? "–", target.monthsMetText ?? "–",
                ]
            }, names: 3)
    }

    private func measures(_ summary: KPISummaryV1) -> String {
        let before = latest(summary).flatMap { Month($0)?.advanced(by: -1).description }
        let last = [before, latest(summary)].compactMap(\.self).filter(summary.months.contains)
        let cells = ([CellKey.all] + last).map { summary.cell(at: CellKey(month: $0)) }
        return Self.table(
            ["Measure", "All months"] + last.map(PlainName.month),
            summary.withValues(KPICatalog.onScreen).map { kpi in
                line([PlainName.measure(kpi)], cells.map { CellText(kpi, of: $0) })
            })
    }

    private func months(_ summary: KPISummaryV1) -> String {
        let columns = columns(summary)
        return Self.table(
            ["Month"] + columns.map(PlainName.measure),
            summary.monthTotals.map { month, cell in
                line([PlainName.month(month)], columns.map { CellText($0, of: cell) })
            })
    }

    private func grid(_ summary: KPISummaryV1, month: String, title: String) -> String {
        let cells = summary.cells.filter { $0.month == month }, columns = columns(summary)
        return "## \(title), by region and trip type\n\n"
            + Self.table(
                ["Region", "Type"] + columns.map(PlainName.measure),
                cells.map { cell in
                    line([cell.region, cell.tripType], columns.map { CellText($0, of: cell) })
                },
                names: 2)
    }

    private func groups(_ summary: KPISummaryV1, _ month: String) -> String {
        let measures = [Measure.trips.kpi] + KPISummaryV1.Group.shownMeasures
        return Self.table(
            ["Regions and types", "Trips that are"] + measures.map(PlainName.measure),
            summary.mergedGroups(of: month).map { group in
                [summary.places(of: group), group.population.title]
                    + measures.map { CellText($0, of: group.cell).text }
            },
            names: 2)
    }

    private func notes(_ report: SummaryReport) -> [String] {
        let summary = report.summary
        var notes =
            report.isInternal
            ? [] : ["•: fewer than \(summary.privacy.minimumCell) trips or patients, or shown only with other cells."]
        notes.append("–: no value.")
        let shown = summary.withValues(KPICatalog.onScreen + Self.columns)
        let isIncomplete = summary.cells.contains { cell in
            shown.contains { $0.figure(cell) != nil && $0.coverage(cell).isIncomplete }
        }
        if isIncomplete {
            notes.append(
                "+ at a name: a figure of the line leaves out trips that are shown only with others, or are too few to be shown."
            )
        }
        if summary.omitsMissingCounts { notes.append(KPISummaryV1.missingCountsLegend) }
        notes += (summary.notWholeSentences + report.edgeMonths.sentences.map { $0 + "." }).map(PlainName.sentence)
        func list(_ months: [String]) -> String { months.map(PlainName.month).joined(separator: ", ") }
        notes += summary.withheldSentences.map(PlainName.sentence)
        let restated = (summary.restatements ?? []).map(\.month)
        if !restated.isEmpty { notes.append("Months restated: \(list(restated)).") }
        return notes + report.intervalNotes.map { $0 + "." }
    }

    /// - Parameter names: how many columns are names; figures stand at the right.
    private static func table(_ headers: [String], _ rows: [[String]], names: Int = 1) -> String {
        let rule = headers.indices.map { $0 < names ? "---" : "---:" }
        let lines = [headers.map(escaped), rule] + rows.map { $0.map(escaped) }
        return lines.map { "| \($0.joined(separator: " | ")) |" }.joined(separator: "\n")
    }

    /// A name from an export must not become markup.
    static func escaped(_ text: String) -> String {
        String(
            text.flatMap { character -> [Character] in
                let scalars = character.unicodeScalars
                if scalars.contains(where: { [.control, .format].contains($0.properties.generalCategory) }) {
                    return [character.isNewline ? " " : "?"]
                }
                return "\\`*_[]<>|#".contains(character) ? ["\\", character] : [character]
            })
    }
}
