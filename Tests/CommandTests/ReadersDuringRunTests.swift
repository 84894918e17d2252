import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

/// A command that reads the store during a run gets the numbers of a finished state, or 75 and the owner of the lock.
@Suite struct ReadersDuringRunTests {
    private let fixture: CommandFixture

    init() throws {
        fixture = try CommandFixture()
    }

    /// A process that holds the run lock with a half-loaded store, and finishes after some seconds.
    private static let writer = """
        import fcntl, sqlite3, sys, time
        store = "store/tripkpi.sqlite"
        lock = open(store + ".lock", "r+")
        fcntl.flock(lock, fcntl.LOCK_EX)
        lock.write("process: 4242\\nhost: h\\nuser: u\\ncommand: tripkpi run\\nstarted: 2026-01-01T00:00:00Z\\nrun: \\n")
        lock.flush()
        db = sqlite3.connect(store)
        db.execute("UPDATE month_tallies SET is_stale = 1")
        db.commit()
        open("ready", "w").close()
        time.sleep(float(sys.argv[1]))
        db.execute("UPDATE month_tallies SET is_stale = 0")
        db.commit()
        db.close()
        lock.truncate(0)
        """

    private func during(
        seconds: Int, _ body: (TemporaryFolder) throws -> Void
    ) throws {
        try TemporaryFolder.with { folder in
            try folder.write(CommandFixture.trips(40), to: "export.csv")
            #expect(try fixture.run(["load", "export.csv"], in: folder.url).status == 0)
            let writer = try SpawnedProgram(
                "/usr/bin/env", ["python3", "-c", Self.writer, "\(seconds)"], in: folder.path)
            defer { writer.end(with: SIGTERM) }
            for _ in 0..<200 where !FileManager.default.fileExists(atPath: folder.path(of: "ready")) {
                Thread.sleep(forTimeInterval: 0.05)
            }
            try body(folder)
        }
    }

    @Test func readersWaitForTheEndOfTheRun() throws {
        try during(seconds: 2) { folder in
            let report = try fixture.run(["report", "--internal", "--format", "json"], in: folder.url)
            #expect(report.status == 0, "\(report.stderrText)")
            #expect(try fixture.run(["query", "--check"], in: folder.url).status == 0)
        }
    }

    /// All at once: each waits for half a minute.
    @Test func afterAWhileTheySayWhoHoldsTheLock() throws {
        let commands = [["report"], ["costs"], ["query", "--check"], ["query", "kpi_cells", "--internal"]]
        try during(seconds: 60) { folder in
            let results = Mutex<[Int: CommandResult]>([:])
            let (place, group) = (folder.url, DispatchGroup())
            // A queue each: as many threads as commands, on a machine with two processors too.
            for number in commands.indices {
                DispatchQueue(label: "command \(number)").async(group: group) {
                    let result = try? fixture.run(commands[number], in: place)
                    results.withLock { $0[number] = result }
                }
            }
            group.wait()
            for (number, command) in commands.enumerated() {
                let result = try #require(results.withLock { $0[number] }, "\(command)")
                #expect(result.status == 75, "\(command): \(result.stdoutText)\(result.stderrText)")
                #expect(
                    result.stderrText.contains("held by tripkpi run, process 4242"), "\(command): \(result.stderrText)")
                #expect(result.stdout.isEmpty, "\(command)")
            }
        }
    }
}
