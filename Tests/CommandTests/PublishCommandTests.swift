import Foundation
import TestSupport
import Testing

@Suite struct PublishCommandTests {
    @Test(arguments: [["publish", "--list"], ["publish", "--rollback"], ["verify"]])
    func withoutAPublishedSetTheyEndWith66AndSayWhere(arguments: [String]) throws {
        try TemporaryFolder.with { folder in
            let result = try CommandFixture().run(arguments + ["--reports", folder.path])
            #expect(result.status == 66)
            #expect(result.stderrText.contains(folder.path))
            #expect(result.stdout.isEmpty)
        }
    }

    @Test(arguments: [["publish"], ["publish", "--list", "--rollback"], ["publish", "--list", "--to", "x"]])
    func whatIsToBeDoneIsSaidOnce(arguments: [String]) throws {
        #expect(try CommandFixture().run(arguments).status == 64)
    }

    @Test func aFolderWhereTheLinkBelongsIs73AndAWayOutIs64() throws {
        try TemporaryFolder.with { folder in
            try folder.write("x", to: "current/file")
            let fixture = try CommandFixture()
            #expect(try fixture.run(["publish", "--list", "--reports", folder.path]).status == 73)
            #expect(try fixture.run(["verify", "--run", "../x", "--reports", folder.path]).status == 64)
        }
    }

    @Test func aFileBeyondItsLimitIs74AndLeavesNothing() throws {
        try TemporaryFolder.with { folder in
            let shell = try CommandRunner(executable: URL(fileURLWithPath: "/bin/bash"))
            let program = try CommandFixture().tripkpi.executable.path
            let script = "ulimit -f 1; exec \"$0\" scan \"$1\" --output \"$2\""
            let result = try shell.run(
                ["-c", script, program, CommandFixture.sample, folder.path(of: "kpi.json")],
                environment: ["TRIPKPI_DATA": Repository.root.appendingPathComponent("data").path], in: folder.url)
            #expect(result.status == 74)
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasPrefix("kpi") } == [])
        }
    }
}
