import Foundation
import TestSupport
import Testing

/// The whole program: its help, its usage errors, and the streams they are written to.
@Suite struct ProgramTests {
    private let tripkpi: CommandRunner

    init() throws {
        tripkpi = try CommandRunner()
    }

    @Test func helpNamesTheExitCodes() throws {
        let result = try tripkpi.run(["--help"])
        #expect(result.status == 0)
        #expect(result.stdoutText.contains("78  profile, rules or settings are wrong"))
    }

    @Test(arguments: [
        ["scan"], ["report"], ["classify", "explain"], ["map", "suggest"], ["sample"], ["schema"], ["doctor"],
        ["publish"], ["verify"],
    ])
    func everyCommandsHelpHasExamples(command: [String]) throws {
        let result = try tripkpi.run(command + ["--help"])
        #expect(result.status == 0)
        #expect(result.stdoutText.contains("EXAMPLES:\n  tripkpi "))
    }

    @Test(arguments: [["--nonsense"], ["schema", "one", "two"], ["doctor", "--data-dir"]])
    func wrongUsageIs64AndSaysSoOnStandardError(arguments: [String]) throws {
        let result = try tripkpi.run(arguments)
        #expect(result.status == 64)
        #expect(result.stdout.isEmpty)
        #expect(result.stderrText.contains("Usage"))
    }

    @Test func helpGroupsTheCommands() throws {
        let help = try tripkpi.run(["--help"]).stdoutText
        let headings = help.split(separator: "\n").filter { $0.hasSuffix("SUBCOMMANDS:") }
        #expect(
            headings == [
                "ANALYSIS SUBCOMMANDS:", "NIGHTLY RUN SUBCOMMANDS:", "SOURCE AND RULE SUBCOMMANDS:",
                "IDENTIFIER SUBCOMMANDS:",
            ])
    }

    @Test(arguments: [
        (["repot"], "report"), (["quarantin", "list"], "quarantine"), (["quarantine", "lst"], "quarantine list"),
        (["map", "sugest", "export.csv"], "map suggest"), (["waiv"], "quarantine waive"),
        (["key", "rotaet"], "key rotate"),
        (["Scan", "export.csv"], "scan"),
    ])
    func anUnknownCommandGetsASuggestion(arguments: [String], meant: String) throws {
        let result = try tripkpi.run(arguments)
        #expect(result.status == 64 && result.stdout.isEmpty)
        #expect(result.stderrText.hasSuffix("Did you mean `tripkpi \(meant)`?\n"), "\(result.stderrText)")
    }

    @Test(arguments: [["xyzzy"], ["--repot"], ["report", "--formt", "csv"], ["schema", "report", "scan"], ["map"]])
    func whatResemblesNoCommandGetsNone(arguments: [String]) throws {
        let messages = try tripkpi.run(arguments).stderrText
        #expect(!messages.contains("Did you mean `"))
    }

    @Test(arguments: [["schema"], ["doctor"]])
    func aDataFolderThatIsNoneIs78(arguments: [String]) throws {
        #expect(try tripkpi.run(arguments + ["--data-dir", "/nonexistent"]).status == 78)
    }
}
