import ArgumentParser
import Files
import Reports
import Settings
import UseCases

struct TripsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trips",
        abstract: "Write completed trips row by row, de-identified.",
        discussion: """
            Without a FILE it reads the store. With FILEs it reads these, shows what the privacy profile allows about \
            their patients (an age, a state, a ZIP area), and the ids are new each time.

            safe-harbor shows whole calendar years that ended 90 or more days ago: the year of each date, no region \
            unless the settings say that regions are states, measures in steps, and a multiple of 11 rows of each \
            group of like trips. limited-data-set shows days, regions and exact measures: it is PHI, for use under a \
            data use agreement. Both show only the providers of the setting `shown_providers`. See \
            docs/privacy-identifiers.md.

            EXAMPLES:
              tripkpi trips --output trips.ndjson.gz
              tripkpi trips --from 2024-01 --to 2024-12 --format csv
              tripkpi trips --format json
              tripkpi trips --privacy limited-data-set --month 2026-03 --output trips.csv
              tripkpi trips 2024-*.csv.gz --profile vetride
            """)

    /// What `--privacy` takes.
    enum PrivacyProfileName: String, CaseIterable, ExpressibleByArgument {
        case safeHarbor = "safe-harbor"
        case limitedDataSet = "limited-data-set"
    }

    @Argument(help: .value("file", "Exports; default: the store."), completion: .file()) var files: [String] = []
    @Option(help: .value("name", "The privacy profile.")) var privacy: PrivacyProfileName = .safeHarbor
    @OptionGroup var period: PeriodOptions

    @Option(help: .value("format", "The output format; default: by the ending of --output, else ndjson."))
    var format: TripRowFormat?

    @Option(
        name: .shortAndLong, help: .value("file", "A file instead of standard output; .gz compresses it."),
        completion: .file())
    var output: String?

    @OptionGroup var site: SiteOptions
    @OptionGroup var rejects: RejectsOption
    @OptionGroup var groups: MinimumCellOption
    @OptionGroup var interpretation: InterpretationOptions
    @OptionGroup var verbosity: VerbosityOptions

    private var rowFormat: TripRowFormat {
        let name = (output.map { $0.hasSuffix(".gz") ? String($0.dropLast(3)) : $0 } ?? "").lowercased()
        return format ?? (name.hasSuffix(".csv") ? .csv : name.hasSuffix(".json") ? .json : .ndjson)
    }

    func validate() throws {
        try ExportOptions.check(files)
        if !files.isEmpty, site.place.store != nil { throw ValidationError("give either exports or --store") }
        let reading = interpretation.flags.merging(rejects.flags) { $1 }
        if files.isEmpty, reading.contains(where: { $0.value != nil }) {
            throw ValidationError(
                "--profile, --zone, --rules and --max-reject need exports; the store's trips are already read")
        }
    }

    func run() throws {
        let settings = try interpretation.config.settings([
            interpretation.flags, rejects.flags, groups.flags, site.flags,
        ])
        if let output { try AtomicFile.check(output: output) }
        let policy = try settings.rowPolicy(
            named: privacy.rawValue, data: try interpretation.config.data.folder(),
            generatedAt: Program.generatedAt())
        let run = try TripRowsRun(
            policy, format: rowFormat, output: output, selection: period.request, months: settings.months,
            audit: try Program.audit(
                settings, command: "trips", isInternal: privacy == .limitedDataSet, output: output, recordsText: true))
        let messages =
            files.isEmpty
            ? try run.run(StoreSite(settings), Program.environment(of: "trips", settings))
            : try run.run(scanPlan(settings))
        verbosity.tell(messages + (output.map { ["wrote \($0)"] } ?? []))
    }

    private func scanPlan(_ settings: Settings) throws -> ScanRequest {
        var plan = try interpretation.scanPlan(files, settings)
        plan.workers = 1
        return plan
    }
}

extension TripRowFormat: ExpressibleByArgument {}
