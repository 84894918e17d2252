import ArgumentParser
import Operations
import Pipeline
import Privacy

struct PublishCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "publish",
        abstract: "Publish the store as it is; list the published sets, go back to an earlier one.",
        discussion: """
            Without --list or --rollback it does what `tripkpi run` does after loading: months that a stopped run left \
            unfinished are tallied, trips are classified anew if the rules are others than the store's, and the set is \
            checked and switched to. Nothing is loaded.

            There is a set for each audience: `release` for anybody, `staff` for the health system's own people. A month \
            is released once, when it is closed; later corrections change the staff set at once. \
            They reach the release at a revision: with --revise, and with the first run of each calendar quarter \
            (setting `revisions`), where enough trips of a figure have changed. Cells that lack corrections say \
            `revisionPending`.

            A rollback checks the earlier sets first and refuses a damaged one; a second rollback takes back the first. It \
            changes what readers see, not the store, and needs nothing but the published folder: the next `tripkpi run` \
            or `tripkpi publish` publishes the store again. If an export was wrong, take it out \
            (`tripkpi load --withdraw`) and its file out of the inbox before that.

            EXAMPLES:
              tripkpi publish
              tripkpi publish --dry-run
              tripkpi publish --revise
              tripkpi publish --list
              tripkpi publish --rollback
              tripkpi publish --rollback --to 20261121T040000Z-0123456789ab --reports /srv/kpi/published
            """)

    @OptionGroup var store: StoreOptions

    @Flag(help: "Revise the release of released months now.")
    var revise = false

    @Flag(help: "Name the published sets, newest first.")
    var list = false

    @Flag(help: "Make the set before the current one current again.")
    var rollback = false

    @Option(help: ArgumentHelp("With --rollback: the run to go to, as --list names it.", valueName: "run"))
    var to: String?

    @Option(
        help: ArgumentHelp(
            "With --rollback: the audience whose set goes back; both if left out.", valueName: "audience"))
    var audience: Audience?

    @Option(help: ArgumentHelp("Published sets that are kept; 14 if nothing says otherwise.", valueName: "n"))
    var keep: Int?

    @Flag(name: [.customShort("n"), .long], help: "Say what would be published, and do nothing.")
    var dryRun = false

    @OptionGroup var talk: TalkOptions

    func validate() throws {
        if revise, list || rollback { throw ValidationError("--revise cannot be combined with --list or --rollback") }
        if list, rollback { throw ValidationError("give either --list or --rollback") }
        if audience != nil, !rollback { throw ValidationError("--audience goes with --rollback") }
        if to != nil, !rollback { throw ValidationError("--to goes with --rollback") }
    }

    func run() throws {
        let settings = try store.settings { $0.nightly.keepRuns = keep }
        if list { return try Program.say(PublishedSets(root: settings.nightly.reports).lines()) }
        if rollback { return try goBack(settings) }
        let plan = try store.plan(settings)
        if dryRun { return try Program.say(NightlyForecast(plan).publicationLines(isRevision: revise)) }
        let stop = StopSignal()
        let journal = RunJournal.ofProcess(settings.nightly.logFormat, isQuiet: talk.quiet)
        let publishing = PublishRun(
            plan,
            NightlyRun.Surroundings(
                owner: StoreOptions.owner(of: "publish"), tell: { journal.tell($0) },
                checkpoint: { try stop.throwIfAsked() }))
        do {
            if let failure = try publishing.publish(isRevision: revise).failure { throw ExitStatus.end(failure) }
        } catch let stopped as Stopped {
            Program.tell("tripkpi: \(stopped)")
            stopped.endProcess()
        }
    }

    private func goBack(_ settings: Settings) throws {
        let nightly = settings.nightly
        if dryRun { return try Program.say(PublishedSets(root: nightly.reports).rollbackLines(to: to)) }
        let runs = try PublishRun.rollback(
            to: to, audiences: audience.map { [$0] } ?? Audience.allCases, reportsPath: nightly.reports,
            storePath: nightly.store, audit: StoreOptions.audit(settings, command: "publish"),
            owner: StoreOptions.owner(of: "publish"))
        if talk.quiet { return }
        for (audience, run) in runs { Program.tell("current for \(audience.rawValue) is \(run)") }
        Program.tell("note: the next `tripkpi run` or `tripkpi publish` publishes the store again")
    }
}
