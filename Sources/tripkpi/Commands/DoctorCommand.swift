import ArgumentParser
import Basics
import Foundation
import Operations
import Settings
import UseCases

struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check everything that a run needs, without a run.",
        discussion: """
            Prints one line for each check, ok, warn or fail, with how to fix it. Takes the options and settings of \
            `run`. Checks data, key, store, inbox, published sets, disks, clock, lock and the age of the newest trip. \
            Loads no export and writes nothing. Ends with 0 if nothing fails, else with the exit code of a run.

            EXAMPLES:
              tripkpi doctor
              tripkpi doctor --config /etc/tripkpi/tripkpi.yaml --quick
              tripkpi doctor --store /srv/kpi/tripkpi.sqlite --inbox /srv/kpi/inbox --reports /srv/kpi/published
            """)

    @OptionGroup var inbox: InboxOption
    @OptionGroup var store: StoreOptions
    @Option(help: Setting.metricsFile.help("file.prom"), completion: .file()) var metrics: String?
    @Flag(help: "Do not read every page of the store, which takes a while for a large store.") var quick = false

    func run() throws {
        let config = store.interpretation.config
        let context = HealthCheck.Context(
            dataDirectory: config.data.dataDirectory, config: config.file.config,
            environment: ProcessInfo.processInfo.environment, executable: Program.path,
            workingFolder: FileManager.default.currentDirectoryPath,
            flags: SettingLayer(flags: store.flags + [[.inbox: inbox.inbox, .metricsFile: metrics]]),
            now: UTCTime(Date()), readsWholeStore: !quick)
        let findings = HealthCheck(context).findings()
        var lines = [line("ok", "version", TripKPICommand.version)]
        for finding in findings {
            lines.append(line(finding.state.rawValue, finding.subject, finding.text))
            if !finding.remedy.isEmpty { lines.append(line("", "", "→ " + finding.remedy)) }
        }
        try Program.say(lines)
        if let failure = findings.compactMap(\.failure).first { throw ExitStatus.end(failure) }
    }

    private func line(_ state: String, _ subject: String, _ text: String) -> String {
        func padded(_ text: String, to width: Int) -> String {
            text.padding(toLength: max(width, text.count), withPad: " ", startingAt: 0)
        }
        return "\(padded(state, to: 5)) \(padded(subject, to: 13)) \(text)"
    }
}
