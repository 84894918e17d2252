import ArgumentParser
import Pipeline

struct CrosswalkCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "crosswalk",
        abstract: "Look after the encrypted file by which trips can be re-identified; off unless configured.",
        subcommands: [Check.self, Forget.self], defaultSubcommand: Check.self)
}

extension CrosswalkCommand {
    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check", abstract: "Read all of the crosswalk and hold it to the store; prints nothing of it.")

        @OptionGroup var store: StoreOptions

        func run() throws {
            let count = try CrosswalkWork(store.plan(store.settings())).check()
            try Program.say(["the crosswalk is whole: \(count) entries"])
        }
    }

    struct Forget: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "forget",
            abstract: "Let the store go on without the crosswalk it was loaded with, which is lost or another one now.")

        @OptionGroup var store: StoreOptions
        @OptionGroup var talk: TalkOptions

        func run() throws {
            let surroundings = NightlyRun.Surroundings(owner: StoreOptions.owner(of: "crosswalk forget"))
            try CrosswalkWork(store.plan(store.settings())).forget(surroundings)
            if !talk.quiet { Program.tell("the store asks for no crosswalk now; the next load begins one if it is on") }
        }
    }
}
