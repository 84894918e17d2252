import ArgumentParser
import Files
import Foundation
import Operations
import Settings
import UseCases

struct DigestCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "digest",
        abstract: "Print a message about the last run, for a mail or a chat. It sends nothing.",
        discussion: """
            Prints what happened and what to do, when the last successful run was, whether exports failed, whether the \
            newest trip is old and which months were published. Reads only the metrics file (setting `metrics_file`) and \
            the published release: no store, key, inbox or staff set. So a user who may read nothing else can run it. \
            The message has no count of staff figures below 11: it says none, some or all. It has no day of a trip and \
            no value of a setting. About another unit than tripkpi.service it prints nothing of the metrics file.

            The text begins with `Subject:`, an empty line and at most 15 lines, as mail programs take it. Of the JSON, \
            `text` is what chat programs take. Ends with 0 if the message is printed: a missing metrics file is said \
            in it.

            systemd reports how a unit ended to the units of its OnFailure=, in variables: see docs/alerts.md and \
            tripkpi-digest@.service. An empty option is ignored.

            EXAMPLES:
              tripkpi digest --config /etc/tripkpi/tripkpi.yaml
              tripkpi digest --unit tripkpi.service --exit-status "$MONITOR_EXIT_STATUS" --result "$MONITOR_SERVICE_RESULT"
              tripkpi digest --days 31 --format json
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json
    }

    @Option(help: .value("unit", "The unit that ended, such as tripkpi.service.")) var unit: String?
    @Option(help: .value("status", "Its exit code, or the signal that ended it: $MONITOR_EXIT_STATUS."))
    var exitStatus: String?
    @Option(help: .value("result", "Its result: $MONITOR_SERVICE_RESULT.")) var result: String?
    @Option(help: .value("n", "Print the months that were published in the last n days (default: 7)."))
    var days: Int?
    @Option(help: Setting.metricsFile.help("file.prom"), completion: .file()) var metrics: String?
    @OptionGroup var published: ReportsOption
    @OptionGroup var config: ConfigOption
    @Option(help: .value("format", "text or json (default: text).")) var format = Format.text

    func validate() throws {
        if UnitEnd(unit: unit, status: exitStatus, result: result) == nil {
            throw ValidationError(
                "--unit, --exit-status and --result take a unit's name, a number or a signal, and a word, as systemd writes "
                    + "them")
        }
        if let days, !(1...3660).contains(days) { throw ValidationError("--days takes 1 to 3660") }
    }

    func run() throws {
        guard let end = UnitEnd(unit: unit, status: exitStatus, result: result) else { return }
        let flags: [[Setting: String?]] = [[.metricsFile: metrics, .reports: published.reports]]
        let reporting = config.reporting(flags)
        var request = RunDigest.Request(
            end: end, metricsFile: reporting.metricsFile, reports: reporting.reports, days: days ?? 7,
            host: ProcessInfo.processInfo.hostName, now: try Program.generatedAt())
        request.areSettingsRead = reporting.isRead
        // Wrong settings may be why the run failed. The message is printed all the same, without the values.
        do { _ = try config.settings(flags) } catch {
            let place = ReportingSettings.place(of: error).map { ": \($0)" } ?? ""
            request.settingsFault =
                (reporting.isRead ? "they are wrong" : "they could not be read") + place
                + "; `tripkpi doctor` on the machine prints what is wrong"
        }
        let digest = RunDigest(request) { ExitStatus.kind(of: $0) }
        try StandardOutput.write(format == .json ? digest.json : digest.text)
    }
}
