import ArgumentParser
import Files
import Foundation
import Privacy
import Reporting
import Settings
import UseCases

/// Exports of events, which stand beside the trips.
struct EventOptions: ParsableArguments {
    @Option(
        help: .value("file", "An export of events, such as hazard reports. Can be repeated."), completion: .file())
    var events: [String] = []

    @Option(
        help: .value("profile", "The profile of the events: the name of a shipped one, or a file; default: events."))
    var eventsProfile: String?

    func validate() throws {
        if events.isEmpty, eventsProfile != nil { throw ValidationError("--events-profile needs --events") }
    }

    /// The profile's name or path.
    var profile: String { eventsProfile ?? "events" }

    /// Nil: no events are named.
    func scan(_ config: ConfigOptions, _ settings: Settings) throws -> EventScan? {
        guard !events.isEmpty else { return nil }
        return EventScan(
            inputs: events, profile: try config.configuration(settings).eventProfile(profile).profile,
            zone: settings.zone, maximumRejectPerMillion: settings.maximumRejectPerMillion)
    }
}

extension OutputOptions {
    /// Reads events and writes their counts.
    func run(_ scan: EventScan, settings: Settings) throws {
        guard [.table, .csv, .json].contains(format) else {
            throw ValidationError("events alone are written as table, csv or json: name exports of trips too")
        }
        try check()
        let isInternal = settings.audience == .staff
        let audit = try Program.audit(settings, command: "scan", isInternal: isInternal, output: output)
        try audit?.prepare()
        let result = try scan.run()
        verbosity.tell(result.lines)
        let report = try EventScanReport(
            result.events(in: settings.months), disclosure: settings.disclosure, audience: settings.audience)
        let bytes =
            switch format {
            case .csv: report.csv
            case .json: report.json
            default:
                report.table(
                    color: output == nil && color.usesColor(STDOUT_FILENO),
                    ascii: output == nil && ColorOptions.isASCIILocale)
            }
        try report.record(bytes, output: output, audit)
        guard let output else { return try StandardOutput.write(bytes) }
        try AtomicFile.write(bytes, output: output)
        verbosity.tell("wrote \(output)")
    }
}
