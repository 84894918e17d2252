import ArgumentParser
import Foundation
import Pipeline

struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check what a run needs: data, zones, write access, machine.",
        discussion: "One line each: ok, warn or fail, with how to mend it. Reads no export and writes nothing.")

    @OptionGroup var data: DataOptions

    func run() throws {
        let findings = HealthCheck(
            HealthCheck.Surroundings(
                dataDirectory: data.dataDirectory, environment: ProcessInfo.processInfo.environment,
                executable: Program.path, workingFolder: FileManager.default.currentDirectoryPath)
        ).findings()
        print(line("ok", "version", TripKPICommand.version))
        for finding in findings {
            print(line(finding.state.rawValue, finding.subject, finding.text))
            if !finding.remedy.isEmpty { print(line("", "", "→ " + finding.remedy)) }
        }
        if let failure = findings.compactMap(\.failure).first { throw ExitStatus.end(failure) }
    }

    private func line(_ state: String, _ subject: String, _ text: String) -> String {
        func padded(_ text: String, to width: Int) -> String {
            text + String(repeating: " ", count: max(0, width - text.count))
        }
        return "\(padded(state, to: 5)) \(padded(subject, to: 13)) \(text)"
    }
}
