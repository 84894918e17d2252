import Dispatch
import Foundation
package import Operations
package import Settings
package import Trips

/// `tripkpi-serve`, the program that listens on the network. It lies beside this program and is linked with no store, no key and
/// no reader of exports. It reads no settings: what they say, it gets as flags.
package struct ServerProgram: Sendable {
    package static let name = "tripkpi-serve"

    package let path: String

    /// The exit code of flags that a program does not know (`EX_USAGE`).
    private static let wrongUsage: Int32 = 64
    /// How long it may take to read the keys and the certificate.
    private static let checkSeconds = 10.0

    /// - Parameter executable: the path of this program, with symbolic links resolved.
    /// - Throws: `ServerProgramError.missing`.
    package init(beside executable: String) throws(ServerProgramError) {
        path = URL(fileURLWithPath: executable).deletingLastPathComponent().appendingPathComponent(Self.name).path
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue else {
            throw .missing(path: path)
        }
    }

    /// - Parameters:
    ///   - withoutAuth: no token is asked for.
    ///   - demo: the server makes a key and a token.
    package static func arguments(_ settings: Settings, withoutAuth: Bool, demo: Bool) -> [String] {
        let options: [(name: String, value: String?)] = [
            ("published", settings.reports), ("listen", settings.apiListen), ("keys", settings.apiKeys),
            ("issuer", settings.apiIssuer), ("token-audience", settings.apiAudience),
            ("certificate", settings.apiCertificate), ("certificate-key", settings.apiCertificateKey),
            ("requests-per-second", "\(settings.apiRequestsPerSecond)"),
            ("connections-per-address", "\(settings.apiConnectionsPerAddress)"), ("workers", "\(settings.jobs)"),
            ("metrics-file", settings.apiMetricsFile), ("log-format", settings.logFormat.rawValue),
        ]
        let flags = [("behind-proxy", settings.apiBehindProxy), ("without-auth", withoutAuth), ("demo", demo)]
        return options.compactMap { option in option.value.map { "--\(option.name)=\($0)" } }
            + settings.apiCORSOrigins.map { "--cors-origin=\($0)" }
            + flags.filter(\.1).map { "--\($0.0)" }
    }

    /// The environment of the server: no settings of this program, which say where store and key are, and no folder of secrets.
    ///
    /// - Parameter own: that of this process.
    package static func environment(_ own: [String: String]) -> [String: String] {
        var environment = own.filter { !$0.key.hasPrefix("TRIPKPI") && $0.key != "CREDENTIALS_DIRECTORY" }
        // Sets that were served go back to the system: glibc gives blocks of this many bytes memory of their own.
        environment["MALLOC_MMAP_THRESHOLD_"] = environment["MALLOC_MMAP_THRESHOLD_"] ?? "131072"
        return environment
    }

    /// Asks the program whether it could serve. It reads the keys and the certificate, and listens to nothing.
    ///
    /// - Parameter environment: that of this process.
    /// - Throws: `ServerProgramError`.
    package func check(
        _ arguments: [String], environment: [String: String]
    ) throws(ServerProgramError) -> ServerCheck {
        let process = Process(), output = Pipe(), errors = Pipe(), ended = DispatchSemaphore(value: 0)
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments + ["--check"]
        process.environment = Self.environment(environment)
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = errors
        process.terminationHandler = { _ in ended.signal() }
        do { try process.run() } catch {
            let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
            // Foundation looks first whether this user may run it, and has no number for that.
            throw .cannotStart(path: path, cause?.domain == NSPOSIXErrorDomain ? Int32(cause?.code ?? 0) : EACCES)
        }
        guard ended.wait(timeout: .now() + Self.checkSeconds) == .success else {
            kill(process.processIdentifier, SIGKILL)
            throw .noAnswer(path: path)
        }
        // It has ended, and what it prints fits the buffer of a pipe.
        guard let told = try? output.fileHandleForReading.readToEnd() ?? Data(),
            let problem = try? errors.fileHandleForReading.readToEnd() ?? Data()
        else { throw .noAnswer(path: path) }
        if process.terminationReason == .exit, process.terminationStatus == 0, let check = try? ServerCheck(line: told)
        {
            guard check.version == ToolVersion.text else { throw .otherVersion(path: path) }
            return check
        }
        // Flags that it does not know.
        if process.terminationReason == .exit, process.terminationStatus == Self.wrongUsage {
            throw .otherVersion(path: path)
        }
        guard process.terminationReason == .exit, let kind = ExitStatus.kind(of: process.terminationStatus),
            let sentence = Self.sentence(problem)
        else { throw .noAnswer(path: path) }
        throw .refused(sentence, kind)
    }

    /// The error that the program printed; nil: there is none.
    private static func sentence(_ errors: Data) -> String? {
        let text = String(decoding: errors, as: UTF8.self).trimmingCharacters(in: .newlines)
        let sentence = text.hasPrefix("tripkpi: ") ? String(text.dropFirst("tripkpi: ".count)) : text
        return sentence.isEmpty ? nil : sentence
    }
}

/// Why the program that serves cannot be used.
package enum ServerProgramError: ClassifiedError, Sendable, Hashable, CustomStringConvertible {
    case missing(path: String)
    /// With the number of the system's error.
    case cannotStart(path: String, Int32)
    case otherVersion(path: String)
    /// It neither says that it could serve, nor why not.
    case noAnswer(path: String)
    /// Its own sentence: keys, certificate or address cannot be used.
    case refused(String, FailureKind)

    package var failureKind: FailureKind {
        switch self {
        case .missing: .inputMissing
        case .cannotStart(_, let error): [EACCES, EPERM].contains(error) ? .permission : .configuration
        case .otherVersion: .configuration
        case .noAnswer: .internalBug
        case .refused(_, let kind): kind
        }
    }

    package var description: String {
        switch self {
        case .missing(let path):
            "\(path): is missing, and `tripkpi serve` needs it; install tripkpi again (both programs), or run "
                + "`swift build -c release --product \(ServerProgram.name)` in a source checkout"
        case .cannotStart(let path, let error):
            "\(path): cannot be started (\(String(cString: strerror(error)))); "
                + (failureKind == .permission
                    ? "check that this user may run it" : "install tripkpi again, both programs of this machine's kind")
        case .otherVersion(let path): "\(path): is of another version than tripkpi; install both programs again"
        case .noAnswer(let path): "\(path): does not answer; run `tripkpi serve` and read its message"
        case .refused(let sentence, _): sentence
        }
    }
}
