import ArgumentParser
import Foundation
import Operations
import Pipeline
import Trips

struct ClassifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "classify",
        abstract: "Sort the store's trips by other rules, see what that would change, or ask about one trip.",
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
            abstract: "Classify every trip of the store anew, or say what other rules would change.",
            discussion: """
                If the rules are not those that the store was classified by, all trips are classified anew, in one \
                transaction; the next `tripkpi run` publishes the result. Of fields that may not be kept the store knows \
                only what the rules asked when a trip was loaded: rules that ask something else are refused with 78.

                --diff changes nothing: it says how many trips and dollars would move, by month and by rule. Its numbers \
                are not suppressed, so it needs --internal and is stamped so.

                EXAMPLES:
                  tripkpi classify --rules new-rules.yaml
                  tripkpi classify --diff new-rules.yaml --internal
                  tripkpi classify --diff new-rules.yaml --internal --format json
                """)

        @Option(
            help: ArgumentHelp("Change nothing; say what these rules would change.", valueName: "rules"),
            completion: .file())
        var diff: String?

        @Flag(name: .customLong("internal"), help: "With --diff: yes, nothing is hidden, and it is not for release.")
        var isInternal = false

        @Option(help: ArgumentHelp("With --diff: text or json.", valueName: "form"))
        var format: Form = .text

        @OptionGroup var store: StoreOptions
        @OptionGroup var talk: TalkOptions

        /// What `--format` takes.
        enum Form: String, CaseIterable, ExpressibleByArgument {
            case text, json
        }

        func run() throws {
            if diff != nil, !isInternal {
                throw ValidationError(
                    "a difference is not suppressed: small groups in it can point at people. Add --internal, and keep "
                        + "it inside")
            }
            if diff == nil, isInternal || format != .text {
                throw ValidationError("--internal and --format go with --diff")
            }
            let settings = try store.settings { layer in if let diff { layer.rules = diff } }
            let plan = try store.plan(settings)
            if diff != nil {
                try StoreOptions.audit(settings, command: "classify").recordRulesComparison()
                return try compare(plan)
            }
            try reclassify(plan, settings)
        }

        private func compare(_ plan: NightlyPlan) throws {
            let progress = ScanProgress(trips: try RulesComparison.rows(of: plan))
            let bar = ProgressBar(progress, isShown: talk.showsProgress)
            let comparison: RulesComparison
            do {
                defer { bar.end() }
                comparison = try RulesComparison(plan) { progress.add($0) }
            }
            if !talk.quiet { comparison.notes.forEach(Program.tell) }
            switch format {
            case .text: try Program.say(comparison.lines)
            case .json: try StandardOutput.write(comparison.json())
            }
        }

        private func reclassify(_ plan: NightlyPlan, _ settings: Settings) throws {
            let stop = StopSignal()
            let progress = ScanProgress(trips: try RulesComparison.rows(of: plan))
            let bar = ProgressBar(progress, isShown: talk.showsProgress)
            let journal = RunJournal.ofProcess(settings.nightly.logFormat, isQuiet: talk.quiet)
            let surroundings = NightlyRun.Surroundings(
                owner: StoreOptions.owner(of: "classify"), tell: { journal.tell($0) },
                checkpoint: { try stop.throwIfAsked() }, progress: { progress.reach($0) })
            let outcome: Reclassification.Outcome
            do {
                defer { bar.end() }
                outcome = try Reclassification(plan, surroundings).run()
            } catch let stopped as Stopped {
                Program.tell("tripkpi: \(stopped)")
                stopped.endProcess()
            }
            if !talk.quiet { outcome.notes.forEach(Program.tell) }
            try Program.say(lines(outcome))
        }

        private func lines(_ outcome: Reclassification.Outcome) -> [String] {
            guard let changes = outcome.changes else {
                return ["the store is classified by these rules already; nothing has changed"]
            }
            let all = changes.reduce(0) { $0 + $1.trips }
            return ["\(all) of \(outcome.trips) trips have another class or another rule"]
                + changes.map { "\($0.month)  \($0.trips)" }
        }
    }
}

extension ClassifyCommand {
    struct Explain: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "explain",
            abstract: "Say why a trip is in-house, contracted or unclassified.",
            discussion: """
                Finds every version of the trip, in the store or, if exports are named, in those; says which version \
                counts, and shows each rule with what its tests said. Neither the id nor any hidden value of the trip is \
                printed. As ID, "-" reads it from standard input, so that it is in no shell history; before an id that \
                begins with "-" write "--". Without such a trip the command ends with 66.

                In the store a trip with legs is found only with --leg. Exports show all legs.

                EXAMPLES:
                  tripkpi classify explain - <id.txt
                  tripkpi classify explain SYN-T0000001 --leg 1 --source vetride
                  tripkpi classify explain SYN-T0000001 trips.csv
                """)

        @Argument(help: ArgumentHelp("The trip's id as in the export, or \"-\".", valueName: "id"))
        var id: String

        @Argument(
            help: ArgumentHelp("Exports to look through instead of the store.", valueName: "file"),
            completion: .file())
        var files: [String] = []

        @Option(help: ArgumentHelp("In the store: the leg's id as in the export.", valueName: "id"))
        var leg: String?

        @Option(
            help: ArgumentHelp("In the store: the source that the id is from; all if left out.", valueName: "source"))
        var source: String?

        @OptionGroup var store: StoreOptions

        func validate() throws {
            if id == "-", files.contains("-") { throw ValidationError("standard input can be read only once") }
        }

        func run() throws {
            let settings = try store.settings()
            let given = id == "-" ? readLine(strippingNewline: true) ?? "" : id
            let tripID = Self.sensitive(given)
            if files.isEmpty {
                let explanation = try StoredTripExplanation(
                    tripID: tripID, legID: leg.map(Self.sensitive), source: source, plan: store.plan(settings))
                return try Program.say([explanation.description])
            }
            if leg != nil || source != nil {
                throw ValidationError("--leg and --source are for the store; exports show every leg with this id")
            }
            let configuration = Configuration(
                folder: try store.meaning.data.folder(), vocabulary: settings.vocabulary)
            let plan = ScanPlan(
                inputs: files, profile: try settings.profile.map { try configuration.profile($0) },
                rules: try configuration.rules(settings.rules), vocabulary: settings.vocabulary, zone: settings.zone,
                workers: settings.jobs, mostOpen: ProcessSetup.mostOpenExports)
            try Program.say([TripExplanation(tripID: tripID, plan: plan).description])
        }

        private static func sensitive(_ text: String) -> Sensitive<String> {
            Sensitive(text.trimmingCharacters(in: .whitespaces))
        }
    }
}
