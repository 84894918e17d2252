import ArgumentParser
import Operations
import Reporting
import Settings
import Trips
import UseCases

struct RunCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Run the nightly job: load the new exports of the inbox and publish.",
        discussion: """
            Loads every export of the inbox that is not yet in the store, whatever its name. Tallies the months that \
            changed. Publishes kpi-summary.json, kpi-cells.csv, dashboard.html and manifest.json as one set: readers \
            see the old set or the new one. The staff set also has month.xlsx and costs.xlsx. The inbox is not changed. \
            The name of a subfolder is the profile of its files.

            A run can be repeated, late or killed: the next run continues and ends with the same bytes. A second run \
            at the same time ends with 75 and prints who holds the lock. An export that cannot be loaded is left out \
            as a whole. The others are loaded and published, and the run ends with 65; `tripkpi quarantine list` \
            shows why. SIGINT and SIGTERM stop the run at the next checkpoint; a second signal stops it at once.

            EXAMPLES:
              tripkpi run --inbox inbox
              tripkpi run --config /etc/tripkpi/tripkpi.yaml --log-format json --metrics /var/lib/node_exporter/tripkpi.prom
              tripkpi run --dry-run
            """)

    @OptionGroup var inbox: InboxOption
    @OptionGroup var store: StoreOptions
    @Option(help: Setting.keepRuns.help("n")) var keep: Int?
    @Option(help: Setting.metricsFile.help("file.prom"), completion: .file()) var metrics: String?
    @Option(help: Setting.logFormat.help("format")) var logFormat: LogFormat?
    @Flag(help: "Make a new store even if sets were published from a store that is missing now.") var newStore = false
    @Option(
        help: .value(
            "file", "Make a new store, and take over the released months of an earlier one, whose key is lost."),
        completion: .file())
    var releasesOf: String?

    @Flag(name: [.customShort("n"), .long], help: "Print what would be loaded and published, and change nothing.")
    var dryRun = false

    @OptionGroup var verbosity: VerbosityOptions

    private var flags: [Setting: String?] {
        [
            .inbox: inbox.inbox, .keepRuns: keep.map(String.init), .metricsFile: metrics,
            .logFormat: logFormat?.rawValue,
        ]
    }

    func run() throws {
        let config = store.interpretation.config
        if dryRun {
            let settings = try store.settings(flags)
            // A setting of the trips feed that is wrong ends the run: so it ends this too.
            _ = try config.publicationPolicy(settings)
            return try StoreCommand.say(
                NightlyForecast(
                    StoreSite(settings), config.figures(settings), retention: settings.retention
                ).run(at: Program.generatedAt()))
        }
        try NightlyProcess(reporting: config.file.reporting(store.flags + [flags]), verbosity: verbosity).run {
            let settings = try store.settings(flags)
            let run = try NightlyRun(
                StoreSite(settings), config.figures(settings), config.publicationPolicy(settings),
                replacesLostStore: newStore || releasesOf != nil, releasesOf: releasesOf)
            return (run, settings)
        }
    }
}
