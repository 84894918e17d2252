import ArgumentParser
import Foundation
import Operations
import Pipeline

struct QuarantineCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "quarantine",
        abstract: "Look after exports that were not loaded, and records that were rejected.",
        discussion: """
            A run ends with 65 while its inbox holds an export that cannot be loaded. Mend the profile or the export and \
            replay it; or waive it, and runs pass it over; or take its file out of the inbox and forget it. Until then it \
            is on the list, and counted in quality.exports of what is published.

            EXAMPLES:
              tripkpi quarantine list
              tripkpi quarantine replay 3f9a1c02
              tripkpi quarantine waive 3f9a1c02 --reason 'Sent twice; the second file is complete.'
            """, subcommands: [List.self, Replay.self, Waive.self, Forget.self], defaultSubcommand: List.self)
}

extension QuarantineCommand {
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Show failed exports and rejected records, by export and reason.",
            discussion: "Of a record it tells the place, the field and the shape of the value, never the value.")

        @Option(help: ArgumentHelp("The form: table, json or csv; the latter two are whole.", valueName: "form"))
        var format: Form = .table

        @Option(help: ArgumentHelp("Exports of each kind that the table shows.", valueName: "n"))
        var limit = 20

        @OptionGroup var store: StoreOptions

        /// What `--format` takes.
        enum Form: String, CaseIterable, ExpressibleByArgument {
            case table, json, csv
        }

        func validate() throws {
            if limit < 1 { throw ValidationError("--limit must be 1 or more") }
        }

        func run() throws {
            let list = try QuarantineList(storePath: store.settings().nightly.store)
            switch format {
            case .table: try Program.say(list.lines(maximumExports: limit))
            case .json: try StandardOutput.write(list.json)
            case .csv: try StandardOutput.write(list.csv)
            }
        }
    }

    struct Replay: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "replay", abstract: "Read an export anew, with its profile as it is now.",
            discussion: """
                All of it, in one transaction: if it fails, what was loaded of it before stays. The next `tripkpi run` \
                publishes the result.
                """)

        @Argument(help: ArgumentHelp("The beginning of its SHA-256, at least 8 digits.", valueName: "export"))
        var export: String

        @Argument(
            help: ArgumentHelp("Its file; looked for in the inbox, by content, if left out.", valueName: "file"),
            completion: .file())
        var file: String?

        @Option(help: ArgumentHelp("The folder of exports; inbox if nothing says otherwise.", valueName: "folder"))
        var inbox: String?

        @OptionGroup var store: StoreOptions
        @OptionGroup var talk: TalkOptions

        func run() throws {
            let settings = try store.settings { $0.nightly.inbox = inbox }
            let update = LoadConduct(plan: try store.plan(settings), settings: settings, talk: talk)
            try update.carryOut("quarantine", inputs: [file].compactMap { $0 }) { plan, surroundings in
                try QuarantineWork(plan, surroundings).replay(export, file: file)
            }
        }
    }

    struct Waive: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "waive", abstract: "Let an export be: runs pass a failed one over, rejects are marked.",
            discussion: "Who waived it, when and why is kept and listed. Name no patient in the reason.")

        @Argument(help: ArgumentHelp("The beginning of its SHA-256, at least 8 digits.", valueName: "export"))
        var export: String

        @Option(help: ArgumentHelp("Why, in at most 500 characters.", valueName: "text"))
        var reason: String?

        @Flag(help: "Take a waiver back instead.")
        var withdrawWaiver = false

        @OptionGroup var store: StoreOptions
        @OptionGroup var talk: TalkOptions

        func validate() throws {
            if withdrawWaiver == (reason != nil) {
                throw ValidationError(withdrawWaiver ? "--withdraw-waiver takes no --reason" : "say why, with --reason")
            }
        }

        func run() throws {
            let message = try QuarantineCommand.work(store, "waive") { work in
                guard let reason else { return try work.withdrawWaiver(export) }
                return try work.waive(export, reason: reason, by: NSUserName())
            }
            if !talk.quiet { Program.tell(message) }
        }
    }

    struct Forget: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "forget", abstract: "Take a failed export off the list: its file is gone for good.")

        @Argument(help: ArgumentHelp("The beginning of its SHA-256, at least 8 digits.", valueName: "export"))
        var export: String

        @OptionGroup var store: StoreOptions
        @OptionGroup var talk: TalkOptions

        func run() throws {
            let message = try QuarantineCommand.work(store, "forget") { try $0.forget(export) }
            if !talk.quiet { Program.tell(message) }
        }
    }

    private static func work(
        _ store: StoreOptions, _ name: String, _ body: (QuarantineWork) throws -> String
    ) throws -> String {
        let owner = StoreOptions.owner(of: "quarantine \(name)")
        return try body(QuarantineWork(store.plan(store.settings()), NightlyRun.Surroundings(owner: owner)))
    }
}
