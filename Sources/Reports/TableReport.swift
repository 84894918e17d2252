import KPIContract

/// The report for a terminal, at most 80 columns wide: the figures over everything, then region by trip type for the
/// latest month that is shown and for all months. A hidden value is a `•`, explained below; a mean over none is a `–`.
package struct TableReport: Sendable {
    /// Whether headings may be bold: a terminal without `NO_COLOR`.
    package let color: Bool

    package init(color: Bool) {
        self.color = color
    }

    package func text(_ report: SummaryReport) -> String {
        let summary = report.summary
        var lines = stamp(report) + heading(report) + headlines(summary)
        if let latest = summary.months.last {
            lines += grid(summary, month: latest, title: "\(latest), by region and trip type")
        }
        // Of a single month the second grid would be the first one again.
        if summary.months.count + summary.withheldMonths.count != 1 {
            lines += grid(summary, month: SummaryReport.all, title: "All months, by region and trip type")
        }
        lines += notes(report) + stamp(report)
        return lines.joined(separator: "\n") + "\n"
    }

    private func stamp(_ report: SummaryReport) -> [String] {
        report.isInternal ? [bold(SummaryReport.internalStamp)] : []
    }

    private func heading(_ report: SummaryReport) -> [String] {
        let summary = report.summary
        let period = summary.kpiCards.first?.subtitle ?? ""
        let through = summary.dataThrough.map { ", data through \($0)" } ?? ""
        let only = report.selection.flatMap { TextColumn.wrapped($0, to: 80) }
        return [bold("Trip KPIs, \(period)\(through)")] + only + [""]
    }

    private func headlines(_ summary: KPISummaryV1) -> [String] {
        summary.kpiCards.map { card in
            let value = card.value == CardPlan.none ? "–" : TextColumn.cut(card.value, to: 16)
            return TextColumn.left(card.title, 18) + TextColumn.left(value, 17) + TextColumn.cut(card.subtitle, to: 45)
        }
    }

    private func grid(_ summary: KPISummaryV1, month: String, title: String) -> [String] {
        let cells = summary.cells.filter { $0.month == month && !isBlank($0) }
        let header =
            TextColumn.left("Region", 14) + TextColumn.left("Type", 14)
            + ["Trips", "In-house", "Cost/trip", "Duration", "Resp. p90"].map { TextColumn.right($0, 10) }.joined()
        return ["", bold(title), header] + cells.map(row)
    }

    /// A single region and trip type in which nothing happened: left out, and the footnote says so.
    private func isBlank(_ cell: KPISummaryV1.Cell) -> Bool {
        cell.region != SummaryReport.all && cell.tripType != SummaryReport.all && cell.trips == 0
            && cell.cancelled == 0 && cell.noShow == 0
    }

    private func row(_ cell: KPISummaryV1.Cell) -> String {
        let noSplit = cell.sourcingSuppressed
        let noCost = cell.costedTrips == nil
        let figures = [
            figure(cell.trips.map(NumberText.grouped), hidden: cell.suppressed),
            figure(cell.inHousePercent.map { "\($0)%" }, hidden: noSplit),
            figure(cell.costPerTrip.map { NumberText.dollars(cents: $0.cents) }, hidden: noCost),
            figure(
                cell.duration.mean.map { NumberText.clock(seconds: NumberText.seconds(tenths: $0.tenths)) },
                hidden: cell.duration.used == nil),
            figure(cell.response.p90.map(NumberText.clock), hidden: cell.response.used == nil),
        ]
        let names = TextColumn.left(cell.region, 14) + TextColumn.left(cell.tripType, 14)
        return names + figures.map { TextColumn.right($0, 10) }.joined()
    }

    private func figure(_ text: String?, hidden: Bool) -> String { text ?? (hidden ? "•" : "–") }

    private func notes(_ report: SummaryReport) -> [String] {
        let summary = report.summary
        var notes = ["", "Regions by trip type without any trip are left out."]
        if let overall = summary.cells.first {
            notes += [
                "Duration: \(IntervalNote.text(used: overall.duration.used, excluded: overall.duration.excluded)). "
                    + "Response: \(IntervalNote.text(used: overall.response.used, excluded: overall.response.excluded))."
            ]
        }
        notes.append(readLine(summary.quality))
        if !summary.withheldMonths.isEmpty {
            notes.append("Months withheld: \(summary.withheldMonths.joined(separator: ", ")).")
        }
        notes += restatedLine(summary)
        if !report.isInternal {
            let largest = summary.privacy.minimumCell - 1
            notes.append("• hidden: a count from 1 to \(largest), or a number that would reveal one. – none.")
        }
        notes += report.intervalNotes.map { $0 + "." }
        return notes.flatMap { TextColumn.wrapped($0, to: 80) }
    }

    /// Months with figures that differ from those published before; the JSON has all the figures of all of them.
    private func restatedLine(_ summary: KPISummaryV1) -> [String] {
        let restatements = summary.restatements ?? []
        if restatements.isEmpty { return [] }
        let latest = restatements.suffix(6).map { restatement in
            let trips = [restatement.before.trips, restatement.after.trips]
                .map { $0.map(NumberText.grouped) ?? "–" }.joined(separator: " → ")
            let change = restatement.before.trips == restatement.after.trips ? "" : ", trips \(trips)"
            return "\(restatement.month) (\(restatement.restatedAt.prefix(10))\(change))"
        }
        let earlier = restatements.count - latest.count
        return ["Months restated: \(earlier > 0 ? "\(earlier) earlier ones, " : "")\(latest.joined(separator: ", "))."]
    }

    private func readLine(_ quality: KPISummaryV1.Quality) -> String {
        let read = quality.read.map(String.init) ?? "(hidden)", added = quality.added.map(String.init) ?? "(hidden)"
        return "read \(read) = added \(added) + updated \(quality.updated) + unchanged \(quality.unchanged)"
            + " + superseded \(quality.superseded) + skipped \(quality.skipped) + rejected \(quality.rejected)"
    }

    private func bold(_ text: String) -> String { color ? "\u{1B}[1m\(text)\u{1B}[0m" : text }
}
