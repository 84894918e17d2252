import Foundation
import TestSupport
import Testing

/// How `make test` counts its cross-checks (`scripts/test.sh FOLDER` runs those of a folder).
@Suite struct TestCountsTests {
    private func run(_ checks: [String: String]) throws -> (status: Int32, lines: [String]) {
        try TemporaryFolder.with { (folder: TemporaryFolder) -> (status: Int32, lines: [String]) in
            for (name, body) in checks { try folder.write(body, to: "check_\(name).py") }
            let script = try CommandRunner(executable: Repository.root.appendingPathComponent("scripts/test.sh"))
            let result = try script.run(
                [folder.path], environment: ["TRIPKPI": "/bin/true", "PATH": "/usr/local/bin:/usr/bin:/bin"])
            let text = result.stdoutText.replacing(folder.path + "/", with: "")
            return (result.status, text.split(separator: "\n").map(String.init))
        }
    }

    @Test func whatIsSkippedIsCountedAndNamedBeforeTheLastLine() throws {
        let (status, lines) = try run([
            "a": "print('skipped: metrics: there is no promtool')\nprint('3 passed, 0 failed')",
            "b": "print('skipped: everything: there is no data')\nprint('0 passed, 0 failed')",
        ])
        #expect(status == 0)
        #expect(
            lines.suffix(4) == [
                "2 skipped", "  check_a.py: metrics: there is no promtool",
                "  check_b.py: everything: there is no data",
                "3 passed, 0 failed",
            ], "\(lines)")
    }

    @Test func aFolderWithoutChecksIsAFailure() throws {
        let (status, lines) = try run([:])
        #expect(status == 1 && lines.last == "0 passed, 1 failed", "\(lines)")
    }

    @Test(arguments: [
        "print('4 passed, 1 failed')\nraise SystemExit(1)", "print('5 passed, 0 failed')\nraise SystemExit(1)",
        "print('no counts')", "print('0 passed, 0 failed')",
    ])
    func aCheckThatFailsDiesOrChecksNothingIsAFailure(body: String) throws {
        let (status, lines) = try run(["a": body, "b": "print('1 passed, 0 failed')"])
        #expect(status == 1 && lines.last?.hasSuffix(" passed, 1 failed") == true, "\(lines)")
        #expect(lines.dropLast().last == "0 skipped")
    }
}
