package import Basics
import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The holder of the run lock, as the lock file names it to a second process.
package struct LockOwner: Sendable, Hashable {
    package var process: Int32
    package var host: String
    package var user: String
    /// `tripkpi run`; without arguments, for a path may name a person.
    package var command: String
    package var startedAt: UTCTime
    package var runID: String?

    package init(
        process: Int32, host: String, user: String, command: String, startedAt: UTCTime, runID: String? = nil
    ) {
        self.process = process
        self.host = host
        self.user = user
        self.command = command
        self.startedAt = startedAt
        self.runID = runID
    }

    /// The lines of the lock file.
    var text: String {
        let lines = [
            ("process", String(process)), ("host", host), ("user", user), ("command", command),
            ("started", startedAt.description), ("run", runID ?? ""),
        ]
        return lines.map { "\($0): \(Self.printable($1))\n" }.joined()
    }

    /// Nil unless all lines are there. They are not while the owner still writes them, or in a file of another program.
    init?(text: String) {
        var values: [Substring: String] = [:]
        for line in text.split(separator: "\n") {
            guard let colon = line.firstRange(of: ": ") else { continue }
            values[line[..<colon.lowerBound]] = Self.printable(line[colon.upperBound...])
        }
        guard let process = values["process"].flatMap({ Int32($0) }), let host = values["host"],
            let user = values["user"], let command = values["command"],
            let startedAt = values["started"].flatMap({ UTCTime($0) }), let run = values["run"]
        else { return nil }
        self.init(
            process: process, host: host, user: user, command: command, startedAt: startedAt,
            runID: run.isEmpty ? nil : run)
    }

    /// The file may hold anything, and its text is shown on a terminal.
    private static func printable(_ text: some StringProtocol) -> String {
        String(text.unicodeScalars.filter { (0x20...0x7E).contains($0.value) }.prefix(100).map { Character($0) })
    }
}
