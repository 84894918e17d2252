import ArgumentParser
import Foundation
import Pipeline

struct ScanCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scan",
        abstract: "Compute the KPIs of exports, without a store.",
        discussion: """
            Reads CSV, TSV, JSON and NDJSON, plain or gzip; "-" is standard input. A file whose header speaks for \
            itself needs no profile.

            Several versions of a trip count once, the newest: by updated_at, then sequence, then the later file, then \
            the later row. To find them, every record is remembered: 16 bytes for a plain file (at most 28 a trip, however often it comes), about 80 for one that \
            is compressed, in UTF-16 or Windows-1252, or piped. For exports known to have no trip twice, --unique \
            leaves that out; memory then does not grow with the file.

            EXAMPLES:
              tripkpi scan trips.csv
              tripkpi scan 2026-*.csv.gz --profile vetride --format json --output kpi-summary.json
              zcat trips.ndjson.gz | tripkpi scan - --unique --format csv
            """)

    @Argument(help: ArgumentHelp("The exports; \"-\" is standard input.", valueName: "file"))
    var files: [String]

    @OptionGroup var meaning: MeaningOptions
    @OptionGroup var data: DataOptions
    @OptionGroup var output: OutputOptions

    @Flag(help: "No trip comes twice in these exports: do not look for versions.")
    var unique = false

    @Option(help: ArgumentHelp("Threads; as many as there are processors if left out.", valueName: "n"))
    var jobs: Int?

    @Option(
        help: ArgumentHelp("Bytes a thread takes at a time; the result does not depend on it.", visibility: .hidden))
    var blockBytes = 1 << 18

    @Option(help: ArgumentHelp("Share of a file's records that may be rejected, such as 1%.", valueName: "share"))
    var maxReject: Percentage?

    func validate() throws {
        if files.isEmpty { throw ValidationError("name at least one export, or \"-\" for standard input") }
        if let jobs, !(1...256).contains(jobs) { throw ValidationError("--jobs takes 1 to 256") }
        if files.filter({ $0 == "-" }).count > 1 { throw ValidationError("standard input can be read only once") }
    }

    func run() throws {
        let configuration = Configuration(folder: try data.folder())
        let rules = try configuration.rules(meaning.rules)
        let plan = ScanPlan(
            inputs: files, profile: try meaning.profile.map { try configuration.profile($0) }, rules: rules,
            zone: meaning.zone, workers: jobs ?? ProcessInfo.processInfo.activeProcessorCount, isUnique: unique,
            blockBytes: blockBytes, maximumRejectPerMillion: maxReject?.perMillion)
        let result = try ScanRun(plan).run()
        if !output.quiet { ScanMessages(result).lines.forEach(Program.tell) }
        let report = try ScanReport(
            result, rules: rules, isInternal: output.isInternal, generatedAtEpochSeconds: Program.now)
        for headline in report.withheldHeadlines {
            Program.tell("note: \(headline) is hidden over all trips and stands as 0 in the JSON")
        }
        try output.write(report)
    }
}
