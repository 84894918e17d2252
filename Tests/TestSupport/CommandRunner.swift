import Dispatch
package import Foundation

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
            let process = Process()
            process.executableURL = executable
            process.arguments = arguments
            process.environment = Self.inherited.merging(environment) { _, given in given }
            if let folder { process.currentDirectoryURL = folder }
            process.standardOutput = try Self.output("stdout", in: outputs)
            process.standardError = try Self.output("stderr", in: outputs)
            let input = Pipe()
            process.standardInput = input
            let ended = DispatchSemaphore(value: 0)
            process.terminationHandler = { _ in ended.signal() }
            try Self.withSignalsUnblocked { try process.run() }
            feed(stdin, to: input)
            if ended.wait(timeout: .now() + timeoutSeconds) == .timedOut {
                kill(process.processIdentifier, SIGKILL)
                _ = ended.wait(timeout: .now() + 5)
                throw CommandRunnerError.tookTooLong(program: executable.lastPathComponent, seconds: timeoutSeconds)
            }
            return CommandResult(
                status: process.terminationStatus,
                endedBySignal: process.terminationReason == .uncaughtSignal,
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
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        process.environment = Self.inherited.merging(environment) { _, given in given }
        process.currentDirectoryURL = folder.url
        process.standardOutput = try Self.output(RunningProgram.outputName, in: folder)
        process.standardError = try Self.output("running.stderr", in: folder)
        process.standardInput = FileHandle.nullDevice
        try Self.withSignalsUnblocked { try process.run() }
        let program = RunningProgram(process: process, folder: folder)
        defer { program.end() }
        return try await body(program)
    }

    /// Writes from a thread of its own: the program may read slowly, or end without reading all of it. With SIGPIPE
    /// blocked in that thread the latter is an error of the write, not the end of the test process.
    private func feed(_ bytes: [UInt8], to pipe: Pipe) {
        let end = pipe.fileHandleForWriting
        guard !bytes.isEmpty else {
            try? end.close()
            return
        }
        Thread {
            var mask = sigset_t()
            sigemptyset(&mask)
            sigaddset(&mask, SIGPIPE)
            pthread_sigmask(SIG_BLOCK, &mask, nil)
            try? end.write(contentsOf: Data(bytes))
            try? end.close()
        }.start()
    }

    /// A thread of a Dispatch pool blocks signals and the program would inherit that: SIGTERM would not end it.
    private static func withSignalsUnblocked(_ body: () throws -> Void) rethrows {
        var none = sigset_t()
        var before = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        try body()
    }

    private static var inherited: [String: String] {
        ProcessInfo.processInfo.environment.filter { ["PATH", "HOME", "LD_LIBRARY_PATH"].contains($0.key) }
    }

    private static func output(_ name: String, in folder: TemporaryFolder) throws -> FileHandle {
        try FileHandle(forWritingTo: URL(fileURLWithPath: folder.write("", to: name)))
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
    case tookTooLong(program: String, seconds: Double)

    package var description: String {
        switch self {
        case .notBuilt(let path):
            "there is no program at \(path); run `swift build -c release --build-tests`, or name one by TRIPKPI"
        case .tookTooLong(let program, let seconds):
            "\(program) was still running after \(seconds) s and was killed; give it a longer timeoutSeconds if that is right"
        }
    }
}
