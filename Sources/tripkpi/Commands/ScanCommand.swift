import ArgumentParser
import Pipeline

struct ScanCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scan",
        abstract: "Compute the KPIs of exports, without a store.",
        discussion: """
            Reads CSV, TSV, JSON and NDJSON, plain or gzip; "-" is standard input. A file whose header speaks for \
            itself needs no profile.

            Several versions of a trip count once, the newest: by updated_at, then sequence, then the later file, then \
            the later row. To find them, every record is remembered: 16 bytes for a plain file (at most 28 a trip, \
            however often it comes; but about 70 a record where neither updated_at nor sequence says which of very many \
            is newest), about 80 for one that is compressed, in UTF-16 or Windows-1252, or piped. For exports known to have \
            no trip twice, --unique leaves that out; memory then does not grow with the file.

            EXAMPLES:
              tripkpi scan trips.csv
              tripkpi scan 2026-*.csv.gz --profile vetride --output kpi-summary.json
              zcat trips.ndjson.gz | tripkpi scan - --unique --format csv
              tripkpi scan trips.csv --profile vetride --dry-run
            """)

    @Argument(help: ArgumentHelp("The exports; \"-\" is standard input.", valueName: "file"), completion: .file())
    var files: [String]

    @OptionGroup var exports: ExportOptions
    @OptionGroup var meaning: MeaningOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if files.isEmpty { throw ValidationError("name at least one export, or \"-\" for standard input") }
        try ExportOptions.check(files)
    }

    func run() throws {
        let settings = try exports.settings(meaning)
        let plan = try exports.plan(files, settings: settings, data: meaning.data)
        if exports.dryRun { return try Program.say(DryRun(plan).lines) }
        try output.run(plan, settings: settings, runID: "scan")
    }
}
