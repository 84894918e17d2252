import ArgumentParser
import Cluster
import Files
import Reporting
import Settings
import UseCases

struct ScanCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scan",
        abstract: "Compute the KPIs of exports without a store.",
        discussion: """
            Reads CSV, TSV, JSON and NDJSON, plain or gzip; "-" is standard input. A file whose columns have known \
            names needs no profile.

            Of several versions of a trip the newest counts: by updated_at, then sequence, then the later file, then \
            the later row. For this every record is remembered: 16 bytes (of a plain file at most 28 for each trip, \
            however often it occurs; about 70 for each record where neither updated_at nor sequence decides between \
            very many versions). A file that is compressed, in UTF-16 or Windows-1252, or piped also takes 60 bytes a \
            record of temporary space in TMPDIR (/tmp), encrypted with a key that is never written down. With \
            --unique, for exports in which no trip occurs twice, memory does not grow with the file.

            The figures are for staff: every figure, exact, stamped as internal; a file of them is recorded in the \
            audit log. --release shows what may be published: groups of at least 11 trips and patients.

            EXAMPLES:
              tripkpi scan trips.csv
              tripkpi scan trips.csv --release --output release.xlsx
              tripkpi scan 2026-*.csv.gz --profile vetride --output kpi-summary.json
              zcat trips.ndjson.gz | tripkpi scan - --unique --format csv
              tripkpi scan trips.csv --profile vetride --dry-run
              tripkpi scan --events reports.json --events-profile safepassage
              tripkpi scan trips.csv --events closures.csv --output dashboard.html
              tripkpi scan trips.csv --tally east.tally --key-file store/tripkpi.sqlite.key
            """)

    @Argument(help: .value("file", "The exports; \"-\" is standard input."), completion: .file()) var files: [String] =
        []

    @Option(
        help: .value(
            "file",
            "Write the tallies of all months for `tripkpi merge`, and no report. For staff only: it has pseudonyms."),
        completion: .file())
    var tally: String?

    @OptionGroup var key: KeyOption
    @OptionGroup var events: EventOptions
    @OptionGroup var exports: ExportOptions
    @OptionGroup var interpretation: InterpretationOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if files.isEmpty, events.events.isEmpty {
            throw ValidationError("name at least one export, or \"-\" for standard input")
        }
        try ExportOptions.check(files + events.events)
        if tally != nil {
            if files.contains("-") { throw ValidationError("--tally needs files, not standard input") }
            if !events.events.isEmpty || exports.dryRun || output.output != nil || output.chosenFormat != nil {
                throw ValidationError("--tally writes no report: leave out --events, --dry-run, --output and --format")
            }
        } else if key.keyFile != nil {
            throw ValidationError("--key-file needs --tally")
        }
    }

    func run() throws {
        let settings = try interpretation.config.settings([
            exports.limits.flags, interpretation.flags, output.audience.flags, [.keyFile: key.keyFile],
        ])
        let events = try events.scan(interpretation.config, settings)
        if files.isEmpty, let events { return try output.run(events, settings: settings) }
        var plan = try interpretation.figurePlan(files, settings, isUnique: exports.unique)
        plan.blockBytes = exports.blockBytes
        if exports.dryRun { return try Program.say(DryRun(plan).lines) }
        if let tally { return try write(tally, plan, settings) }
        try output.run(plan, settings: settings, runID: "scan", events: events)
    }

    private func write(_ tally: String, _ plan: ScanRequest, _ settings: Settings) throws {
        try AtomicFile.check(output: tally)
        let audit = try Program.audit(settings, command: "scan")
        try audit.prepare()
        let writing = TallyWriting(plan, key: try StoreSite(settings).loadKey(), tool: Program.tool)
        let result = try output.verbosity.showing(ScanProgress(inputs: plan.inputs)) {
            try writing.write(to: tally, audit: audit, progress: $0)
        }
        output.verbosity.tell(ScanMessages(result).lines + ["wrote \(tally)"])
    }
}
