package import Basics
package import KPIContract
package import Privacy

extension SummaryReport {
    /// Those of a document: found in what readers saw before, or taken over from the published set.
    package static func restatements(
        _ publishable: Publishable, _ facts: RunStatement, _ cells: [KPISummaryV1.Cell]
    ) -> [KPISummaryV1.Restatement] {
        // The release changes only at a revision, and its cells say what waits for one.
        guard publishable.audience == .staff else { return [] }
        guard let previous = facts.previousSummary else { return facts.publishedRestatements }
        return restatements(
            previous: previous, cells: cells, firstOpenMonth: facts.firstOpenMonth,
            generatedAt: facts.generatedAt.description)
    }

    /// The months whose headline figures differ from those that readers saw, in order.
    ///
    /// A month is restated if a figure that both show differs from the previous document's; the entry stays, from document to
    /// document, until the month changes again. A month that is new is not restated. One that is gone has no figures
    /// after. A month that is or was under way grows, and is not restated. Compared with a document of its own figures,
    /// a set gives that document's entries again, so publishing twice gives the same bytes.
    ///
    /// - Parameters:
    ///   - previous: the summary that readers saw until now; nil: none.
    ///   - cells: those of the new summary.
    ///   - firstOpenMonth: in the new summary this month and later ones are under way; nil: every month is over.
    ///   - generatedAt: of the new summary, RFC 3339.
    package static func restatements(
        previous: KPISummaryV1?, cells: [KPISummaryV1.Cell], firstOpenMonth: Month? = nil, generatedAt: String
    ) -> [KPISummaryV1.Restatement] {
        guard let previous else { return [] }
        let before = headlines(previous.cells)
        let after = headlines(cells)
        func isOpen(_ month: String) -> Bool { firstOpenMonth.map { month >= $0.description } ?? false }
        var restatements: [String: KPISummaryV1.Restatement] = [:]
        for carried in previous.restatements ?? [] {
            // A month that was gone and is back is a new one.
            let isBack = before[carried.month] == nil && after[carried.month] != nil
            if !isBack, !isOpen(carried.month) { restatements[carried.month] = carried }
        }
        let wereOpen = Set(previous.openMonths)
        for (month, old) in before where !wereOpen.contains(month) && !isOpen(month) {
            let new = after[month] ?? KPISummaryV1.HeadlineFigures()
            guard isChange(from: old, to: new) else { continue }
            restatements[month] = KPISummaryV1.Restatement(
                month: month, restatedAt: generatedAt, before: old, after: new)
        }
        return restatements.values.sorted { $0.month < $1.month }
    }

    /// Whether a figure is another one, or the month came or went. That a figure is hidden in one of the two is no change:
    /// other months may have asked for it.
    private static func isChange(
        from old: KPISummaryV1.HeadlineFigures, to new: KPISummaryV1.HeadlineFigures
    ) -> Bool {
        let isDifferent = HeadlineMeasure.all.contains { measure in
            guard let before = measure.value(old), let after = measure.value(new) else { return false }
            return before != after
        }
        return isDifferent || (old.trips == nil) != (new.trips == nil)
    }

    private static func headlines(_ cells: [KPISummaryV1.Cell]) -> [String: KPISummaryV1.HeadlineFigures] {
        var headlines: [String: KPISummaryV1.HeadlineFigures] = [:]
        for cell in cells where cell.month != CellKey.all && cell.region == CellKey.all && cell.tripType == CellKey.all
        {
            headlines[cell.month] = KPISummaryV1.HeadlineFigures(
                trips: cell.trips, inHousePercent: cell.inHousePercent, totalCost: cell.totalCost,
                costPerTrip: cell.costPerTrip, avgDuration: cell.duration.mean, responseP90: cell.response.p90)
        }
        return headlines
    }
}
