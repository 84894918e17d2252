package import Foundation
import Glibc

/// Runs a program as a user would, by default the `tripkpi` of the same build as the tests.
///
/// The program's output goes to files of a temporary folder, so it cannot block on a full pipe. Its standard input is
/// a real pipe, because a pipe cannot be sought in and a file can.
package struct CommandRunner: Sendable {
    package let executable: URL
    /// The seconds after which a run is ended and fails.
    package var timeoutSeconds: Double

    /// - Parameter executable: nil for `tripkpi`: the program named by `TRIPKPI`, or the one next to the test bundle.
    package init(executable: URL? = nil, timeoutSeconds: Double = 60) throws {
        self.executable = try executable ?? Self.builtTripKPI()
        self.timeoutSeconds = timeoutSeconds
    }

    /// Runs the program to its end.
    ///
    /// - Parameters:
    ///   - environment: all of the program's environment but for `PATH`, `HOME` and `LD_LIBRARY_PATH`, which it inherits.
    ///   - folder: its working folder; nil: that of the tests.
    package func run(
        _ arguments: [String], stdin: [UInt8] = [], environment: [String: String] = [:], in folder: URL? = nil
    ) throws -> CommandResult {
        try TemporaryFolder.with { outputs in
            var ends: [Int32] = [0, 0]
            guard pipe(&ends) == 0 else {
                throw CommandRunnerError.notStarted(program: executable.lastPathComponent, errno: errno)
            }
            let program: SpawnedProgram
            do {
                defer { close(ends[0]) }
                program = try SpawnedProgram(
                    executable.path, arguments, environment: Self.inherited.merging(environment) { _, given in given },
                    in: folder?.path, standardInput: ends[0], standardOutput: outputs.path(of: "stdout"),
                    standardError: outputs.path(of: "stderr"))
            } catch {
                close(ends[1])
                throw error
            }
            Self.feed(stdin, to: ends[1])
            guard let end = program.end(withinSeconds: timeoutSeconds) else {
                program.end(with: SIGKILL)
                throw CommandRunnerError.tookTooLong(program: executable.lastPathComponent, seconds: timeoutSeconds)
            }
            return CommandResult(
                status: end.status,
                endedBySignal: end.bySignal,
                stdout: try outputs.read("stdout"),
                stderr: try outputs.read("stderr"))
        }
    }

    /// Starts a program that runs on, and ends it with SIGTERM when the closure ends.
    ///
    /// - Parameter environment: as for `run`.
    package func withRunning<Result>(
        _ arguments: [String], environment: [String: String] = [:], in folder: TemporaryFolder,
        _ body: (RunningProgram) async throws -> Result
    ) async throws -> Result {
        let program = RunningProgram(
            program: try SpawnedProgram(
                executable.path, arguments, environment: Self.inherited.merging(environment) { _, given in given },
                in: folder.path, standardOutput: folder.path(of: RunningProgram.outputName),
                standardError: folder.path(of: "running.stderr")),
            folder: folder)
        defer { program.end() }
        return try await body(program)
    }

    /// Writes from a thread of its own: the program may read slowly, or end without reading all of it.
    private static func feed(_ bytes: [UInt8], to descriptor: Int32) {
        guard !bytes.isEmpty else {
            close(descriptor)
            return
        }
        Thread {
            var left = bytes[...]
            while !left.isEmpty {
                let written = left.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
                if written < 0, errno == EINTR { continue }
                if written <= 0 { break }
                left = left.dropFirst(written)
            }
            close(descriptor)
        }.start()
    }

    private static var inherited: [String: String] {
        ProcessInfo.processInfo.environment.filter { ["PATH", "HOME", "LD_LIBRARY_PATH"].contains($0.key) }
    }

    private static func builtTripKPI() throws -> URL {
        if let named = ProcessInfo.processInfo.environment["TRIPKPI"] { return URL(fileURLWithPath: named) }
        return try built("tripkpi")
    }

    /// A program of the same build as the tests.
    package static func built(_ name: String) throws -> URL {
        let bundle =
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
            ?? CommandLine.arguments.first ?? ""
        let built = URL(fileURLWithPath: bundle).deletingLastPathComponent().appendingPathComponent(name)
        guard FileManager.default.isExecutableFile(atPath: built.path) else {
            throw CommandRunnerError.notBuilt(path: built.path)
        }
        return built
    }
}

/// What a run of a program left.
package struct CommandResult: Sendable {
    /// The exit code, or the signal's number if a signal ended it.
    package let status: Int32
    package let endedBySignal: Bool
    package let stdout: [UInt8]
    package let stderr: [UInt8]

    package var stdoutText: String { String(decoding: stdout, as: UTF8.self) }
    package var stderrText: String { String(decoding: stderr, as: UTF8.self) }
}

/// Why a program could not be run to its end.
package enum CommandRunnerError: Error, CustomStringConvertible {
    case notBuilt(path: String)
    case notStarted(program: String, errno: Int32)
    case tookTooLong(program: String, seconds: Double)

    package var description: String {
        switch self {
        case .notBuilt(let path):
            "there is no program at \(path); run `swift build -c release --build-tests`, or name one by TRIPKPI"
        case .notStarted(let program, let errno):
            "\(program) did not start: \(String(cString: strerror(errno)))"
        case .tookTooLong(let program, let seconds):
            "\(program) was still running after \(seconds) s and was killed; give it a longer timeoutSeconds if that is right"
        }
    }
}
