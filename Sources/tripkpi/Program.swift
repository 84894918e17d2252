import Files
import Operations
import Reporting
import Settings
import UseCases
import Foundation

/// The running program: its path, its messages, its clock.
enum Program {
    static let tool = "tripkpi \(TripKPICommand.version)"

    /// With symbolic links resolved: an installed program may be reached by a link.
    static var path: String {
        let own = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let named = own ?? CommandLine.arguments.first ?? ""
        return URL(fileURLWithPath: named).resolvingSymlinksInPath().path
    }

    /// Writes a message to standard error, with control characters escaped.
    static func tell(_ message: String) {
        let message = TerminalText.escaped(message, arguments: CommandLine.arguments)
        // If standard error is closed, there is no other place for the message.
        try? FileHandle.standardError.write(contentsOf: Data((message + "\n").utf8))
    }

    /// Writes lines of data to standard output.
    static func say(_ lines: [String]) throws { try StandardOutput.write(bytes(of: lines)) }

    static func bytes(of lines: [String]) -> [UInt8] { Array((lines.joined(separator: "\n") + "\n").utf8) }

    /// Now, or `SOURCE_DATE_EPOCH`, in seconds since 1970.
    static func generatedAt() throws -> Int {
        try Settings.generatedAt(environment: ProcessInfo.processInfo.environment) {
            Int(Date().timeIntervalSince1970)
        }
    }

    /// This process as the owner of the run lock and the actor of the audit log.
    static func owner(of command: String) -> LockOwner {
        let process = ProcessInfo.processInfo
        return LockOwner(
            process: process.processIdentifier, host: process.hostName, user: NSUserName(),
            command: "tripkpi \(command)", startedAt: UTCTime(secondsSince1970: Int(Date().timeIntervalSince1970)))
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
}

/// Text for a terminal. Control characters are escaped, so that a repeated argument can neither move the cursor nor
/// start a line of its own.
enum TerminalText {
    /// - Parameters:
    ///   - message: its own line feeds stay.
    ///   - arguments: what the message may repeat; line feeds in these are escaped too.
    static func escaped(_ message: String, arguments: [String]) -> String {
        var text = message
        for argument in arguments where argument.unicodeScalars.contains(where: isControl) {
            // The parser may repeat the value of `--option=value` alone.
            let value = argument.split(separator: "=", maxSplits: 1).last.map(String.init) ?? ""
            for echoed in [argument, value] where echoed.unicodeScalars.contains(where: { !isControl($0) }) {
                text = text.replacing(echoed, with: escaped(echoed, keepsLines: false))
            }
        }
        return escaped(text, keepsLines: true)
    }

    private static func escaped(_ text: String, keepsLines: Bool) -> String {
        // Nearly every message is printable ASCII.
        if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if !isControl(scalar) || (keepsLines && scalar == "\n") {
                result.append(scalar)
            } else {
                result.append(contentsOf: "\\u{\(String(scalar.value, radix: 16, uppercase: true))}".unicodeScalars)
            }
        }
        return String(result)
    }

    /// C0, DEL and C1; line and paragraph separators; characters that change the direction of the text after them.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
