import ArgumentParser
import Foundation
import Pipeline
import Privacy

struct CostsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "costs",
        abstract:
            "Write finance's cost workbook: months, fiscal years, volume and price; inside the house providers too.",
        discussion: """
            Without a FILE it reads the store; with FILEs it reads these. The workbook shows the months that are asked \
            for. For release (the default) it shows unions of the groups of the released months, so two workbooks cannot \
            be subtracted from each other.

            --audience staff shows every figure, exact, and adds costs by provider and contract, their changes, \
            exceptions. It is stamped and written to the audit log. The store does not keep invoice numbers, vehicles and \
            times of day: whether an invoice comes twice, a run was billed apart or an estimate was billed is found only \
            with FILEs.

            --detail writes a line a trip, with public ids and days, in constant memory; of a store it gives ids to trips \
            that have none, and so needs the run lock and the key. With FILEs ids are new each time.

            EXAMPLES:
              tripkpi costs --fiscal-year 2025 --output fy2025.xlsx
              tripkpi costs --month 2025-03 --internal --output march.xlsx
              tripkpi costs --fiscal-year 2025 --internal --detail lines.xlsx
              tripkpi costs data/samples/sample.csv.gz --internal --output bills.xlsx

            They can be tried with the store that `make demo` makes of data/samples/sample.csv.gz.
            """)

    @Argument(
        help: ArgumentHelp("Exports; none: the store. \"-\" is standard input.", valueName: "file"),
        completion: .file())
    var files: [String] = []

    @OptionGroup var period: PeriodOptions

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "The workbook; costs.xlsx if left out, or costs-internal.xlsx with --internal.", valueName: "file"),
        completion: .file())
    var output: String?

    @Option(
        help: ArgumentHelp("A second workbook with a line a trip; needs --internal.", valueName: "file"),
        completion: .file())
    var detail: String?

    @OptionGroup var audience: AudienceOptions

    @Flag(name: .customLong("accessible"), help: "Workbooks for screen readers, as of `report --accessible`.")
    var isAccessible = false

    @Flag(help: "No trip comes twice in these exports: do not look for versions.")
    var unique = false

    @Flag(help: "Say what would be read, and write nothing.")
    var dryRun = false

    @OptionGroup var store: StoreOptions
    @OptionGroup var talk: TalkOptions

    private var workbook: String { output ?? (audience.isStaffOnCommandLine ? "costs-internal.xlsx" : "costs.xlsx") }

    func validate() throws {
        try ExportOptions.check(files)
        for name in [workbook, detail].compactMap({ $0 }) where !name.lowercased().hasSuffix(".xlsx") {
            throw ValidationError("a workbook's name ends in .xlsx")
        }
        if detail != nil, !audience.isStaffOnCommandLine {
            throw ValidationError("--detail shows trips one by one: it needs --audience staff")
        }
        func place(_ path: String) -> String { URL(fileURLWithPath: path).resolvingSymlinksInPath().path }
        if let detail, place(detail) == place(workbook) {
            throw ValidationError("--detail and --output name the same file")
        }
        if !files.isEmpty, store.place.store != nil || store.published.reports != nil {
            throw ValidationError("give either exports or --store and --reports")
        }
        let ofExports = [store.meaning.profile, store.meaning.rules, store.meaning.zone].contains { $0 != nil }
        if files.isEmpty, ofExports || unique || store.limits.maxReject != nil {
            throw ValidationError(
                "--profile, --rules, --zone, --unique and --max-reject go with exports; what is in the store was read "
                    + "and classified already")
        }
    }

    func run() throws {
        let settings = try store.settings()
        if dryRun { return try sayDryRun(settings) }
        let generatedAt = try Settings.generatedAt(environment: ProcessInfo.processInfo.environment) {
            Int(Date().timeIntervalSince1970)
        }
        let run = CostsRun(
            .init(
                output: workbook, detail: detail, audience: audience.resolved(settings), isAccessible: isAccessible,
                disclosure: settings.disclosure, generatedAtEpochSeconds: generatedAt),
            audit: StoreOptions.audit(
                settings, command: "costs", always: audience.resolved(settings) == .staff, output: workbook))
        try run.prepare()
        let messages =
            files.isEmpty
            ? try run.run(
                store: settings.nightly.store, reportsPath: settings.nightly.reports, selection: period.request,
                owner: StoreOptions.owner(of: "costs")
            ) { try store.plan(settings) }
            : try run.run(plan(settings), selection: period.request)
        if talk.quiet { return }
        messages.forEach(Program.tell)
        for file in [workbook, detail].compactMap({ $0 }) { Program.tell("wrote \(file)") }
    }

    private func plan(_ settings: Settings) throws -> ScanPlan {
        let configuration = Configuration(folder: try store.meaning.data.folder(), vocabulary: settings.vocabulary)
        return ScanPlan(
            inputs: files, profile: try settings.profile.map { try configuration.profile($0) },
            rules: try configuration.rules(settings.rules), vocabulary: settings.vocabulary, zone: settings.zone,
            workers: settings.jobs, isUnique: unique, maximumRejectPerMillion: settings.maximumRejectPerMillion,
            mostOpen: ProcessSetup.mostOpenExports)
    }

    private func sayDryRun(_ settings: Settings) throws {
        if !files.isEmpty { return try Program.say(DryRun(plan(settings)).lines) }
        let report = try StoreReport(
            storePath: settings.nightly.store, reportsPath: settings.nightly.reports, selection: period.request,
            disclosure: settings.disclosure, audience: audience.resolved(settings))
        try Program.say(report.dryRunLines)
    }
}
