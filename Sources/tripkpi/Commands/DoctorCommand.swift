import ArgumentParser
import Foundation
import Pipeline

struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check what a run needs: data, zones, write access, machine.",
        discussion: """
            One line each: ok, warn or fail, with how to mend it. Profiles, rules and settings are read as a run would read \
            them. Reads no export and writes nothing.

            EXAMPLES:
              tripkpi doctor
              tripkpi doctor --data-dir /usr/share/tripkpi
            """)

    @Option(help: ArgumentHelp("The project file with settings, as `scan` takes it.", valueName: "file"))
    var config: String?

    @OptionGroup var data: DataOptions

    func run() throws {
        let findings = HealthCheck(
            HealthCheck.Surroundings(
                dataDirectory: data.dataDirectory, config: config, environment: ProcessInfo.processInfo.environment,
                executable: Program.path, workingFolder: FileManager.default.currentDirectoryPath)
        ).findings()
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
