package import KPIContract
package import KPIs
package import Privacy
import Trips

/// A month's figures ready to be written: the face of `Reports`.
///
/// Enters: a `Publishable`, which only disclosure control can make, and the facts of the run. Leaves: the dashboard
/// contract, and beside it what only some outputs show. Every writer takes this and nothing else, so no unsuppressed
/// number has a road to a file. It reads no clock, opens no file and rounds nothing that is not rounded already.
package struct SummaryReport: Sendable {
    /// Stands wherever nothing was hidden.
    package static let internalStamp = KPISummaryV1.internalStamp
    /// Stands on every line of what may be released.
    package static let released = "disclosure-controlled"
    static let all = "All"

    package let summary: KPISummaryV1
    /// Nothing is hidden: every page, sheet and file must carry `internalStamp`.
    package let isInternal: Bool
    /// For each of `summary.cells` in turn; nil where hidden.
    package let patients: [PatientCount?]
    /// The app's own numbers that are hidden overall and stand as 0 in `summary`, by key.
    package let withheldHeadlines: [String]
    /// What each interval is measured between, one sentence each, for those that differ from the standard.
    package let intervalNotes: [String]
    /// What the figures are restricted to, a phrase each.
    package let selection: [String]
    /// Trips of each month up to the last one shown, of all regions and types asked for; nil where hidden. It begins
    /// before the months that were asked for.
    package let history: [MonthOfTrips]

    /// - Parameter history: the same regions and types in all months, to compare the months of `publishable` with; nil:
    ///   these are all the months.
    package init(_ publishable: Publishable, history: Publishable? = nil, facts: RunFacts) {
        let everyMonth = history ?? publishable
        let notes = Self.intervalNotes(publishable)
        let withheld = Self.withheldHeadlines(publishable.overall)
        isInternal = publishable.mode == .internalUse
        patients = publishable.cells.map(\.patients)
        withheldHeadlines = withheld
        intervalNotes = notes
        selection = facts.selection
        self.history = Self.history(everyMonth, upTo: publishable.months.last)
        let dateBasis = ([facts.dateBasis] + notes + facts.selection).joined(separator: "; ")
        summary = Self.summary(publishable, everyMonth, facts, dateBasis: dateBasis)
    }

    private static func summary(
        _ publishable: Publishable, _ everyMonth: Publishable, _ facts: RunFacts, dateBasis: String
    ) -> KPISummaryV1 {
        let overall = publishable.overall
        let shown = publishable.months.filter { publishable.cell(at: CellScope(month: $0))?.suppressed == false }
        let hidden = publishable.months.filter { !shown.contains($0) }
        let withheld = (hidden + publishable.withheldMonths).sorted()
        let tripsByMonth = shown.map { publishable.cell(at: CellScope(month: $0))?.trips ?? 0 }
        let cells = publishable.cells.map { contractCell($0, of: publishable) }
        return KPISummaryV1(
            contractVersion: KPISummaryV1.version,
            generatedAt: facts.generatedAt,
            runId: facts.runID,
            dataThrough: facts.dataThrough?.description,
            monthEvent: (TripEvent.monthOrder.map(\.field) + [.serviceDate]).map(\.rawValue).joined(separator: ", "),
            dateBasis: dateBasis,
            totalTrips: overall.trips ?? 0,
            avgDuration: Tenths(tenths: overall.interval(.duration).meanTenths ?? 0),
            inHousePercent: overall.inHousePercent ?? 0,
            cost: Cents(cents: overall.costPerTripCents ?? 0),
            chartData: tripsByMonth.map(Double.init),
            months: shown.map(\.description),
            withheldMonths: withheld.map(\.description),
            kpiCards: CardPlan.all(publishable).map { $0.card(of: publishable, months: shown) },
            filters: KPISummaryV1.Filters(
                months: [all] + shown.map(\.description),
                regions: [all] + publishable.regionCodes.map { publishable.regions.name(of: $0) },
                tripTypes: [all] + publishable.tripTypeCodes.map { publishable.tripTypes.name(of: $0) }),
            cells: cells,
            comparisons: comparisons(of: publishable.months, in: everyMonth),
            restatements: restatements(publishable, facts, cells),
            quality: quality(publishable, facts, shown: Set(shown)),
            privacy: privacy(publishable, facts),
            rules: KPISummaryV1.RuleSetStamp(name: facts.rulesName, version: facts.rulesVersion))
    }

    /// Missing days are told of shown months alone: of a hidden month they would say on how many days its few trips lie.
    private static func quality(
        _ publishable: Publishable, _ facts: RunFacts, shown: Set<Month>
    ) -> KPISummaryV1.Quality {
        let missing = facts.missingDays.map { days in days.filter { shown.contains($0.month) } }
        let counts = facts.counts
        let isSaid = publishable.maySay(distinctTrips: counts.added)
        let warnings = publishable.warnings.map { ($0.key.rawValue, $0.value) }
        let age = facts.dataThrough.map { Int(facts.generatedOn.daysSince1970) - Int($0.daysSince1970) }
        return KPISummaryV1.Quality(
            read: isSaid ? counts.read : nil, added: isSaid ? counts.added : nil, updated: counts.updated,
            unchanged: counts.unchanged,
            superseded: counts.superseded, skipped: counts.skipped, rejected: counts.rejected,
            warnings: Dictionary(warnings, uniquingKeysWith: { first, _ in first }),
            freshness: KPISummaryV1.Freshness(newestTrip: facts.dataThrough?.description, ageDays: age),
            exports: facts.exports, missingDayCount: missing?.count,
            missingDays: missing?.prefix(31).map(\.description))
    }

    private static func privacy(_ publishable: Publishable, _ facts: RunFacts) -> KPISummaryV1.PrivacyStatement {
        let withheld = withheldHeadlines(publishable.overall)
        var statement: String
        switch publishable.mode {
        case .internalUse:
            statement = "\(internalStamp). Nothing is hidden; small counts can point at people."
        case .suppressed:
            let minimum = publishable.minimumCell
            statement =
                "Aggregated, disclosure-controlled at \(minimum): counts of trips and patients from 1 to \(minimum - 1), "
                + "and what would reveal them, are hidden."
            statement += audited(publishable)
            if let percent = publishable.costDominancePercent {
                statement += costDominance(percent, publishable.release)
            }
        }
        if !withheld.isEmpty { statement += " Hidden overall, and given as 0: \(withheld.joined(separator: ", "))." }
        return KPISummaryV1.PrivacyStatement(
            statement: statement, minimumCell: publishable.minimumCell, suppressedCells: publishable.suppressedCells,
            auditPassed: publishable.auditPassed)
    }

    private static func audited(_ publishable: Publishable) -> String {
        let found = " An audit found no hidden count that can be computed from the counts shown here"
        guard publishable.auditPassed == true else { return " No audit of differences between cells was made." }
        return switch publishable.release {
        case .single: found + "; it is of this document alone."
        case .series:
            found
                + ". A total over months shows only the counts that each of its months shows, so other published sets "
                + "and reports of the store add nothing to it, as long as its months do not change."
        }
    }

    private static func costDominance(_ percent: Int, _ release: Release) -> String {
        switch release {
        case .single: " Costs that are not in-house are hidden, since it was not counted which providers have them."
        case .series:
            " Costs are hidden where, of those that are not in-house, one provider has \(percent) per cent or more, or "
                + "one or two have all, and where that could be computed."
        }
    }

    /// A mean over none is no secret: only what has a value and may not be shown is withheld.
    private static func withheldHeadlines(_ overall: PublishedCell) -> [String] {
        let duration = overall.interval(.duration)
        let candidates = [
            ("avgDuration", duration.meanTenths == nil && duration.used == nil),
            ("inHousePercent", overall.sourcingSuppressed && overall.inHousePercent == nil),
            ("cost", overall.costPerTripCents == nil && overall.costedTrips != 0),
        ]
        return candidates.filter(\.1).map(\.0)
    }

    private static func intervalNotes(_ publishable: Publishable) -> [String] {
        TripInterval.allCases.compactMap { interval in
            guard let pair = publishable.intervalPairs[interval], pair != interval.standardPair else { return nil }
            return "\(interval.name) runs from \(pair.start.field.rawValue) to \(pair.end.field.rawValue)"
        }
    }
}

extension NamedList {
    /// `Unassigned` for a code that is not in the list.
    func name(of code: UInt8) -> String {
        names.indices.contains(Int(code)) ? names[Int(code)] : Self.unassigned
    }
}
