import ArgumentParser
import Operations
import Privacy
import Settings
import UseCases

struct PublishCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "publish",
        abstract: "Publish the store, list the published sets, or roll back to an earlier set.",
        discussion: """
            Without --list or --rollback it does what `tripkpi run` does after loading: it tallies months that a \
            stopped run left unfinished, classifies all trips again if the rules have changed, checks the new set and \
            makes it current. No export is loaded.

            There is a set for each audience: `release` for anyone, `staff` for the health system's own people. A \
            month is released once, when it is closed. Later corrections change the staff set at once. They are added \
            to the release at a revision: with --revise, and in the first run of each calendar quarter (setting \
            `revisions`), where enough trips of a group have changed. Cells without the corrections are marked \
            `revisionPending`.

            A rollback checks the earlier sets first and refuses a damaged one. A second rollback undoes the first. A \
            rollback changes the published folder, not the store: the next `tripkpi run` or `tripkpi publish` \
            publishes the store again, unless --hold keeps the earlier set. Runs then load and publish nothing for \
            that audience until `tripkpi publish --resume`. If an export is wrong, withdraw it \
            (`tripkpi load --withdraw`).

            A set that would say the same as the current one is not published again.

            EXAMPLES:
              tripkpi publish
              tripkpi publish --dry-run
              tripkpi publish --revise
              tripkpi publish --preview
              tripkpi publish --approve 'J. Doe, privacy officer'
              tripkpi publish --list
              tripkpi publish --rollback --hold
              tripkpi publish --resume
              tripkpi publish --rollback --to 20261121T040000Z-0123456789ab --reports /srv/kpi/published
            """)

    @OptionGroup var site: SiteOptions
    @OptionGroup var jobs: JobsOption
    @OptionGroup var groups: MinimumCellOption
    @Option(help: Setting.rules.help("rules")) var rules: String?
    @OptionGroup var config: ConfigOptions
    @Flag(help: "Revise the released months now.") var revise = false
    @Flag(
        help: """
            With --revise: divide the months that an earlier version of tripkpi released by the present rule. Other \
            months wait for the next revision. Readers who kept the earlier release can subtract the two: see docs/privacy.md.
            """)
    var all = false
    @Flag(help: "List the published sets, newest first.") var list = false
    @Flag(help: "Make the set before the current one current again.") var rollback = false
    @Option(help: .value("run", "With --rollback: the run to return to, as --list shows it.")) var to: String?

    @Flag(help: "With --rollback: publish nothing over the earlier set until --resume.") var hold = false
    @Flag(help: "End the hold, and publish.") var resume = false

    @Option(help: .value("audience", "With --rollback or --resume: the audience of the set; default: both."))
    var audience: Audience?

    @Flag(help: "Print what would be released, with its groups, and change nothing.") var preview = false
    @Option(
        help: .value(
            "name", "Release what waits for approval (setting `release_approval`). The name stands in the audit log."))
    var approve: String?
    @Flag(
        help: """
            The clock is right, though earlier runs were later, or more than 400 days ago: their later times become now, and \
            sets that are dated later are replaced.
            """)
    var clockIsRight = false

    @Option(help: Setting.keepRuns.help("n")) var keep: Int?

    @Flag(name: [.customShort("n"), .long], help: "Print what would be published, and change nothing.")
    var dryRun = false

    @OptionGroup var verbosity: VerbosityOptions

    func validate() throws {
        if revise, list || rollback { throw ValidationError("--revise cannot be combined with --list or --rollback") }
        if [list, rollback, resume].count(where: \.self) > 1 {
            throw ValidationError("give one of --list, --rollback and --resume")
        }
        if audience != nil, !rollback, !resume { throw ValidationError("--audience needs --rollback or --resume") }
        if all, !revise { throw ValidationError("--all needs --revise") }
        if hold, !rollback { throw ValidationError("--hold needs --rollback") }
        if preview || approve != nil || clockIsRight, list || rollback {
            throw ValidationError(
                "--preview, --approve and --clock-is-right cannot be combined with --list or --rollback")
        }
        if preview, resume || approve != nil || clockIsRight {
            throw ValidationError("--preview changes nothing: give --resume, --approve or --clock-is-right without it")
        }
        try ApproverName.check(approve)
        if to != nil, !rollback { throw ValidationError("--to needs --rollback") }
    }

    func run() throws {
        let settings = try config.settings([
            site.flags, jobs.flags, groups.flags, [.rules: rules, .keepRuns: keep.map(String.init)],
        ])
        if list { return try Program.say(PublishedSets(root: settings.reports).lines()) }
        if rollback { return try rollBack(settings) }
        let site = StoreSite(settings), figures = try config.figures(settings)
        let policy = try config.publicationPolicy(settings)
        // Only when nothing of the settings stands in the way of the publication.
        if resume, !dryRun, !preview { try endHold(settings) }
        if dryRun {
            return try Program.say(
                NightlyForecast(site, figures).publicationLines(
                    revision: revision, audiences: settings.audiences,
                    resumed: resume ? asked ?? Audience.allCases : [], at: Program.generatedAt()))
        }
        if preview {
            return try Program.say(
                PublicationPreview(site, figures).lines(revision: revision, at: Program.generatedAt()))
        }
        let publish = PublishRun(site, figures, policy)
        let request = PublishRequest(revision: revision, approvedBy: approve, acceptsClock: clockIsRight)
        let command = StoreCommand(command: "publish", settings: settings, verbosity: verbosity)
        let outcome = try command.run { try publish.publish(request, $0) }
        if let failure = outcome.failure { throw ExitStatus.end(failure) }
    }

    private var revision: RevisionRequest { all ? .ofEveryMonth : revise ? .now : .whenDue }

    private func rollBack(_ settings: Settings) throws {
        if dryRun {
            return try Program.say(
                PublishedSets(root: settings.reports).rollbackLines(to: to, audiences: asked, isHeld: hold))
        }
        let time = try Program.generatedAt()
        let runs = try rollback(settings).run(to: to, audiences: asked, heldAt: hold ? time : nil)
        let isHeld = try runs.contains { try PublishedSets(root: settings.reports).isHeld($0.audience) }
        verbosity.tell(
            runs.map { audience, run in "current for \(audience.rawValue) is \(run)" }
                + [
                    isHeld
                        ? "note: it is held: nothing is published over it until `tripkpi publish --resume`"
                        : "note: the next `tripkpi run` or `tripkpi publish` publishes the store again; another "
                            + "--rollback takes this one back"
                ])
    }

    private func endHold(_ settings: Settings) throws {
        let held = try rollback(settings).resume(asked ?? Audience.allCases)
        verbosity.tell(
            held.isEmpty
                ? ["note: no set is held"] : held.map { "the set for \($0.rawValue) is no longer held" })
    }

    private var asked: [Audience]? { audience.map { [$0] } }

    private func rollback(_ settings: Settings) throws -> Rollback {
        Rollback(
            StoreSite(settings), audit: try Program.audit(settings, command: "publish"),
            owner: Program.owner(of: "publish"))
    }
}
