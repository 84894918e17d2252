import ArgumentParser
import Cluster
import ExportBytes
import Files
import Reporting
import Settings
import UseCases

struct FactsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "facts",
        abstract: "Write a typed row for each record of an export, for another engine.",
        discussion: """
            Each accepted record becomes a line of whole numbers with tabs between them: the trip's pseudonym, its \
            version, month, codes, cents, hundredths of miles, seconds. Every version of a trip has a line. The last \
            line begins with # and holds the counts and the meaning of the codes as JSON; without it the lines are \
            incomplete. --schema prints the columns as JSON.

            --range reads a part of a plain CSV, TSV or NDJSON file. It guesses where its first record starts; the last \
            line says where that was and where the first record after the range starts. If the end of a range is not \
            the start of the next, the next is read again with --start. Then each record is in one range.

            No identifier and no text of the export is in it, but pseudonyms are for staff only: each use is written \
            to the audit log. Facts of several exports belong together only under one key (--key-file).

            EXAMPLES:
              tripkpi facts trips.csv --key-file store/tripkpi.sqlite.key --output facts.tsv
              zcat trips.ndjson.gz | tripkpi facts - --key-file store/tripkpi.sqlite.key > facts.tsv
              tripkpi facts trips.csv --key-file store/tripkpi.sqlite.key --range 0:134217728
              tripkpi facts --schema
            """)

    @Argument(help: .value("file", "The export; \"-\" is standard input."), completion: .file()) var file: String?
    @Flag(help: "Print the columns as JSON, and read nothing.") var schema = false

    @Option(help: .value("from:to", "Only the records that start in these bytes of the file."))
    var range: ByteRange?

    @Option(
        help: .value(
            "offset",
            "Where the first record of --range starts: `end` of the range before it, with + after it where "
                + "endIsResuming is true."))
    var start: FirstRecord?

    @Option(
        name: .shortAndLong, help: .value("file", "A file instead of standard output."), completion: .file())
    var output: String?

    @OptionGroup var place: StoreOption
    @OptionGroup var key: KeyOption
    @OptionGroup var jobs: JobsOption
    @OptionGroup var rejects: RejectsOption
    @OptionGroup var interpretation: InterpretationOptions
    @OptionGroup var verbosity: VerbosityOptions

    func validate() throws {
        if schema == (file != nil) {
            throw ValidationError(schema ? "--schema takes no export" : "name an export, or \"-\" for standard input")
        }
        if start != nil, range == nil { throw ValidationError("--start needs --range") }
        if range != nil, part == nil { throw ValidationError("--start is before --range") }
        if range != nil, file == "-" { throw ValidationError("--range needs a file, not standard input") }
    }

    private var part: ExportPart? { range.flatMap { ExportPart(bytes: $0.bytes, start: start?.record) } }

    func run() throws {
        guard let file else { return try Program.say(FactSchema.lines()) }
        let settings = try interpretation.config.settings([
            interpretation.flags, rejects.flags, jobs.flags, [.store: place.store, .keyFile: key.keyFile],
        ])
        if let output { try AtomicFile.check(output: output) }
        let audit = try Program.audit(settings, command: "facts")
        try audit.prepare()
        let run = FactsRun(
            try interpretation.scanPlan([file], settings), key: try StoreSite(settings).loadKey(), tool: Program.tool,
            part: part)
        let outcome = try FactsWriting(output: output, audit: audit).write(run)
        let summary = outcome.summary
        let merged = summary.merged.map { ", \($0) merged" } ?? ""
        let counts = "\(summary.facts) facts\(merged), \(summary.skipped) skipped, \(summary.rejected) rejected"
        // The number of a record in a part is not its number in the file.
        let found = range == nil ? ScanMessages.lines(of: [outcome.file]) : []
        verbosity.tell(
            found + ["\(summary.read) records: \(counts)"]
                + (output.map { ["wrote \($0)"] } ?? []))
    }
}

extension FactsCommand {
    /// `0:4096`
    struct ByteRange: ExpressibleByArgument {
        let bytes: Range<Int>

        init?(argument: String) {
            let parts = argument.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
            guard parts.count == 2, let from = parts[0], let to = parts[1], 0 <= from, from < to else { return nil }
            bytes = from..<to
        }
    }

    /// `4096` or `4096+`
    struct FirstRecord: ExpressibleByArgument {
        let record: RecordStart

        init?(argument: String) {
            let isResuming = argument.hasSuffix("+")
            guard let offset = Int(isResuming ? String(argument.dropLast()) : argument), offset >= 0 else { return nil }
            record = RecordStart(offset: offset, isResuming: isResuming)
        }
    }
}
