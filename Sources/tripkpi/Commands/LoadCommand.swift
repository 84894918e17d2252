import ArgumentParser
import Foundation
import Operations
import Pipeline
import Trips

struct LoadCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "load",
        abstract: "Load exports into the store, or take one out again.",
        discussion: """
            Each export is loaded whole or not at all. One whose content is in the store already changes nothing, under \
            whatever name it comes. Any order of the same exports ends in the same store: of several versions of a trip \
            the newest counts, by updated_at, then sequence, then the later export (by the date in its name, else by its \
            newest content), then the later row.

            --withdraw takes an export out as if it had never been loaded; runs then pass its file over until somebody \
            loads it by name. --replay reads exports anew that are in the \
            store already, with their profile and rules as they are now. Nothing is published: `tripkpi publish` or the \
            next `tripkpi run` does that.

            EXAMPLES:
              tripkpi load 2026-*.csv.gz --profile vetride
              tripkpi load --withdraw 3f9a1c02
              tripkpi load --replay trips-2026-03.csv --profile vetride
            """)

    @Argument(help: ArgumentHelp("The exports.", valueName: "file"), completion: .file())
    var files: [String] = []

    @Option(
        help: ArgumentHelp(
            "Take out the export whose SHA-256 begins with these digits (at least 8).", valueName: "hash"))
    var withdraw: [String] = []

    @Flag(help: "Read exports anew that are in the store already.")
    var replay = false

    @Flag(help: "Make a new store although something was published from one that is gone.")
    var newStore = false

    @Flag(name: [.customShort("n"), .long], help: "Say what would be loaded, and do nothing.")
    var dryRun = false

    @OptionGroup var store: StoreOptions
    @OptionGroup var talk: TalkOptions

    func validate() throws {
        if files.isEmpty && withdraw.isEmpty { throw ValidationError("name at least one export, or one to withdraw") }
        if files.contains("-") {
            throw ValidationError("standard input cannot be loaded: an export is read twice, to know it and to load it")
        }
    }

    func run() throws {
        let settings = try store.settings()
        var plan = try store.plan(settings)
        plan.acceptsNewStore = newStore
        if dryRun {
            let answer = try NightlyForecast(plan).load(files: files, withdraw: withdraw)
            try Program.say(answer.lines)
            if let failure = answer.failure { throw ExitStatus.end(failure) }
            return
        }
        let conduct = LoadConduct(plan: plan, settings: settings, talk: talk)
        try conduct.carryOut("load", inputs: files) { plan, surroundings in
            try StoreUpdate(plan, surroundings).run(files: files, withdraw: withdraw, isReplay: replay)
        }
    }
}
