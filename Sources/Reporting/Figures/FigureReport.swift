package import Basics
package import Dashboard
package import KPIContract
package import KPIs
package import Privacy
package import Reports
package import Settings
import Trips
import Workbooks

/// A scan's result on its way out: through `Privacy`, then to whichever form is asked for.
package struct FigureReport: Sendable {
    /// What a report from the store says besides the numbers.
    package struct StoreStatement: Sendable {
        package var exports: KPISummaryV1.ExportCounts
        package var missingDays: [CivilDay]
        /// What readers saw until now: months that differ from it are restated.
        package var previousSummary: KPISummaryV1?
        /// All months of the store with a trip that counts, ascending.
        package var months: [Month] = []
        /// What the release shows.
        package var released: ReleasedFigures?
        /// Events of months that were released, as they were then; nil: no events were loaded.
        package var releasedEvents: EventTally?
        /// Restated months of the published set, for a report that is not compared with it.
        package var publishedRestatements: [KPISummaryV1.Restatement] = []

        package init(
            exports: KPISummaryV1.ExportCounts, missingDays: [CivilDay], previousSummary: KPISummaryV1? = nil
        ) {
            self.exports = exports
            self.missingDays = missingDays
            self.previousSummary = previousSummary
        }
    }

    package private(set) var report: SummaryReport
    /// What the report is made from.
    package let publishable: Publishable
    package let generatedAt: UTCTime
    /// Nil: for staff.
    private var auditor: ReleaseAuditor?
    /// Months that are left out of everything.
    package let withheldMonths: Set<Month>
    /// The latest day of a trip that counts here.
    package let dataThrough: CivilDay?

    /// Targets of a region or trip type that is not configured, in words.
    package let unmatchedTargets: [String]

    /// - Parameters:
    ///   - generatedAt: now, or `SOURCE_DATE_EPOCH`.
    ///   - store: what only the store knows. Without it the exports are a release of their own, of all their months.
    ///   - targets: what measures are to reach.
    ///   - isAuditedWithSet: `PreparedSet` audits the files. The report states the result in advance, so the files must not
    ///     be used unless that audit passes.
    package init(
        _ result: TrueFigures, rules: KPISummaryV1.RuleSetStamp, runID: String = "scan",
        disclosure: DisclosureSettings = DisclosureSettings(), audience: Audience, generatedAt: UTCTime,
        store: StoreStatement? = nil, targets: [MeasureTarget] = [], isAuditedWithSet: Bool = false
    ) throws(DisclosureError) {
        self.generatedAt = generatedAt
        let history: Publishable?
        var released: ReleasedFigures?
        switch audience {
        case .staff:
            publishable = try Publishable(forStaff: result.table, minimumCell: disclosure.minimumCell)
            history = try Self.staffHistory(result, disclosure)
            dataThrough = result.latestDay()
        case .release:
            let figures: ReleasedFigures
            if let own = store?.released { figures = own } else { figures = try Self.release(of: result, disclosure) }
            released = figures
            publishable = try Self.publishable(figures, result, result.cells, disclosure, store)
            history = try Self.releaseHistory(figures, result, disclosure, store)
            let shown = Set(publishable.months)
            dataThrough =
                figures.tally.tripsByDay(in: result.cells.months).last { shown.contains($0.day.month) }?.day
        }
        withheldMonths = Set(publishable.withheldMonths)
        let events = Self.events(of: result, store, audience, months: publishable.months)
        var facts = RunStatement(
            generatedAt: generatedAt, runID: runID, dataThrough: dataThrough,
            firstOpenMonth: audience == .release && store?.released != nil
                ? nil : Self.firstOpenMonth(result, on: generatedAt),
            dateBasis: result.dateBasis, counts: result.counts, rulesName: rules.name, rulesVersion: rules.version,
            exports: store?.exports ?? .init(loaded: result.exportCount), missingDays: store?.missingDays,
            previousSummary: store?.previousSummary,
            publishedRestatements: store?.publishedRestatements ?? [], selection: result.selection)
        facts.partialMonths = Self.partialMonths(result, released, before: facts.firstOpenMonth)
        unmatchedTargets = targets.filter { target in
            !(target.region.map(result.context.regions.names.contains) ?? true)
                || !(target.tripType.map(result.context.tripTypes.names.contains) ?? true)
        }.map(\.words)
        facts.targets = Self.targets(targets, of: result)
        let minimumCell = released?.minimumCell ?? disclosure.minimumCell
        facts.events = events.map { events in
            let regions = result.regionNames
            return audience == .staff
                ? PublishableEvents(forStaff: events, regions: regions)
                : PublishableEvents(releasing: events, minimumCell: minimumCell, regions: regions)
        }
        report = SummaryReport(publishable, history: history, facts: facts)
        if let released {
            auditor = ReleaseAuditor(
                released: released, context: result.context, selection: result.cells,
                withheldMonths: publishable.withheldMonths, firstOpenMonth: facts.firstOpenMonth,
                partialMonths: facts.partialMonths,
                minimumCell: minimumCell, missingCounts: disclosure.missingCounts, counts: result.counts,
                events: events, targets: facts.targets)
            if isAuditedWithSet { report = report.audited() } else { try audit() }
        }
    }

    /// Has the report's own bytes audited, and says so in it.
    private mutating func audit() throws(DisclosureError) {
        var files = [
            PublishedFileNames.summary: bytes(.json), PublishedFileNames.cells: bytes(.csv),
        ]
        files[PublishedFileNames.events] = eventsCSV?.bytes
        let findings = auditor?.findings(in: files, of: report) ?? []
        guard findings.isEmpty else { throw .auditFailed(findings) }
        report = report.audited()
    }

    /// What an audit finds in the files of a set; none of a staff set, which is not audited.
    package func auditFindings(in files: [String: [UInt8]]) -> [String] {
        auditor?.findings(in: files, of: report) ?? []
    }

    /// In a report of one region “All” is this region, and has its targets; so for one trip type. Of several types, “All” is
    /// only these: a target of all trip types is not its.
    private static func targets(_ targets: [MeasureTarget], of result: TrueFigures) -> [MeasureTarget] {
        var targets = targets
        if let codes = result.cells.regions, codes.count == 1, let code = codes.first {
            let region = result.context.regions.name(of: code)
            let types = [nil] + Set(targets.compactMap(\.tripType)).sorted().map(Optional.some)
            targets = MeasureTarget.measures.flatMap { measure in
                types.flatMap { type -> [MeasureTarget] in
                    let own = targets.target(of: measure, region: region, tripType: type ?? CellKey.all)
                    return [nil, region].compactMap { place in
                        own.map { MeasureTarget(measure: measure, region: place, tripType: type, figure: $0.figure) }
                    }
                }
            }
        }
        guard let codes = result.cells.tripTypes else { return targets }
        let named = targets.filter { $0.tripType != nil }
        guard codes.count == 1, let code = codes.first else { return named }
        let type = result.context.tripTypes.name(of: code)
        return named
            + named.filter { $0.tripType == type }.map {
                MeasureTarget(measure: $0.measure, region: $0.region, figure: $0.figure)
            }
    }

    /// The true counts that an audience may see something of. For a release: those of its own months.
    private static func events(
        of result: TrueFigures, _ store: StoreStatement?, _ audience: Audience, months: [Month]
    ) -> EventTally? {
        switch audience {
        case .staff: result.events?.filter { result.cells.months?.contains($0) ?? true }
        case .release:
            (store == nil ? result.events : store?.releasedEvents)?.filter(months: Set(months).contains)
        }
    }

    /// Months that are over and lack days. Of a release: of its months, as they were released.
    private static func partialMonths(
        _ result: TrueFigures, _ released: ReleasedFigures?, before open: Month?
    ) -> [Month] {
        let months = released.map { $0.months.map(\.month) }
        return (released?.tally ?? result.tally).monthsLackingDays.filter { month in
            months?.contains(month) ?? true && open.map { month < $0 } ?? true
        }
    }

    /// The first month that is not over, by the rule that the store's releases are made by.
    private static func firstOpenMonth(_ result: TrueFigures, on now: UTCTime) -> Month? {
        let tally = result.tally
        let trips = tally.tripsByDay().reduce(into: [Month: Int]()) { $0[$1.day.month, default: 0] += $1.trips }
        let begun = trips.filter { $0.value >= MinimumCell.standard }.map(\.key)
        return WithheldMonths.firstOpen(
            after: begun, newestDay: { tally.latestDay(in: $0...$0) }, on: WithheldMonths.today(now))
    }

    // MARK: - Staff

    /// What the months asked for are compared with: the same regions and types in all months; nil if these are all.
    private static func staffHistory(
        _ result: TrueFigures, _ disclosure: DisclosureSettings
    ) throws(DisclosureError) -> Publishable? {
        guard let everyMonth = result.cells.months == nil ? nil : result.ofEveryMonth() else { return nil }
        return try Publishable(forStaff: everyMonth.table, minimumCell: disclosure.minimumCell)
    }

    // MARK: - Release

    /// Exports are a release of their own: every month of theirs, whatever is released elsewhere.
    private static func release(
        of result: TrueFigures, _ disclosure: DisclosureSettings
    ) throws(DisclosureError) -> ReleasedFigures {
        let tally = result.tally, rule = disclosure.rule
        try rule.check(tally)
        guard tally.isSure else { throw .patientsNotSure }
        return ReleasedFigures(
            months: tally.monthsMet.map { ReleasedMonth(month: $0, partition: rule.partition(of: $0, in: tally)) },
            tally: tally)
    }

    private static func publishable(
        _ released: ReleasedFigures, _ result: TrueFigures, _ cells: KPISelection, _ disclosure: DisclosureSettings,
        _ store: StoreStatement?
    ) throws(DisclosureError) -> Publishable {
        let known = Set(released.months.map(\.month))
        if let store, released.months.allSatisfy({ cells.months?.contains($0.month) == false }),
            store.months.contains(where: { cells.months?.contains($0) ?? true })
        {
            throw .nothingReleasedYet
        }
        return try Publishable(
            releasing: released.months, tally: released.tally,
            withholding: (store?.months ?? []).filter { !known.contains($0) }, context: result.context,
            selection: cells, minimumCell: released.minimumCell ?? disclosure.minimumCell,
            missingCounts: disclosure.missingCounts)
    }

    /// As `staffHistory`; nil, too, if no more may be shown than what is asked for.
    private static func releaseHistory(
        _ released: ReleasedFigures, _ result: TrueFigures, _ disclosure: DisclosureSettings, _ store: StoreStatement?
    ) throws(DisclosureError) -> Publishable? {
        guard result.cells.months != nil else { return nil }
        var cells = result.cells
        cells.months = nil
        do {
            return try publishable(released, result, cells, disclosure, store)
        } catch .nothingToRelease {
            return nil
        }
    }

    /// - Parameters:
    ///   - length: of a table.
    ///   - ascii: a table in nothing but ASCII.
    package func bytes(
        _ format: TableFormat, length: ReportLength = .screen, color: Bool = false, ascii: Bool = false
    ) -> [UInt8] {
        switch format {
        case .table: Array(table(length, color: color, ascii: ascii).utf8)
        case .csv: CSVReport().bytes(report)
        case .json: JSONReport().bytes(report)
        case .ndjson: NDJSONReport().bytes(report)
        }
    }

    /// `events.csv`, with its number of rows; nil: there are no events.
    package var eventsCSV: (bytes: [UInt8], rows: Int)? {
        report.summary.events.flatMap { events in EventReport(report).map { ($0.csv, events.counts.count) } }
    }

    /// The events alone; nil: there are none, or not in this format.
    package func events(_ format: TableFormat, color: Bool = false, ascii: Bool = false) -> [UInt8]? {
        EventReport(report).flatMap { events in
            switch format {
            case .table: Array(events.text(color: color, ascii: ascii).utf8)
            case .csv: events.csv
            case .json: events.json
            case .ndjson: nil
            }
        }
    }

    private func table(_ length: ReportLength, color: Bool, ascii: Bool) -> String {
        switch length {
        case .brief: BriefReport(color: color, ascii: ascii).text(report)
        case .screen: ScreenReport(color: color, ascii: ascii).text(report)
        case .long: TableReport(color: color, ascii: ascii).text(report)
        }
    }

    /// Tables for a page of notes or a ticket; a brief one for a mail.
    package func markdown(_ length: ReportLength) -> [UInt8] {
        length == .brief ? Array(BriefReport(color: false).markdown(report).utf8) : MarkdownReport().bytes(report)
    }

    /// `dashboard.html`, made from the same bytes as `kpi-summary.json`.
    package func dashboard() throws(DashboardError) -> [UInt8] { try dashboard(of: bytes(.json)) }

    /// - Parameters:
    ///   - summary: the bytes of `kpi-summary.json`.
    ///   - hasTripsPage: whether `trips.html` is beside the page.
    package func dashboard(of summary: [UInt8], hasTripsPage: Bool = false) throws(DashboardError) -> [UInt8] {
        try DashboardPage(report.summary, publishedAs: summary, hasTripsPage: hasTripsPage).bytes
    }

    /// - Parameters:
    ///   - isAccessible: for readers who hear it: plain tables, one a sheet.
    ///   - check: shown the whole file before it takes its place; throws to refuse it.
    package func writeWorkbook(to path: String, isAccessible: Bool, check: ([UInt8]) throws -> Void) throws {
        try WorkbookReport(report, createdAt: generatedAt, style: isAccessible ? .accessible : .standard)
            .write(to: path, check: check)
    }

    /// The workbook for a set of files.
    ///
    /// - Parameter folder: where its parts are while it is made.
    package func workbook(madeIn folder: String) throws -> [UInt8] {
        try WorkbookReport(report, createdAt: generatedAt, style: .standard).bytes(madeIn: folder)
    }

    /// Months whose figures are not what readers saw before.
    package var restatedMonths: [(month: String, restatedAt: String)] {
        (report.summary.restatements ?? []).map { ($0.month, $0.restatedAt) }
    }

    /// Which months look like wrong dates, a sentence each, by the figures that are shown.
    package var edgeMonths: [String] { report.edgeMonths.sentences }

    /// Whether a published summary says the same, but for its time and run, and the age of the data at that time.
    package func saysTheSame(as published: KPISummaryV1) -> Bool {
        var published = published
        published.generatedAt = report.summary.generatedAt
        published.runId = report.summary.runId
        published.quality.freshness.ageDays = report.summary.quality.freshness.ageDays
        return published == report.summary
    }

    /// Whether a published summary shows the same figures, whatever it says of exports and records.
    package func showsTheSame(as published: KPISummaryV1) -> Bool {
        published.cells == report.summary.cells && published.withheldMonths == report.summary.withheldMonths
            && published.events == report.summary.events
    }

    package var months: Int { report.summary.months.count }
    /// Fewest trips and patients of a group, as the report says it.
    package var minimumCell: Int { report.summary.privacy.minimumCell }
    package var cells: Int { report.summary.cells.count }
    /// Rows of `kpi-cells.csv`.
    package var csvRows: Int { cells + (report.summary.groups ?? []).count(where: \.isMerged) }
    package var suppressedCells: Int { report.summary.privacy.suppressedCells }

    /// Headline numbers that are hidden and stand as 0 for the app's sake.
    package var withheldHeadlines: [String] { report.withheldHeadlines }
}
