import Basics
package import KPIContract
package import KPIs
package import Privacy
import Trips

/// A month's figures ready to be written: the face of `Reports`.
///
/// In: a `Publishable`, which only disclosure control can make, and the facts of the run. Out: the dashboard contract,
/// and beside it what only some outputs show. Every writer takes this and nothing else, so no other number reaches a
/// file. It reads no clock and opens no file.
package struct SummaryReport: Sendable {
    /// Marks every output for staff.
    package static let internalStamp = KPISummaryV1.internalStamp

    package private(set) var summary: KPISummaryV1
    /// For staff: every page, sheet and file must carry `internalStamp`.
    package let isInternal: Bool
    /// For each of `summary.cells` in turn; nil where hidden.
    package let patients: [PatientCount?]
    /// The app's own numbers that are hidden overall and stand as 0 in `summary`, by key.
    package var withheldHeadlines: [String] { summary.withheldHeadlines ?? [] }
    /// What each interval is measured between, one sentence each, for those that differ from the standard.
    package let intervalNotes: [String]
    /// What the figures are restricted to, a phrase each.
    package let selection: [String]
    /// Trips of each month up to the last one shown, of all regions and types asked for; nil where hidden. It begins
    /// before the months that were asked for.
    package let history: [MonthOfTrips]

    /// - Parameter history: the same regions and types in all months, to compare the months of `publishable` with; nil:
    ///   these are all the months.
    package init(_ publishable: Publishable, history: Publishable? = nil, facts: RunStatement) {
        let everyMonth = history ?? publishable
        intervalNotes = Self.intervalNotes(publishable)
        isInternal = publishable.audience == .staff
        patients = publishable.cells.map(\.patients)
        selection = facts.selection
        self.history = Self.history(everyMonth, upTo: publishable.months.last, partial: facts.partialMonths)
        let dateBasis = ([facts.dateBasis] + intervalNotes + facts.selection).joined(separator: "; ")
        summary = Self.summary(publishable, everyMonth, facts, dateBasis: dateBasis)
    }

    private static func summary(
        _ publishable: Publishable, _ everyMonth: Publishable, _ facts: RunStatement, dateBasis: String
    ) -> KPISummaryV1 {
        let cells = cells(of: publishable), groups = groups(of: publishable)
        let regions = publishable.regionCodes.map { publishable.regions.name(of: $0) }
        let types = publishable.tripTypeCodes.map { publishable.tripTypes.name(of: $0) }
        let intervalEvents = intervalEvents(publishable)
        let document = KPISummaryV1(
            contractVersion: KPISummaryV1.version,
            audience: publishable.audience.rawValue,
            generatedAt: facts.generatedAt.description,
            runId: facts.runID,
            dataThrough: facts.dataThrough?.description,
            monthEvent: (TripEvent.monthOrder.map(\.field) + [.serviceDate]).map(\.rawValue).joined(separator: ", "),
            dateBasis: dateBasis,
            intervalEvents: intervalEvents.isEmpty ? nil : intervalEvents,
            selection: facts.selection.isEmpty ? nil : facts.selection,
            totalTrips: 0, avgDuration: Tenths(tenths: 0), inHousePercent: 0, cost: Cents(cents: 0), chartData: [],
            months: [], withheldMonths: [],
            partialMonths: facts.partialMonths.isEmpty ? nil : facts.partialMonths.map(\.description),
            kpiCards: [],
            filters: FilterOptions(months: [], regions: [CellKey.all] + regions, tripTypes: [CellKey.all] + types),
            cells: cells,
            mergedGroups: mergedGroups(groups), groups: groups,
            events: facts.events?.contract,
            comparisons: [],
            restatements: restatements(publishable, facts, cells),
            quality: quality(publishable, facts, shown: Set(publishable.months)),
            qualityShares: qualityShares(publishable, facts.counts),
            privacy: privacy(publishable),
            rules: KPISummaryV1.RuleSetStamp(name: facts.rulesName, version: facts.rulesVersion))
        return DocumentDerivation(
            everyMonth: Self.cells(of: everyMonth), firstOpenMonth: facts.firstOpenMonth, targets: facts.targets,
            monthsLeftOut: publishable.withheldMonths.map(\.description)
        ).applied(to: document)
    }

    /// Counts of records, warnings, files and missing days are for staff: in the release each would be a way to a count
    /// of single trips.
    private static func quality(
        _ publishable: Publishable, _ facts: RunStatement, shown: Set<Month>
    ) -> KPISummaryV1.Quality {
        let age = facts.dataThrough.map { Int(facts.generatedAt.day.daysSince1970) - Int($0.daysSince1970) }
        let freshness = KPISummaryV1.Freshness(newestTrip: facts.dataThrough?.description, ageDays: age)
        guard publishable.audience == .staff else {
            let none = WarningCode.allCases.map { ($0.rawValue, Int?.none) }
            return KPISummaryV1.Quality(
                read: nil, added: nil, updated: nil, unchanged: nil, superseded: nil, skipped: nil, rejected: nil,
                warnings: Dictionary(none, uniquingKeysWith: { first, _ in first }), freshness: freshness)
        }
        let missing = facts.missingDays.map { days in days.filter { shown.contains($0.month) } }
        let counts = facts.counts
        let warnings = WarningCode.allCases.map { ($0.rawValue, Optional(publishable.warnings?[$0] ?? 0)) }
        return KPISummaryV1.Quality(
            read: counts.read, added: counts.added, updated: counts.updated, unchanged: counts.unchanged,
            superseded: counts.superseded, merged: counts.merged == 0 ? nil : counts.merged,
            skipped: counts.skipped, rejected: counts.rejected,
            warnings: Dictionary(warnings, uniquingKeysWith: { first, _ in first }), freshness: freshness,
            exports: facts.exports, missingDayCount: missing?.count,
            missingDays: missing?.prefix(31).map(\.description))
    }

    /// Without what follows from the cells.
    private static func privacy(_ publishable: Publishable) -> KPISummaryV1.PrivacyStatement {
        var statement: String
        switch publishable.audience {
        case .staff: statement = "\(internalStamp). Nothing is hidden; small counts can point at people."
        case .release:
            statement =
                "\(releaseStamp(publishable.minimumCell)). Every figure is computed from counts and sums of groups of at "
                + "least \(publishable.minimumCell) trips and, where patients are named, as many patients."
            let redundant = publishable.intervalsWithoutMean.map(\.name)
            if !redundant.isEmpty {
                statement +=
                    " Not released, since other means add up to it: the mean of \(redundant.joined(separator: ", "))."
            }
        }
        if publishable.missingCounts == .omit { statement += " " + KPISummaryV1.missingCountsLegend }
        return KPISummaryV1.PrivacyStatement(
            statement: statement, minimumCell: publishable.minimumCell, suppressedCells: 0,
            auditPassed: nil,
            missingCounts: publishable.missingCounts == .omit ? KPISummaryV1.omittedMissingCounts : nil)
    }

    /// Marks every output for anybody.
    package static func releaseStamp(_ minimumCell: Int) -> String {
        "Disclosure-controlled: groups of \(minimumCell) or more"
    }

    /// The same report, saying that the audit of its files passed.
    package func audited() -> SummaryReport {
        var report = self
        report.summary.privacy.auditPassed = true
        return report
    }

    private static func intervalEvents(_ publishable: Publishable) -> [KPISummaryV1.IntervalEvents] {
        TripInterval.allCases.compactMap { interval in
            guard let pair = publishable.intervalPairs[interval], pair != interval.standardPair else { return nil }
            return KPISummaryV1.IntervalEvents(
                interval: interval.name, start: pair.start.field.rawValue, end: pair.end.field.rawValue)
        }
    }

    private static func intervalNotes(_ publishable: Publishable) -> [String] {
        intervalEvents(publishable).map { "\($0.interval) runs from \($0.start) to \($0.end)" }
    }
}
