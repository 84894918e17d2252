import ArgumentParser
import Reporting
import Settings
import UseCases

struct CrosswalkCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "crosswalk",
        abstract: "Manage the encrypted file by which trips can be re-identified; off by default.",
        subcommands: [Check.self, Forget.self], defaultSubcommand: Check.self)

    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check",
            abstract: "Read the whole crosswalk and check it against the store; print none of its identifiers.")

        @OptionGroup var place: StoreOption
        @OptionGroup var config: ConfigOption

        func run() throws {
            let count = try CrosswalkService(StoreSite(config.settings([[.store: place.store]]))).check()
            try Program.say(["the crosswalk is whole: \(count) entries"])
        }
    }

    struct Forget: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "forget",
            abstract: "Detach the store from its crosswalk, if that is lost or replaced.")

        @OptionGroup var store: StoreChangeOptions
        @OptionGroup var verbosity: VerbosityOptions

        func run() throws {
            let settings = try store.settings()
            try CrosswalkService(StoreSite(settings)).forget(Program.environment(of: "crosswalk forget", settings))
            verbosity.tell("the store needs no crosswalk now; the next load begins a new one if the setting is on")
        }
    }
}
