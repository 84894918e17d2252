import ArgumentParser
import Pipeline

struct PublishCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "publish",
        abstract: "Look after the published sets: list them, go back to an earlier one.",
        discussion: """
            A rollback checks the earlier set first and refuses a damaged one; a second rollback takes back the first.

            EXAMPLES:
              tripkpi publish --list
              tripkpi publish --rollback
              tripkpi publish --rollback --to 20261121T040000Z-0123456789ab --reports /srv/kpi/published
            """)

    @OptionGroup var published: PublishedOptions

    @Flag(help: "Name the published sets, newest first.")
    var list = false

    @Flag(help: "Make the set before the current one current again.")
    var rollback = false

    @Option(help: ArgumentHelp("With --rollback: the run to go to, as --list names it.", valueName: "run"))
    var to: String?

    @OptionGroup var talk: TalkOptions

    func validate() throws {
        guard list != rollback else { throw ValidationError("give either --list or --rollback") }
        if to != nil, !rollback { throw ValidationError("--to goes with --rollback") }
    }

    func run() throws {
        let sets = PublishedSets(root: published.root)
        if list { return try Program.say(try sets.lines()) }
        let run = try sets.rollback(to: to)
        if !talk.quiet { Program.tell("current is \(run)") }
    }
}

/// Where the published sets are.
struct PublishedOptions: ParsableArguments {
    @Option(
        name: .customLong("reports"),
        help: ArgumentHelp("The folder of published sets; reports/published if left out.", valueName: "folder"))
    var reports: String?

    var root: String { reports ?? "reports/published" }
}
