import ArgumentParser
import Foundation
import Pipeline

struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check what a run needs and would meet, without a run.",
        discussion: """
            One line each: ok, warn or fail, with how to mend it. Takes the options of `run` and the same settings, and \
            looks at data, key, store, inbox, published sets, disks, clock, lock and how fresh the trips are. Loads no \
            export and writes nothing. Ends with 0 if nothing fails, else with what a run would end with.

            EXAMPLES:
              tripkpi doctor
              tripkpi doctor --config /etc/tripkpi/tripkpi.yaml --quick
              tripkpi doctor --store /srv/kpi/tripkpi.sqlite --inbox /srv/kpi/inbox --reports /srv/kpi/published
            """)

    @Option(help: ArgumentHelp("The folder of exports; inbox if nothing says otherwise.", valueName: "folder"))
    var inbox: String?

    @OptionGroup var store: StoreOptions

    @Option(
        help: ArgumentHelp("A file of metrics for Prometheus' textfile collector.", valueName: "file.prom"),
        completion: .file())
    var metrics: String?

    @Flag(help: "Do not read every page of the store, which takes a while on a large one.")
    var quick = false

    func run() throws {
        var surroundings = HealthCheck.Surroundings(
            dataDirectory: store.meaning.data.dataDirectory, config: store.meaning.config,
            environment: ProcessInfo.processInfo.environment, executable: Program.path,
            workingFolder: FileManager.default.currentDirectoryPath,
            nowEpochSeconds: Int(Date().timeIntervalSince1970))
        surroundings.flags = store.layer { layer in
            layer.nightly.inbox = inbox
            layer.nightly.metricsFile = metrics
        }
        surroundings.readsWholeStore = !quick
        let findings = HealthCheck(surroundings).findings()
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
            text + String(repeating: " ", count: max(0, width - text.count))
        }
        return "\(padded(state, to: 5)) \(padded(subject, to: 13)) \(text)"
    }
}
