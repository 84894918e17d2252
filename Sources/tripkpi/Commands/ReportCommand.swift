import ArgumentParser
import Pipeline

struct ReportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Report a part of the KPIs: months, a fiscal year, regions, trip types.",
        discussion: """
            Without a FILE it reads the store; with FILEs it reads these as `scan` does. It keeps the cells that are asked \
            for; "All" in the result means all of the selection.

            For release (the default) the store shows the months that `tripkpi run` or `tripkpi publish` has released, \
            as they were released, in groups of at least 11 trips and patients: reports of any parts say no more than \
            the published set. FILEs are a release of their own: give out one such report, and none beside sets of the \
            same trips. --audience staff shows every figure, exact, of all months, as the last `tripkpi run` or \
            `tripkpi load` left them.

            Comparisons (month before, year before, 12 months, fiscal year to date) are with all months there are, also \
            those that are not selected. Counts of records read stay those of the exports; they are shown to staff.

            On a terminal whose locale is not UTF-8 the table is plain ASCII; NO_COLOR is heeded.

            Restated months are those that the published set names, with what readers saw before and after; they are of all \
            regions and types.

            --explain says of one cell why the release does not show it, or not all of it, and what would show it. Each of \
            REGION, TYPE and MONTH may be All; the other selections do not go with it. --format json writes an object.

            EXAMPLES:
              tripkpi report --month 2025-03
              tripkpi report --fiscal-year 2025 --output fy2025.xlsx
              tripkpi report --from 2025-01 --region West
              tripkpi report data/samples/sample.csv.gz --month 2025-03
              tripkpi report --explain North Routine 2025-03

            They can be tried with the store that `make demo` makes of data/samples/sample.csv.gz.
            """)

    @Argument(
        help: ArgumentHelp("Exports; none: the store. \"-\" is standard input.", valueName: "file"),
        completion: .file())
    var files: [String] = []

    @OptionGroup var exports: ExportOptions

    @OptionGroup var place: StoreOption
    @OptionGroup var published: ReportsOption

    @OptionGroup var period: PeriodOptions

    @Option(help: ArgumentHelp("A region, or Unassigned; may be given several times.", valueName: "region"))
    var region: [String] = []

    @Option(
        name: .customLong("type"),
        help: ArgumentHelp("A trip type, or Unassigned; may be given several times.", valueName: "type"))
    var tripType: [String] = []

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp(
            "REGION TYPE MONTH, each may be All: why this cell of the release is not shown or not whole.",
            valueName: "region type month"))
    var explain: [String] = []

    @OptionGroup var meaning: MeaningOptions
    @OptionGroup var output: OutputOptions

    mutating func validate() throws {
        try validateExplanation()
        try ExportOptions.check(files)
        if !files.isEmpty, place.store != nil || published.reports != nil {
            throw ValidationError("give either exports or --store and --reports")
        }
        let ofExports = [meaning.profile, meaning.rules, meaning.zone].contains { $0 != nil }
        if files.isEmpty, ofExports || exports.unique || exports.limits.maxReject != nil {
            throw ValidationError(
                "--profile, --rules, --zone, --unique and --max-reject go with exports; what is in the store was read "
                    + "and classified already")
        }
    }

    private mutating func validateExplanation() throws {
        guard !explain.isEmpty else { return }
        guard explain.count >= 3 else { throw ValidationError("--explain takes a region, a trip type and a month") }
        // What comes after them on the command line is exports.
        files += explain.dropFirst(3)
        explain = Array(explain.prefix(3))
        let request = period.request
        guard request.month == nil, request.from == nil, request.to == nil, request.fiscalYear == nil, region.isEmpty,
            tripType.isEmpty
        else { throw ValidationError("--explain names its month, region and type itself: give no other selection") }
        guard output.output == nil, [.table, .json].contains(output.form) else {
            throw ValidationError("--explain writes to standard output, as text or with --format json")
        }
    }

    /// What `--explain` asks about.
    private var cell: CellRequest? {
        explain.isEmpty ? nil : CellRequest(region: explain[0], tripType: explain[1], month: explain[2])
    }

    func run() throws {
        var selection = period.request
        selection.regions = region
        selection.tripTypes = tripType
        if files.isEmpty { return try reportStore(selection) }
        let settings = try exports.settings(meaning)
        let plan = try exports.plan(files, settings: settings, data: meaning.data, selection: selection)
        if exports.dryRun { return try Program.say(DryRun(plan).lines) }
        if let cell { return try output.explain(cell, of: plan, settings: settings) }
        try output.run(plan, settings: settings, runID: "report")
    }

    private func reportStore(_ selection: ReportSelection.Request) throws {
        let settings = try meaning.settings { layer in
            layer.minimumCell = exports.limits.minimumCell
            layer.nightly.store = place.store
            layer.nightly.reports = published.reports
        }
        try output.check()
        let report: StoreReport
        do {
            report = try StoreReport(
                storePath: settings.nightly.store, reportsPath: settings.nightly.reports, selection: selection,
                disclosure: settings.disclosure, audience: output.audience.resolved(settings))
        } catch  where FailureKind(of: error) == .inputMissing {
            Program.tell("note: without a store, name the exports: tripkpi report trips.csv --month 2026-03")
            throw error
        }
        if exports.dryRun { return try Program.say(report.dryRunLines) }
        if let cell { return try output.explain(cell, of: report) }
        try output.run(report, settings: settings)
    }
}
