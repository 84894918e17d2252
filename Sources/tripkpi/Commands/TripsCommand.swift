import ArgumentParser
import Foundation
import Pipeline
import Trips

struct TripsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trips",
        abstract: "Write completed trips row by row, de-identified.",
        discussion: """
            Without a FILE it reads the store. With FILEs it reads these, and shows of their patients what the privacy \
            profile allows: an age, a state, a ZIP area; ids are then new each time.

            safe-harbor shows whole calendar years that ended 90 days ago or more; of dates the year, no region unless the \
            settings say that regions are states, measures in steps, and of each group of like trips a multiple of 11. \
            limited-data-set shows days, regions and exact measures: it is PHI, for use under a data use agreement. \
            Neither shows a provider that `shown_providers` does not list. docs/privacy-identifiers.md tells the rest.

            EXAMPLES:
              tripkpi trips --output trips.ndjson.gz
              tripkpi trips --from 2024-01 --to 2024-12 --format csv
              tripkpi trips --privacy limited-data-set --month 2026-03 --output trips.csv
              tripkpi trips 2024-*.csv.gz --profile vetride
            """)

    /// What `--privacy` takes.
    enum Privacy: String, CaseIterable, ExpressibleByArgument {
        case safeHarbor = "safe-harbor"
        case limitedDataSet = "limited-data-set"
    }

    /// What `--format` takes.
    enum Form: String, CaseIterable, ExpressibleByArgument {
        case ndjson, csv
    }

    @Argument(help: ArgumentHelp("Exports; none: the store.", valueName: "file"), completion: .file())
    var files: [String] = []

    @Option(help: ArgumentHelp("The privacy profile: safe-harbor or limited-data-set.", valueName: "name"))
    var privacy: Privacy = .safeHarbor

    @OptionGroup var period: PeriodOptions

    @Option(help: ArgumentHelp("ndjson or csv; by the output's ending if left out, else ndjson.", valueName: "form"))
    var format: Form?

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("A file instead of standard output; .gz makes it gzip.", valueName: "file"),
        completion: .file())
    var output: String?

    @OptionGroup var store: StoreOptions
    @OptionGroup var talk: TalkOptions

    private var form: Form {
        let name = output.map { $0.hasSuffix(".gz") ? String($0.dropLast(3)) : $0 } ?? ""
        return format ?? (name.lowercased().hasSuffix(".csv") ? .csv : .ndjson)
    }

    func validate() throws {
        try ExportOptions.check(files)
        if !files.isEmpty, store.place.store != nil {
            throw ValidationError("give either exports or --store")
        }
        if files.isEmpty, [store.meaning.profile, store.meaning.zone].contains(where: { $0 != nil }) {
            throw ValidationError("--profile and --zone go with exports; what is in the store was read already")
        }
    }

    func run() throws {
        let settings = try store.settings()
        if let output { try OutputFile.check(output) }
        let run = try TripRowsRun(
            terms(settings), isCSV: form == .csv, output: output, selection: period.request,
            audit: StoreOptions.audit(settings, command: "trips", always: privacy == .limitedDataSet, output: output))
        let messages =
            files.isEmpty
            ? try run.run(try store.plan(settings), owner: StoreOptions.owner(of: "trips"))
            : try run.run(exports(settings))
        if talk.quiet { return }
        messages.forEach(Program.tell)
        if let output { Program.tell("wrote \(output)") }
    }

    private func terms(_ settings: Settings) throws -> TripRowTerms {
        let generatedAt = try Settings.generatedAt(environment: ProcessInfo.processInfo.environment) {
            Int(Date().timeIntervalSince1970)
        }
        guard let request = settings.rows.request(named: privacy.rawValue) else {
            throw ValidationError("there is no privacy profile “\(privacy.rawValue)”")
        }
        return try TripRowTerms(
            request,
            data: try store.meaning.data.folder(), minimumCell: settings.disclosure.minimumCell,
            generatedAtEpochSeconds: generatedAt)
    }

    private func exports(_ settings: Settings) throws -> ScanPlan {
        let configuration = Configuration(
            folder: try store.meaning.data.folder(), vocabulary: settings.vocabulary)
        return ScanPlan(
            inputs: files, profile: try settings.profile.map { try configuration.profile($0) },
            rules: try configuration.rules(settings.rules), vocabulary: settings.vocabulary, zone: settings.zone,
            workers: 1, maximumRejectPerMillion: settings.maximumRejectPerMillion,
            mostOpen: ProcessSetup.mostOpenExports)
    }
}
