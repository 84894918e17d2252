import ArgumentParser
import Reporting
import Settings
import Trips
import UseCases

struct ReportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Report a selection of the KPIs: months, a fiscal year, regions, trip types.",
        discussion: """
            Without a FILE it reads the store; with FILEs it reads these, as `scan` does. The report has the selected \
            cells only; "All" in it means the whole selection.

            The report is for staff: it shows exact numbers of all months, from the last `tripkpi run` or `tripkpi \
            load`, and is stamped as internal. A report of the store, and a report in a file, is recorded in the \
            audit log.

            --release shows what may be published: the months that `tripkpi run` or `tripkpi publish` has released, as \
            they were released, in groups of at least 11 trips and patients. A report of any selection discloses no \
            more than the published set. A report of FILEs is a release of its own: publish one such report, and never \
            beside sets of the same trips.

            Comparisons (month before, year before, 12 months, fiscal year to date) use all months, selected or not. \
            Counts of records are those of the whole exports; only staff see them. Restated months are those of the \
            published set, with the numbers before and after; they cover all regions and types.

            On a terminal whose locale is not UTF-8 the table is plain ASCII.

            --explain prints why a cell of the release is suppressed in whole or in part, and what would publish it. \
            REGION, TYPE and MONTH can each be All. No other selection can be given. --format json writes an object.

            EXAMPLES:
              tripkpi report --month 2025-03
              tripkpi report --fiscal-year 2025 --output fy2025.xlsx
              tripkpi report --from 2025-01 --region West
              tripkpi report data/samples/sample.csv.gz --month 2025-03
              tripkpi report --release --output kpi-release.xlsx
              tripkpi report --explain North Routine 2025-03

            To try them, run `make demo`, which makes a store from data/samples/sample.csv.gz.
            """)

    @Argument(help: .value("file", "Exports; default: the store. \"-\" is standard input."), completion: .file())
    var files: [String] = []

    @OptionGroup var exports: ExportOptions
    @OptionGroup var place: StoreOption
    @OptionGroup var published: ReportsOption
    @OptionGroup var period: PeriodOptions
    @Option(help: .value("region", "A region, or Unassigned. Can be repeated.")) var region: [String] = []

    @Option(name: .customLong("type"), help: .value("type", "A trip type, or Unassigned. Can be repeated."))
    var tripType: [String] = []

    @Flag(help: "Write the events of the store alone: as a table, or with --format csv or json.")
    var eventsOnly = false

    @Option(
        parsing: .upToNextOption,
        help: .value(
            "region type month",
            "REGION TYPE MONTH, each can be All: why the release suppresses this cell in whole or in part."))
    var explain: [String] = []

    @OptionGroup var interpretation: InterpretationOptions
    @OptionGroup var output: OutputOptions

    mutating func validate() throws {
        try validateExplanation()
        if eventsOnly {
            guard files.isEmpty else {
                throw ValidationError("--events-only is for the store; of exports: tripkpi scan --events reports.json")
            }
            guard [.table, .csv, .json].contains(output.format), explain.isEmpty, tripType.isEmpty else {
                throw ValidationError(
                    "events are written as table, csv or json, by month and region: leave out --explain and --type")
            }
        }
        try ExportOptions.check(files)
        if !files.isEmpty, place.store != nil || published.reports != nil {
            throw ValidationError("give either exports or --store and --reports")
        }
        let readsExports = [interpretation.profile, interpretation.rules, interpretation.zone].contains { $0 != nil }
        if files.isEmpty, readsExports || exports.unique || exports.limits.rejects.maxReject != nil {
            throw ExportOptions.withoutExports
        }
    }

    private mutating func validateExplanation() throws {
        guard !explain.isEmpty else { return }
        guard explain.count >= 3 else { throw ValidationError("--explain takes a region, a trip type and a month") }
        // The words after the cell are exports.
        files += explain.dropFirst(3)
        explain = Array(explain.prefix(3))
        guard period.isEmpty, region.isEmpty, tripType.isEmpty else {
            throw ValidationError("--explain has its own month, region and type: give no other selection")
        }
        guard output.output == nil, [.table, .json].contains(output.format) else {
            throw ValidationError("--explain writes to standard output, as text or with --format json")
        }
    }

    /// The cell of `--explain`.
    private var cell: CellRequest? {
        explain.isEmpty ? nil : CellRequest(region: explain[0], tripType: explain[1], month: explain[2])
    }

    private var selection: ReportSelection.Request {
        var selection = period.request
        selection.regions = region
        selection.tripTypes = tripType
        return selection
    }

    func run() throws {
        // An explanation is of the release, unless staff are named.
        let audience = cell != nil && output.audience.named == nil ? [.audience: "release"] : output.audience.flags
        let settings = try interpretation.config.settings([
            exports.limits.flags, interpretation.flags, audience,
            [.store: place.store, .reports: published.reports],
        ])
        if files.isEmpty { return try reportStore(settings) }
        var plan = try interpretation.figurePlan(files, settings, isUnique: exports.unique)
        plan.blockBytes = exports.blockBytes
        try plan.select(selection)
        if exports.dryRun { return try Program.say(DryRun(plan).lines) }
        if let cell { return try output.explain(cell, of: plan, settings: settings) }
        try output.run(plan, settings: settings, runID: "report")
    }

    private func reportStore(_ settings: Settings) throws {
        try output.check()
        let report: StoreReport
        do {
            report = try StoreReport(
                storePath: settings.store, reportsPath: settings.reports, selection: selection,
                months: settings.months, disclosure: settings.disclosure, audience: settings.audience)
        } catch  where FailureKind(of: error) == .inputMissing {
            Program.tell("note: without a store, name the exports: tripkpi report trips.csv --month 2026-03")
            throw error
        }
        if exports.dryRun { return try Program.say(report.dryRunLines) }
        if let cell { return try output.explain(cell, of: report) }
        try output.run(report, settings: settings, isOfEvents: eventsOnly)
    }
}
