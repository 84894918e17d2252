import ArgumentParser
import Files
import Foundation
import Reporting
import Settings
import Trips
import UseCases

struct QuarantineCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "quarantine",
        abstract: "Manage exports that were not loaded, and records that were rejected.",
        discussion: """
            A run ends with 65 while its inbox has an export that cannot be loaded. Fix the profile or the export, \
            then replay it; or waive it, and runs ignore it; or remove its file from the inbox, then forget it. Until \
            then the export stays on the list and is counted in quality.exports of published sets. One that lacks a \
            column which its source had before (columns_gone), ends within a record (cut_off), or repeats trips \
            under other keys (repeated_trips), is loaded if you waive it.

            EXAMPLES:
              tripkpi quarantine list
              tripkpi quarantine list --warnings --format json
              tripkpi quarantine replay 3f9a1c02
              tripkpi quarantine waive 3f9a1c02 --reason 'Sent twice; the second file is complete.'
            """, subcommands: [List.self, Replay.self, Waive.self, Forget.self], defaultSubcommand: List.self)

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List failed exports and rejected records, by export and reason.",
            discussion: """
                Shows the place of a record, the field and the shape of its value, never the value. With --warnings it \
                lists records that count, of which a measure does not: all are counted, and the first 20 of each \
                export and code are listed with their places.
                """)

        @Flag(help: "List the warnings of loaded exports instead.") var warnings = false

        @Option(help: .value("format", "The output format. csv and json list all exports.")) var format:
            QuarantineFormat = .table
        @Option(help: .value("n", "The most exports of each kind in the table.")) var limit = 20
        @OptionGroup var place: StoreOption
        @OptionGroup var config: ConfigOption

        enum QuarantineFormat: String, CaseIterable, ExpressibleByArgument {
            case table, json, csv
        }

        func validate() throws {
            if limit < 1 { throw ValidationError("--limit must be 1 or more") }
        }

        func run() throws {
            let path = try config.settings([[.store: place.store]]).store
            if warnings { return try printWarnings(path) }
            let list = try QuarantineList(storePath: path)
            switch format {
            case .table: try Program.say(list.lines(maximumExports: limit))
            case .json: try StandardOutput.write(list.json)
            case .csv: try StandardOutput.write(list.csv)
            }
        }

        private func printWarnings(_ path: String) throws {
            let list = try WarningList(storePath: path)
            switch format {
            case .table: try Program.say(list.lines(maximumExports: limit))
            case .json: try StandardOutput.write(list.json)
            case .csv: try StandardOutput.write(list.csv)
            }
        }
    }

    /// The export that a subcommand acts on.
    struct ExportArgument: ParsableArguments {
        @Argument(help: .value("export", "The first 8 or more digits of its SHA-256.")) var export: String
    }

    struct Replay: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "replay", abstract: "Read an export again, with its present profile.",
            discussion: """
                Reads all of it in one transaction: if it fails, the rows that were loaded before stay. The next \
                `tripkpi run` publishes the result.
                """)

        @OptionGroup var argument: ExportArgument

        @Argument(
            help: .value("file", "Its file; default: the file in the inbox with this content."), completion: .file())
        var file: String?

        @OptionGroup var inbox: InboxOption
        @OptionGroup var store: LoadOptions
        @OptionGroup var verbosity: VerbosityOptions

        func run() throws {
            let settings = try store.settings([.inbox: inbox.inbox])
            let replay = ExportReplay(StoreSite(settings), try store.interpretation.config.figures(settings))
            let command = StoreCommand(command: "quarantine", settings: settings, verbosity: verbosity)
            try command.load(inputs: file.map { [$0] } ?? []) { try replay.run(argument.export, file: file, $0) }
        }
    }

    struct Waive: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "waive", abstract: "Waive an export: runs ignore a failed export, rejects are marked.",
            discussion: "Who waived it, when and why is stored and listed. Do not name a patient in the reason.")

        @OptionGroup var argument: ExportArgument
        @Option(help: .value("text", "The reason, at most 500 characters.")) var reason: String?
        @Flag(help: "Withdraw a waiver instead.") var withdrawWaiver = false
        @OptionGroup var store: StoreChangeOptions
        @OptionGroup var verbosity: VerbosityOptions

        func validate() throws {
            if withdrawWaiver == (reason != nil) {
                throw ValidationError(withdrawWaiver ? "--withdraw-waiver takes no --reason" : "give a --reason")
            }
        }

        func run() throws {
            let quarantine = try QuarantineCommand.quarantine(store, "waive")
            verbosity.tell(
                try reason.map { try quarantine.waive(argument.export, reason: $0, by: NSUserName()) }
                    ?? quarantine.withdrawWaiver(argument.export))
        }
    }

    struct Forget: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "forget", abstract: "Remove a failed export from the list, if its file is gone for good.")

        @OptionGroup var argument: ExportArgument
        @OptionGroup var store: StoreChangeOptions
        @OptionGroup var verbosity: VerbosityOptions

        func run() throws {
            verbosity.tell(try QuarantineCommand.quarantine(store, "forget").forget(argument.export))
        }
    }

    private static func quarantine(_ store: StoreChangeOptions, _ name: String) throws -> QuarantineService {
        let settings = try store.settings()
        return QuarantineService(StoreSite(settings), try Program.environment(of: "quarantine \(name)", settings))
    }
}
