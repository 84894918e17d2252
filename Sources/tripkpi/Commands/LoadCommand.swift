import ArgumentParser
import Reporting
import UseCases

struct LoadCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "load",
        abstract: "Load exports into the store, or withdraw one.",
        discussion: """
            Each export is loaded as a whole or not at all. An export whose content is already in the store changes \
            nothing, whatever its name. The same exports in any order give the same store: of several versions of a \
            trip the newest counts, by updated_at, then sequence, then the later export (by the date in its name, \
            else by its newest content), then the later row.

            --withdraw removes an export as if it had never been loaded. Later runs ignore its file until it is \
            loaded by name. --replay reads exports again that are already in the store, with their present profile \
            and rules. Nothing is published: run `tripkpi publish`, or wait for the next `tripkpi run`.

            EXAMPLES:
              tripkpi load 2026-*.csv.gz --profile vetride
              tripkpi load --withdraw 3f9a1c02
              tripkpi load --events reports.json --events-profile safepassage
              tripkpi load --replay trips-2026-03.csv --profile vetride
            """)

    @Argument(help: .value("file", "The exports."), completion: .file()) var files: [String] = []

    @Option(help: .value("hash", "Withdraw the export whose SHA-256 begins with these 8 or more digits."))
    var withdraw: [String] = []

    @Flag(help: "Read exports again that are already in the store.") var replay = false
    @Flag(help: "Make a new store even if sets were published from a store that is missing now.") var newStore = false
    @Flag(name: [.customShort("n"), .long], help: "Print what would be loaded, and change nothing.") var dryRun = false
    @OptionGroup var events: EventOptions
    @OptionGroup var store: LoadOptions
    @OptionGroup var verbosity: VerbosityOptions

    func validate() throws {
        if files.isEmpty && events.events.isEmpty && withdraw.isEmpty {
            throw ValidationError("name at least one export, or one to withdraw")
        }
        if (files + events.events).contains("-") {
            throw ValidationError("standard input cannot be loaded: an export is read twice, for its hash and its rows")
        }
    }

    func run() throws {
        let settings = try store.settings()
        let site = StoreSite(settings), figures = try store.interpretation.config.figures(settings)
        if dryRun {
            return try StoreCommand.say(
                NightlyForecast(site, figures).load(
                    files: files, withdraw: withdraw, events: (events.events, events.profile)))
        }
        let load = LoadRun(site, figures, replacesLostStore: newStore)
        try StoreCommand(command: "load", settings: settings, verbosity: verbosity).load(
            inputs: files + events.events
        ) {
            try load.run(
                files: files, withdraw: withdraw, isReplay: replay, events: (events.events, events.profile), $0)
        }
    }
}
