import ArgumentParser
import Foundation
import Operations
import Pipeline

struct RunCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "The nightly job: load the inbox's new exports and publish.",
        discussion: """
            Takes every export of the inbox that the store does not know yet, whatever its name, tallies the months that \
            changed, and publishes kpi-summary.json, kpi-cells.csv, dashboard.html and manifest.json as one set: readers see the old set \
            or the new one. Nothing in the inbox is changed; a subfolder's name is the profile of the files in it.

            It may be run twice, late, or killed: the next run goes on and ends with the same bytes. While it runs, a \
            second one ends with 75 and says who has the lock. An export that cannot be loaded stays out as a whole; the \
            others are loaded and published, and the run ends with 65 (`tripkpi quarantine list` says more). SIGINT and \
            SIGTERM stop it at the next safe point, a second one at once.

            EXAMPLES:
              tripkpi run --inbox inbox
              tripkpi run --config /etc/tripkpi/tripkpi.yaml --log-format json --metrics /var/lib/node_exporter/tripkpi.prom
              tripkpi run --dry-run
            """)

    @Option(help: ArgumentHelp("The folder of exports; inbox if nothing says otherwise.", valueName: "folder"))
    var inbox: String?

    @OptionGroup var store: StoreOptions

    @Option(help: ArgumentHelp("Published sets that are kept; 14 if nothing says otherwise.", valueName: "n"))
    var keep: Int?

    @Option(
        help: ArgumentHelp("A file of metrics for Prometheus' textfile collector.", valueName: "file.prom"),
        completion: .file())
    var metrics: String?

    @Option(help: ArgumentHelp("text or json, a line an event, on standard error.", valueName: "form"))
    var logFormat: RunJournal.Format?

    @Flag(help: "Make a new store although something was published from one that is gone.")
    var newStore = false

    @Flag(name: [.customShort("n"), .long], help: "Say what would be loaded and published, and do nothing.")
    var dryRun = false

    @OptionGroup var talk: TalkOptions

    func run() throws {
        let settings = try store.settings { layer in
            layer.nightly.inbox = inbox
            layer.nightly.keepRuns = keep
            layer.nightly.metricsFile = metrics
            layer.nightly.logFormat = logFormat?.rawValue
        }
        var plan = try store.plan(settings)
        plan.acceptsNewStore = newStore
        if dryRun {
            let answer = try NightlyForecast(plan).run()
            try Program.say(answer.lines)
            if let failure = answer.failure { throw ExitStatus.end(failure) }
            return
        }
        let conduct = RunConduct(plan: plan, settings: settings, talk: talk)
        try conduct.carryOut()
    }
}

extension RunJournal.Format: ExpressibleByArgument {}
