import Foundation
import Glibc

/// A child process of the tests: started, waited for with a time limit, ended by a signal.
///
/// Foundation's `Process` is not used. It learns of the end of its child through a socket that children which other
/// threads start at the same moment inherit. If one of those runs on, the end is not seen, and a pipe that was
/// inherited the same way never ends. Here the child closes everything but its three standard descriptors, and
/// `waitpid` tells of its end.
package struct SpawnedProgram: Sendable {
    package let processIdentifier: Int32

    /// The tests open fewer files at a time.
    private static let mostDescriptors: Int32 = 2_048

    /// - Parameters:
    ///   - environment: all of it.
    ///   - folder: the working folder; nil: that of the tests.
    ///   - standardInput: an open descriptor that stays the caller's; nil: nothing to read.
    ///   - standardOutput: a file to write to, made if it is missing; nil: that of the tests. `standardError` likewise.
    package init(
        _ executable: String, _ arguments: [String],
        environment: [String: String] = ProcessInfo.processInfo.environment,
        in folder: String? = nil, standardInput: Int32? = nil, standardOutput: String? = nil,
        standardError: String? = nil
    ) throws {
        // A program or a server that has ended is an error of the write to it, not the end of the test process.
        signal(SIGPIPE, SIG_IGN)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let standardInput {
            posix_spawn_file_actions_adddup2(&actions, standardInput, 0)
        } else {
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        }
        for (descriptor, path) in [(Int32(1), standardOutput), (2, standardError)] {
            guard let path else { continue }
            posix_spawn_file_actions_addopen(&actions, descriptor, path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        }
        // Also those that another thread opens at this moment. Closing one that is not open is no error here.
        for descriptor in 3..<Self.mostDescriptors { posix_spawn_file_actions_addclose(&actions, descriptor) }

        // A thread of a Dispatch pool blocks signals. The child would inherit that: SIGTERM would not end it.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        var all = sigset_t()
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))

        var started: pid_t = 0
        // The C library changes the folder by a function that Swift does not see; `env` does it and becomes the program.
        let words = (folder.map { ["/usr/bin/env", "--chdir=\($0)"] } ?? []) + [executable] + arguments
        let code = Self.withStrings(words) { argv in
            Self.withStrings(environment.map { "\($0)=\($1)" }) { envp in
                posix_spawn(&started, words[0], &actions, &attributes, argv, envp)
            }
        }
        guard code == 0 else { throw CommandRunnerError.notStarted(program: executable, errno: code) }
        processIdentifier = started
    }

    /// How the program ended, or nil if it runs on after so many seconds. To be asked until it has ended, and not after.
    package func end(withinSeconds seconds: Double) -> ProgramEnd? {
        let clock = ContinuousClock()
        let deadline = clock.now + .seconds(seconds)
        var pauseMicroseconds: UInt32 = 200
        while true {
            var status: Int32 = 0
            if waitpid(processIdentifier, &status, WNOHANG) == processIdentifier {
                let signal = status & 0x7f
                return ProgramEnd(status: signal == 0 ? (status >> 8) & 0xff : signal, bySignal: signal != 0)
            }
            if clock.now >= deadline { return nil }
            usleep(pauseMicroseconds)
            pauseMicroseconds = min(pauseMicroseconds * 2, 10_000)
        }
    }

    package func send(_ signal: Int32) {
        kill(processIdentifier, signal)
    }

    /// Ends it by the signal; with SIGKILL if it has not ended after a minute.
    package func end(with signal: Int32) {
        send(signal)
        if end(withinSeconds: 60) != nil { return }
        send(SIGKILL)
        _ = end(withinSeconds: 10)
    }

    /// The strings as C wants them, until the closure ends.
    private static func withStrings(
        _ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Int32
    ) -> Int32 {
        let copies = strings.map { strdup($0) } + [nil]
        defer { for copy in copies { free(copy) } }
        return copies.withUnsafeBufferPointer { $0.baseAddress.map(body) ?? EINVAL }
    }
}

/// How a program ended.
package struct ProgramEnd: Sendable {
    /// The exit code, or the signal's number.
    package let status: Int32
    package let bySignal: Bool
}
