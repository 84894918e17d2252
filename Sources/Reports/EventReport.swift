import Basics
import Files
import KPIContract
package import Privacy

/// Counts of events by themselves: `scan --events`, and `events.csv` of a published set.
package struct EventReport: Sendable {
    private let events: KPISummaryV1.Events
    private let stamp: String
    private let isInternal: Bool

    /// - Parameter minimumCell: of the release, for its mark.
    package init(_ events: PublishableEvents, minimumCell: Int) {
        self.events = events.contract
        isInternal = events.audience == .staff
        stamp = isInternal ? SummaryReport.internalStamp : SummaryReport.releaseStamp(minimumCell)
    }

    /// The events of a report of trips; nil: it has none.
    package init?(_ report: SummaryReport) {
        guard let events = report.summary.events else { return nil }
        self.events = events
        isInternal = report.isInternal
        stamp = report.summary.lineStamp
    }

    /// `{"release": …, "months": […], "counts": […]}`, the last two as in `kpi-summary.json`.
    package var json: [UInt8] {
        let document: CanonicalJSON = ["release": stamp, "months": events.months, "counts": events.counts]
        return document.document
    }

    package static let columns = ["release", "month", "region", "kind", "events", "evacuations"]

    /// A row a count; evacuations that are not shown are an empty field.
    package var csv: [UInt8] {
        var bytes: [UInt8] = []
        CSVText.append(Self.columns, to: &bytes)
        for count in events.counts {
            let names = [stamp, count.month, count.region, count.kind].map(CSVText.harmless)
            CSVText.append(names + ["\(count.events)", count.evacuations.map(String.init) ?? ""], to: &bytes)
        }
        return bytes
    }

    /// Lines for a terminal, at most 80 columns wide.
    package func text(color: Bool, ascii: Bool) -> String {
        var lines = isInternal ? [stamp, ""] : []
        if events.months.isEmpty { lines.append(isInternal ? "No events." : "No month has enough events to be shown.") }
        for month in events.months { lines += EventText(events).lines(of: month) + [""] }
        if !isInternal { lines.append("\(stamp) events") }
        while lines.last == "" { lines.removeLast() }
        let text = lines.joined(separator: "\n") + "\n"
        return ascii ? ASCIIText.of(text) : text
    }
}

/// The events of a month, in lines for a terminal.
struct EventText {
    private let events: KPISummaryV1.Events

    init(_ events: KPISummaryV1.Events) { self.events = events }

    /// At most as wide as the report; empty for a month that is not shown.
    func lines(of month: String) -> [String] {
        sentences(of: month).flatMap { line in
            TextColumn.wrapped(line, to: TableReport.width).enumerated().map { $0 == 0 ? $1 : "  " + $1 }
        }
    }

    /// Empty for a month that is not shown.
    func sentences(of month: String) -> [String] {
        guard let total = events.total(of: month) else { return [] }
        let own = events.counts.filter { $0.month == month }
        let all = CellKey.all
        let kinds = own.filter { $0.region == all && $0.kind != all }
        let regions = own.filter { $0.region != all && $0.kind == all }
        let heading = "What happened in \(month): \(NumberText.counted(total.events, "event"))\(evacuations(total))"
        let parts = [
            kinds.isEmpty ? nil : "By kind: " + list(kinds, \.kind),
            regions.isEmpty ? nil : "By region: " + list(regions, \.region),
        ].compactMap(\.self)
        let detail = parts.isEmpty ? ["Too few to divide by kind or region."] : parts
        return [heading] + detail
    }

    private func evacuations(_ count: KPISummaryV1.EventCount) -> String {
        guard let evacuations = count.evacuations else { return "" }
        return ", \(NumberText.counted(evacuations, "evacuation"))"
    }

    /// Most first.
    private func list(_ counts: [KPISummaryV1.EventCount], _ name: KeyPath<KPISummaryV1.EventCount, String>) -> String {
        counts.enumerated().sorted { ($1.element.events, $0.offset) < ($0.element.events, $1.offset) }
            .map { "\($0.element[keyPath: name]) \(NumberText.grouped($0.element.events))" }
            .joined(separator: ", ")
    }
}
