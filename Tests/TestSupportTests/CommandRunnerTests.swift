import Foundation
import TestSupport
import Testing

@Suite struct CommandRunnerTests {
    private let shell: CommandRunner

    init() throws {
        shell = try CommandRunner(executable: URL(fileURLWithPath: "/bin/sh"))
    }

    @Test func givesStatusAndBothOutputs() throws {
        let result = try shell.run(["-c", "printf out; printf err >&2; exit 65"])
        #expect(result.status == 65)
        #expect(!result.endedBySignal)
        #expect(result.stdoutText == "out")
        #expect(result.stderrText == "err")
    }

    /// More than a pipe holds, both ways at once.
    @Test func doesNotBlockOnMuchInputAndOutput() throws {
        let bytes = [UInt8](repeating: 0x61, count: 3_000_000)
        #expect(try shell.run(["-c", "cat; head -c 1000000 /dev/zero >&2"], stdin: bytes).stdout == bytes)
    }

    @Test func outlivesAProgramThatDoesNotReadItsInput() throws {
        let bytes = [UInt8](repeating: 0x61, count: 3_000_000)
        #expect(try shell.run(["-c", "exit 3"], stdin: bytes).status == 3)
    }

    @Test func endsAProgramThatTakesTooLong() throws {
        var runner = shell
        runner.timeoutSeconds = 0.2
        #expect(throws: CommandRunnerError.self) { try runner.run(["-c", "exec sleep 30"]) }
    }

    /// The tests ignore SIGPIPE, and a program that inherited that would not end with its reader.
    @Test func aProgramDoesNotIgnoreThatItsReaderIsGone() throws {
        let result = try shell.run(["-c", "kill -PIPE $$; exit 7"])
        #expect(result.endedBySignal && result.status == SIGPIPE)
    }

    @Test func tellsAnExitFromASignal() throws {
        let result = try shell.run(["-c", "kill -TERM $$"])
        #expect(result.endedBySignal)
        #expect(result.status == SIGTERM)
    }

    @Test func passesOnlyTheEnvironmentItIsGiven() throws {
        let script = "printf '%s|%s' \"$GIVEN\" \"$LANG$TZ$USER\""
        let result = try shell.run(["-c", script], environment: ["GIVEN": "yes"])
        #expect(result.stdoutText == "yes|")
    }

    /// Otherwise a pipe or socket of another test stays open for as long as this program runs.
    @Test func theProgramHasNoDescriptorOfTheTests() throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        // 3 is the folder that `ls` itself reads.
        #expect(try shell.run(["-c", "exec ls /proc/self/fd"]).stdoutText == "0\n1\n2\n3\n")
    }

    @Test func aProgramThatIsMissingIsAnError() throws {
        let missing = try CommandRunner(executable: URL(fileURLWithPath: "/no-such-program"))
        #expect(throws: CommandRunnerError.self) { try missing.run([]) }
    }

    @Test func findsTheBuiltTripKPI() throws {
        #expect(try CommandRunner().run(["--help"]).status == 0)
    }
}
