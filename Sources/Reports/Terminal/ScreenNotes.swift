import Basics
import KPIContract
import KPIs

/// What a reader must know below the tables, a paragraph each: events, targets, marks, months that are not compared, and
/// the records.
struct ScreenNotes: Sendable {
    let lines: [String]

    /// - Parameters:
    ///   - tables: the tables that are shown.
    ///   - left: how many trip types and regions have no line.
    init(_ report: SummaryReport, tables: [MarginTable], left: Int, latest: String) {
        let summary = report.summary
        var lines = [Self.events(summary, latest), Self.targets(summary)].compactMap(\.self)
        lines += Self.marks(summary, tables)
        let withheld = summary.withheldMonths
        let hidden = tables.flatMap(\.hiddenNames).filter { !withheld.map(PlainName.month).contains($0) }
        if !hidden.isEmpty { lines.append("Not shown by themselves: \(hidden.joined(separator: ", ")).") }
        lines += summary.withheldSentences.map(PlainName.sentence)
        if summary.omitsMissingCounts { lines.append(KPISummaryV1.missingCountsLegend) }
        let restated = (summary.restatements ?? []).map(\.month)
        if !restated.isEmpty {
            lines.append("Figures have changed since they were published: \(Self.months(restated)).")
        }
        let pending = summary.monthsWithRevisionPending
        if !pending.isEmpty { lines.append("Corrections wait for the next revision: \(Self.months(pending)).") }
        lines += report.edgeMonths.sentences.map { PlainName.sentence($0) + "." }
        lines += report.intervalNotes.map { $0 + "." }
        let more =
            left > 0
            ? "\(NumberText.grouped(left)) more types and regions, and all tables: --long." : "More: --long."
        let notes = [Self.records(report), Self.rules(summary), more]
        lines.append(notes.filter { !$0.isEmpty }.joined(separator: " "))
        self.lines = lines
    }

    /// How many records were read and rejected; empty in the release.
    static func records(_ report: SummaryReport) -> String {
        let quality = report.summary.quality
        guard let read = quality.read, let rejected = quality.rejected else { return "" }
        let warnings = NumberText.counted(quality.warnings.values.compactMap(\.self).reduce(0, +), "warning")
        // Records are those of the exports, also where the figures are of a part.
        return "Records: \(NumberText.grouped(read)) read, \(NumberText.grouped(rejected)) rejected"
            + (report.selection.isEmpty ? ", \(warnings)." : "; of this selection \(warnings).")
    }

    /// The in-house share depends on them.
    static func rules(_ summary: KPISummaryV1) -> String { "Rules: \(summary.rules.name)." }

    private static func events(_ summary: KPISummaryV1, _ month: String) -> String? {
        guard let total = summary.events?.total(of: month) else { return nil }
        let evacuations = total.evacuations.map { ", \(NumberText.counted($0, "evacuation"))" } ?? ""
        return "What happened in \(PlainName.month(month)): \(NumberText.counted(total.events, "event"))\(evacuations)."
    }

    /// Which targets the latest complete month missed.
    private static func targets(_ summary: KPISummaryV1) -> String? {
        let all = summary.targets ?? []
        let targets = all.filter { $0.gapWords != nil }
        guard !targets.isEmpty else { return nil }
        let missed = targets.filter { $0.gapWords != "met" }
        let named = missed.prefix(3).map { target in
            let places = [target.region, target.tripType].filter { $0 != CellKey.all }
            let title = ([target.kpi.map(PlainName.measure) ?? target.measure] + places).joined(separator: ", ")
            return "\(title) (\(target.gapWords ?? ""))"
        }
        let more = missed.count > named.count ? "; and \(missed.count - named.count) more" : ""
        let without = all.count - targets.count
        return "Targets met: \(targets.count - missed.count) of \(targets.count)."
            + (without > 0 ? " Without a figure: \(without) more." : "")
            + (missed.isEmpty ? "" : " Missed: \(named.joined(separator: "; "))\(more).")
    }

    private static func marks(_ summary: KPISummaryV1, _ tables: [MarginTable]) -> [String] {
        let least = summary.privacy.minimumCell
        let texts = tables.flatMap(\.rows).flatMap(\.figures)
        var marks: [String] = []
        if tables.contains(where: { $0.has("+") }) {
            marks.append("+ at least: leaves out trips shown only with others, or too few to be shown.")
        }
        if tables.contains(where: { $0.has(ScreenMonths.notWhole) }) {
            marks.append("\(ScreenMonths.notWhole) under way or without some days: not compared.")
        }
        if tables.contains(where: \.hasHidden) {
            marks.append(
                "\(CellText.hidden) not shown: fewer than \(least) trips or patients, or shown only together with others."
            )
        }
        if texts.contains(.noValue) { marks.append("\(CellText.none) none, or not comparable.") }
        return marks.isEmpty ? [] : [marks.joined(separator: " ")]
    }

    private static func months(_ months: [String]) -> String {
        let named = months.suffix(6).map(PlainName.month).joined(separator: ", ")
        return months.count > 6 ? "\(months.count - 6) months and \(named)" : named
    }
}
