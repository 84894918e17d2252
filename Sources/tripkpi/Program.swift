import Basics
import Files
import Foundation
import Operations
import Reporting
import Settings
import UseCases

/// The running program: its path, its messages, its clock.
enum Program {
    static let tool = "tripkpi \(TripKPICommand.version)"

    /// With symbolic links resolved: an installed program may be reached by a link.
    static var path: String {
        let own = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let named = own ?? CommandLine.arguments.first ?? ""
        return URL(fileURLWithPath: named).resolvingSymlinksInPath().path
    }

    /// Writes a message to standard error.
    static func tell(_ message: String) {
        ProgramMessages.tell(message, arguments: CommandLine.arguments)
    }

    /// Writes lines of data to standard output.
    static func say(_ lines: [String]) throws { try StandardOutput.write(bytes(of: lines)) }

    static func bytes(of lines: [String]) -> [UInt8] { Array((lines.joined(separator: "\n") + "\n").utf8) }

    /// Now, or `SOURCE_DATE_EPOCH`.
    static func generatedAt() throws -> UTCTime {
        try Settings.generatedAt(environment: ProcessInfo.processInfo.environment) {
            UTCTime(Date())
        }
    }

    /// This process as the owner of the run lock and the actor of the audit log.
    static func owner(of command: String) -> LockOwner {
        let process = ProcessInfo.processInfo
        return LockOwner(
            process: process.processIdentifier, host: process.hostName, user: NSUserName(),
            command: "tripkpi \(command)", startedAt: UTCTime(Date()))
    }

    /// What a use case gets from this process, if it neither logs events nor stops at a signal.
    static func environment(of command: String, _ settings: Settings) throws -> RunEnvironment {
        RunEnvironment(
            owner: owner(of: command), tool: tool, generatedAt: try generatedAt(), workers: settings.jobs,
            temporaryFolder: temporaryFolder)
    }

    /// `TMPDIR`, if it is set, as for other programs.
    static var temporaryFolder: String {
        ProcessInfo.processInfo.environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
    }

    /// The audit log.
    static func audit(_ settings: Settings, command: String) throws -> AuditRecorder {
        AuditRecorder(
            path: try settings.auditLogOfExports(environment: ProcessInfo.processInfo.environment),
            owner: owner(of: command), tool: tool)
    }

    /// The audit log of an output; nil: the output is not recorded.
    ///
    /// An internal output is recorded where it is a file. On standard output it is recorded only if `recordsText` says so:
    /// whoever names exports has them already. A release is recorded where it is a file and there is a log.
    ///
    /// - Parameter recordsText: whether the figures come from a store, or the rows are a limited data set.
    static func audit(
        _ settings: Settings, command: String, isInternal: Bool, output: String?, recordsText: Bool = false
    ) throws -> AuditRecorder? {
        let isRecorded = try isInternal ? output != nil || recordsText : output != nil && settings.hasAuditLogPlace()
        return isRecorded ? try audit(settings, command: command) : nil
    }

    /// Replaces this process by the server: the same process id, standard streams and signals.
    ///
    /// - Returns: only if that fails: why.
    static func become(_ server: ServerProgram, _ arguments: [String]) -> ServerProgramError {
        let environment = ServerProgram.environment(ProcessInfo.processInfo.environment)
        let words = ([server.path] + arguments).map { strdup($0) }
        let variables = environment.map { strdup("\($0.key)=\($0.value)") }
        if !words.contains(nil), !variables.contains(nil) { execve(server.path, words + [nil], variables + [nil]) }
        return .cannotStart(path: server.path, errno)
    }
}
