package import KPIContract
import KPIs
import Trips

extension TableReport {
    /// For each KPI, how many trips it is made of and how many it goes without.
    package func usedAndExcluded(_ summary: KPISummaryV1) -> [String] {
        guard let overall = summary.cells.first else { return [] }
        var classified: Int?
        if let inHouse = overall.inHouse, let contracted = overall.contracted { classified = inHouse + contracted }
        var withoutCost: Int?
        if let trips = overall.trips, let costed = overall.costedTrips,
            !(overall.incompleteMeasures ?? []).contains("cost")
        {
            withoutCost = trips - costed
        }
        func mark(_ measure: Measure) -> String { measure.kpi.coverage(overall).mark }
        var rows: [(title: String, used: Int?, excluded: Int?, mark: String, statistics: [String])] = [
            (
                "In-house", classified, overall.unclassified, mark(.inHouseShare),
                [text(.inHouseShare, overall)]
            ),
            ("Cost/trip", overall.costedTrips, withoutCost, mark(.costedTrips), [text(.costPerTrip, overall)]),
        ]
        for interval in TripInterval.allCases {
            let title = interval.name.prefix(1).uppercased() + interval.name.dropFirst()
            let counts = overall[interval]
            let statistics = [IntervalStatistic.mean, .p50, .p90].map {
                text(Measure(ofInterval: interval.rawValue, $0), overall)
            }
            let used = Measure(ofInterval: interval.rawValue, .used)
            rows.append((title, counts.used, counts.excluded, mark(used), statistics))
        }
        let title = TextColumn.left("Trips used and excluded", 25)
        return ["", bold(title + ["Used", "Excluded", "Mean", "Median", "P90"].map { right($0, 11) }.joined())]
            + rows.map { row in
                TextColumn.left(row.title, 25)
                    + ([row.used, row.excluded].map { count in
                        figure(count.map { NumberText.grouped($0) + row.mark }, hidden: true)
                    } + row.statistics).map { right($0, 11) }.joined()
            }
    }

    /// Figures of months that differ from those published before; the JSON has all the figures of all of them.
    package func restated(_ summary: KPISummaryV1) -> [String] {
        let restatements = summary.restatements ?? []
        guard !restatements.isEmpty else { return [] }
        let earlier = restatements.count - 6
        let title = earlier > 0 ? "Restated (\(earlier) earlier months are left out)" : "Restated since published"
        var lines = ["", bold(TextColumn.left(title, 48) + right("Before", 16) + right("After", 16))]
        for restatement in restatements.suffix(6) {
            for change in Self.changes(restatement) {
                let what = "\(restatement.month), on \(restatement.restatedAt.prefix(10)): \(change.name)"
                lines.append(TextColumn.left(what, 48) + right(change.before, 16) + right(change.after, 16))
            }
        }
        return lines
    }

    private typealias Change = (name: String, before: String, after: String)

    /// The figures that both sets show and that differ; trips also where the month came or went.
    private static func changes(_ restatement: KPISummaryV1.Restatement) -> [Change] {
        var trips: Change = ("trips", "–", "–")
        var changes: [Change] = []
        for measure in HeadlineMeasure.all {
            let texts = [restatement.before, restatement.after].map(measure.text)
            let change = (
                measure.kpi.title.lowercased().replacing(" share", with: ""), texts[0] ?? "–", texts[1] ?? "–"
            )
            let isShown = !texts.contains(nil), isNamed = measure.measure == .trips && texts[0] != texts[1]
            if isNamed || (isShown && texts[0] != texts[1]) { changes.append(change) }
            // A change of less than the figures show, or of one that one of the two hides.
            if measure.measure == .trips { trips = change }
        }
        return changes.isEmpty ? [trips] : changes
    }

    /// What became of the records, what was odd about them, and what is missing.
    package func quality(_ report: SummaryReport) -> [String] {
        let summary = report.summary
        let quality = summary.quality
        var lines = [readLine(quality) ?? "Counts of records and warnings are for staff."]
        if let shares = summary.qualityShares {
            let said = shares.lines.map { "\($0.title): \($0.text)" }.joined(separator: "; ")
            lines.append("\(said). \(KPISummaryV1.QualityShares.legend)")
        }
        let warnings = quality.warnings.sorted { $0.key < $1.key }
        let counted = warnings.compactMap { code, count in
            count.flatMap { $0 > 0 ? "\(code) \(NumberText.grouped($0))" : nil }
        }
        let scope = report.selection.isEmpty ? "" : " \(KPISummaryV1.Quality.warningScope)"
        if !counted.isEmpty { lines.append("Warnings\(scope): \(counted.joined(separator: ", ")).") }
        if let exports = quality.exports {
            lines.append("Exports: \(exports.loaded) loaded, \(exports.failed) failed, \(exports.waived) waived.")
        }
        if let newest = quality.freshness.newestTrip {
            let age = quality.freshness.ageDays.map { ", \($0) days before this report" } ?? ""
            // Of a part it says how old that is, not how late the exports are.
            lines.append("Newest trip\(report.selection.isEmpty ? "" : " of the selection"): \(newest)\(age).")
        }
        if let missing = quality.missingDayCount, missing > 0 {
            let listed = (quality.missingDays ?? []).prefix(5)
            let more = missing > listed.count ? " and \(missing - listed.count) more" : ""
            lines.append("Days without a trip: \(listed.joined(separator: ", "))\(more).")
        }
        lines += summary.withheldSentences
        return ["", bold("Data quality")] + lines.flatMap { TextColumn.wrapped($0, to: Self.width) }
    }

    /// Nil in the release, which has no counts of records.
    private func readLine(_ quality: KPISummaryV1.Quality) -> String? {
        guard let read = quality.read, let added = quality.added, let updated = quality.updated,
            let unchanged = quality.unchanged, let superseded = quality.superseded, let skipped = quality.skipped,
            let rejected = quality.rejected
        else { return nil }
        return "read \(read) = added \(added) + updated \(updated) + unchanged \(unchanged)"
            + " + superseded \(superseded)" + (quality.merged.map { " + merged \($0)" } ?? "")
            + " + skipped \(skipped) + rejected \(rejected)"
    }

    package func notes(_ report: SummaryReport) -> [String] {
        var notes = [
            "",
            "Trips by month and Trend: from the lowest ▁ to the highest █ of the row. Change: trips on the month "
                + "before; On year: on the same month a year before. Regions by trip type without any trip are left out.",
        ]
        if !report.isInternal {
            let least = report.summary.privacy.minimumCell
            notes.append(
                "• not shown: fewer than \(least) trips or patients, or shown only together with other cells. – none.")
            if report.summary.omitsMissingCounts { notes.append(KPISummaryV1.missingCountsLegend) }
            notes += report.summary.coverageLegends
            if report.history.contains(where: { $0.trips != nil && !$0.isComplete }) {
                notes.append("\(Self.notComparable): not comparable. Such months are • in bars, too.")
            }
            let pending = report.summary.monthsWithRevisionPending
            if !pending.isEmpty {
                notes.append("Revision pending, as corrections wait for it: \(pending.joined(separator: ", ")).")
            }
        } else {
            notes.append("– none: nothing to compute from, or no such month here.")
        }
        notes += report.edgeMonths.sentences.map { $0 + "." }
        notes += report.intervalNotes.map { $0 + "." }
        return notes.flatMap { TextColumn.wrapped($0, to: Self.width) }
    }
}
