import ArgumentParser
import Files
import Foundation
import Operations
import Reporting
import Settings
import Trips
import UseCases

struct ClassifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "classify",
        abstract: "Classify the store's trips by other rules, show what that would change, or explain one trip.",
        discussion: """
            EXAMPLES:
              tripkpi classify --diff new-rules.yaml --internal
              tripkpi classify --rules new-rules.yaml
              tripkpi classify explain - <id.txt
            """, subcommands: [Apply.self, Explain.self], defaultSubcommand: Apply.self)
}

extension ClassifyCommand {
    struct Apply: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "apply",
            abstract: "Classify every trip of the store again, or show what other rules would change.",
            discussion: """
                If the rules differ from those of the store, all trips are classified again in one transaction. The \
                next `tripkpi run` publishes the result. Of fields that may not be kept, the store has only the \
                results of the tests that the rules made when a trip was loaded. Rules that need other tests are \
                refused with 78.

                --diff changes nothing. It prints how many trips and dollars would change class, by month and by \
                rule. These numbers are not suppressed, so --diff needs --internal and its output is stamped as \
                internal.

                EXAMPLES:
                  tripkpi classify --rules new-rules.yaml
                  tripkpi classify --diff new-rules.yaml --internal
                  tripkpi classify --diff new-rules.yaml --internal --format json
                """)

        @Option(help: .value("rules", "Change nothing; print what these rules would change."), completion: .file())
        var diff: String?

        @Flag(name: .customLong("internal"), help: "With --diff: confirms that the unsuppressed output stays internal.")
        var isInternal = false

        @Option(help: .value("format", "With --diff: the output format.")) var format: TextFormat = .text
        @OptionGroup var site: SiteOptions
        @OptionGroup var jobs: JobsOption
        @OptionGroup var groups: MinimumCellOption
        @OptionGroup var interpretation: InterpretationOptions
        @OptionGroup var verbosity: VerbosityOptions

        /// Called by `run`: a failed parse of `classify` prints no message, because one may repeat an id.
        private func checkOptions() throws {
            if diff != nil, !isInternal {
                throw ValidationError(
                    "a difference is not suppressed: small counts in it can identify people. Add --internal, and do "
                        + "not release it")
            }
            if diff != nil, interpretation.rules != nil { throw ValidationError("give either --diff or --rules") }
            if diff == nil, isInternal || format != .text {
                throw ValidationError("--internal and --format need --diff")
            }
        }

        func run() throws {
            try checkOptions()
            let settings = try interpretation.config.settings([
                interpretation.flags, site.flags, jobs.flags, groups.flags, diff.map { [.rules: $0] } ?? [:],
            ])
            let figures = try interpretation.config.figures(settings)
            guard diff != nil else { return try reclassify(figures, settings) }
            let trips = ScanProgress(trips: try RulesComparison.rows(of: settings.store))
            let audit = try Program.audit(settings, command: "classify")
            try audit.prepare()
            let comparison = try verbosity.showing(trips) { trips in
                try RulesComparison(store: settings.store, figures, workers: settings.jobs) { trips.add($0) }
            }
            verbosity.tell(comparison.notes)
            let text = format == .json ? try comparison.json() : Program.bytes(of: comparison.lines)
            try audit.recordingInternalUse(.classify) { write in try write(text) }
        }

        private func reclassify(_ figures: FigureSettings, _ settings: Settings) throws {
            let command = StoreCommand(command: "classify", settings: settings, verbosity: verbosity)
            let reclassification = Reclassification(StoreSite(settings), figures)
            let outcome = try command.run(
                progress: ScanProgress(trips: try RulesComparison.rows(of: settings.store)), reclassification.run)
            verbosity.tell(outcome.notes)
            guard let changes = outcome.changes else {
                return try Program.say(["the store is already classified by these rules; nothing has changed"])
            }
            let changed = changes.reduce(0) { $0 + $1.trips }
            try Program.say(
                ["\(changed) of \(outcome.trips) trips have another class or another rule"]
                    + changes.map { "\($0.month)  \($0.trips)" })
        }
    }
}

extension ClassifyCommand {
    struct Explain: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "explain",
            abstract: "Explain why a trip is in-house, contracted or unclassified.",
            discussion: """
                Finds every version of the trip, in the store or in the named exports. Prints which version counts, \
                and for each rule the result of its tests. Prints neither the id nor any hidden value of the trip. \
                With "-" as ID the id is read from standard input and is in no shell history. Write "--" before an id \
                that begins with "-". If there is no such trip, the command ends with 66.

                In the store, a trip with legs is found only with --leg. Exports show all legs.

                EXAMPLES:
                  tripkpi classify explain - <id.txt
                  tripkpi classify explain SYN-T0000001 --leg 1 --source vetride
                  tripkpi classify explain SYN-T0000001 trips.csv
                """)

        @Argument(help: .value("id", "The trip's id as in the export, or \"-\".")) var id: String

        @Argument(help: .value("file", "Exports to search instead of the store."), completion: .file())
        var files: [String] = []

        @Option(help: .value("id", "In the store: the leg's id as in the export.")) var leg: String?
        @Option(help: .value("source", "In the store: the source of the id; default: all.")) var source: String?
        @OptionGroup var place: StoreOption
        @OptionGroup var key: KeyOption
        @OptionGroup var jobs: JobsOption
        @OptionGroup var interpretation: InterpretationOptions

        /// Called by `run`, as above.
        private func checkOptions() throws {
            if id == "-", files.contains("-") { throw ValidationError("standard input can be read only once") }
            if !files.isEmpty, leg != nil || source != nil {
                throw ValidationError("--leg and --source are for the store; exports show every leg with this id")
            }
        }

        func run() throws {
            try checkOptions()
            let settings = try interpretation.config.settings([
                interpretation.flags, jobs.flags, [.store: place.store, .keyFile: key.keyFile],
            ])
            let tripID = Self.sensitive(id == "-" ? readLine(strippingNewline: true) ?? "" : id)
            if files.isEmpty {
                let explanation = try StoredTripExplanation(
                    tripID: tripID, legID: leg.map(Self.sensitive), source: source, StoreSite(settings),
                    interpretation.config.figures(settings))
                return try Program.say([explanation.description])
            }
            var plan = try interpretation.scanPlan(files, settings)
            plan.maximumRejectPerMillion = nil
            try Program.say([TripExplanation(tripID: tripID, plan: plan).description])
        }

        private static func sensitive(_ text: String) -> Sensitive<String> {
            Sensitive(text.trimmingCharacters(in: .whitespaces))
        }
    }
}
