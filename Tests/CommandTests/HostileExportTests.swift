import Foundation
import TestSupport
import Testing

/// Hostile files and arguments give an answer or an error that names the file, never a signal.
@Suite struct HostileExportTests {
    private let fixture: CommandFixture

    init() throws {
        fixture = try CommandFixture()
    }

    /// Every trip twice, so that records are read again.
    private static func export(_ seed: Int) -> String {
        var text = "trip_id,updated_at,unit_notified_at,completed_at,status,cost\n"
        for number in 0..<3000 {
            let minute = 10 + (number * seed) % 50
            text += "T\(number % 1500),2026-03-0\(1 + number / 1500) 10:\(minute):00,2026-03-01 10:\(minute):00,"
            text += "2026-03-01 11:\(minute):07,completed,\(minute * 7).50\n"
        }
        return text
    }

    private static let late = "trip_id,service_date\nX1,2026-03-01\n"

    /// Runs the program on an export and a pipe. The pipe is opened when the export is read, and then, before the pipe
    /// gives anything, the export is changed.
    private func run(
        _ arguments: [String], in folder: TemporaryFolder, readings: Int = 1,
        change: @escaping @Sendable (String) -> Void
    ) throws -> CommandResult {
        let path = try folder.write(Self.export(3), to: "trips.csv")
        let pipe = folder.path(of: "late.csv")
        #expect(mkfifo(pipe, 0o600) == 0)
        Thread {
            for _ in 0..<readings {
                let descriptor = open(pipe, O_WRONLY)
                change(path)
                Array(Self.late.utf8).withUnsafeBytes { _ = write(descriptor, $0.baseAddress, $0.count) }
                close(descriptor)
            }
        }.start()
        return try fixture.run(arguments + [path, pipe], in: folder.url)
    }

    @Test(arguments: ["scan", "report", "costs"], ["truncate", "append", "overwrite", "garbage", "replace"])
    func anExportThatChangesIs65AndNothingIsPublished(command: String, change: String) throws {
        try TemporaryFolder.with { folder in
            let other = try folder.write(Self.export(7), to: "other.csv")
            let garbage = String(repeating: "\",\n\"\"x,,,,,,,,,\n", count: 8000)
            let output = folder.path(of: "out.xlsx")
            let result = try run([command, "--internal", "--output", output], in: folder) { path in
                switch change {
                case "truncate": truncate(path, 20_000)
                case "replace": rename(other, path)
                default:
                    let handle = try? FileHandle(forUpdating: URL(fileURLWithPath: path))
                    if change == "append" { _ = try? handle?.seekToEnd() }
                    let text = change == "garbage" ? garbage : Self.export(7)
                    try? handle?.write(contentsOf: Data(text.utf8))
                    try? handle?.close()
                }
            }
            #expect(!result.endedBySignal)
            #expect(result.status == 65, "\(result.stderrText)")
            #expect(result.stderrText.contains("changed while it was read") || result.stderrText.contains("shorter"))
            #expect(result.stdout.isEmpty)
            #expect(!FileManager.default.fileExists(atPath: output))
        }
    }

    /// `costs --internal` reads its exports twice; the change falls between.
    @Test func anExportThatChangesBetweenTwoReadingsIs65() throws {
        try TemporaryFolder.with { folder in
            let output = folder.path(of: "costs.xlsx")
            let path = try folder.write(Self.export(3), to: "trips.csv")
            let pipe = folder.path(of: "late.csv")
            #expect(mkfifo(pipe, 0o600) == 0)
            Thread {
                for reading in 0..<2 {
                    let descriptor = open(pipe, O_WRONLY)
                    if reading == 1 {
                        try? Data(Self.export(3).replacing("completed", with: "cancelled").utf8).write(
                            to: URL(fileURLWithPath: path))
                    }
                    Array(Self.late.utf8).withUnsafeBytes { _ = write(descriptor, $0.baseAddress, $0.count) }
                    close(descriptor)
                }
            }.start()
            let result = try fixture.run(["costs", "--internal", "--output", output, path, pipe], in: folder.url)
            #expect(result.status == 65, "\(result.stderrText)")
            #expect(!FileManager.default.fileExists(atPath: output))
        }
    }

    @Test func aHeaderThatEndsInADelimiterIsLookedAt() throws {
        let short = try fixture.run(["map", "suggest", "-"], stdin: Array("id,name,lat,lon,\n1,name,0,0\n".utf8))
        #expect(!short.endedBySignal)
        #expect(short.status == 65)
        let trips = "trip_id,service_date,cost,\nT1,2026-03-01,1.00\nT2,2026-03-02,2.00,\n"
        let whole = try fixture.run(["map", "suggest", "-"], stdin: Array(trips.utf8))
        #expect(whole.status == 0, "\(whole.stderrText)")
        #expect(whole.stderrText.contains("2 of 2 records looked at"))
    }

    @Test(arguments: [(4096, 0), (4097, 65), (400_001, 65)])
    func anExportHasAtMost4096Columns(columns: Int, status: Int) throws {
        try TemporaryFolder.with { folder in
            let header = "trip_id,service_date" + String(repeating: ",", count: columns - 3) + ",x\n"
            let row = "T1,2026-03-01" + String(repeating: ",", count: columns - 2) + "\n"
            let text = header + row + String(repeating: "x\",\"y\n", count: status == 0 ? 0 : 30_000)
            let path = try folder.write(text, to: "wide.csv")
            let result = try fixture.run(["scan", "--internal", path], in: folder.url)
            #expect(Int(result.status) == status, "\(result.stderrText)")
            #expect(status == 0 || result.stderrText.contains("\(columns) columns, more than the 4096"))
        }
    }

    @Test(arguments: [("scan", 150, 40), ("scan", 60, 64), ("scan", 20, 34), ("report", 60, 64), ("costs", 60, 64)])
    func moreExportsThanMayBeOpenAreRead(command: String, count: Int, limit: Int) throws {
        try TemporaryFolder.with { folder in
            let paths = try (0..<count).map { number in
                // T0 is in all of them, so that all are read again.
                let rows =
                    "T0,2026-03-01 10:00:00,2026-03-01,1.00\nT\(number + 1),2026-03-01 10:00:00,2026-03-01,2.00\n"
                return try folder.write("trip_id,updated_at,service_date,cost\n" + rows, to: "trips\(number).csv")
            }
            let script = "ulimit -n \(limit); exec \"$0\" \(command) --internal --output out.xlsx \"$@\""
            let shell = try CommandRunner(executable: URL(fileURLWithPath: "/bin/sh"))
            let environment = ["TRIPKPI_DATA": Repository.root.appendingPathComponent("data").path]
            let result = try shell.run(
                ["-c", script, fixture.tripkpi.executable.path] + paths, environment: environment, in: folder.url)
            #expect(result.status == 0, "\(result.stderrText)")
            #expect(
                result.stderrText.contains(
                    "read \(2 * count) = added \(count + 1) + updated 0 + unchanged \(count - 1) "))
        }
    }

    @Test func controlCharactersOfArgumentsAreWrittenOut() throws {
        let escape = "\u{1B}[31mred\u{7}\u{9B}2J"
        for arguments in [
            ["scan", "--format", escape], ["scan", escape, "--wrong"], [escape], ["scan", escape],
            ["report", "--month", escape, CommandFixture.sample],
            ["report", "--region=\(escape)", CommandFixture.sample],
            ["report", CommandFixture.sample, "--month", "2026\ntripkpi: forged"],
            ["scan", CommandFixture.sample, "--profile", escape + "\nforged"],
        ] {
            let result = try fixture.run(arguments)
            #expect(result.status != 0)
            let text = result.stderrText
            #expect(
                !text.unicodeScalars.contains { ($0.value < 0x20 && $0 != "\n") || (0x7F..<0xA0).contains($0.value) })
            #expect(!text.contains("\nforged") && !text.contains("\ntripkpi: forged"), "\(text)")
        }
        let echoed = try fixture.run(["scan", "--format", escape])
        #expect(echoed.status == 64)
        #expect(echoed.stderrText.contains("\\u{1B}[31mred\\u{7}\\u{9B}2J"))
    }

    @Test func aFileNameThatIsNotUTF8IsNamedAsTheCause() throws {
        try TemporaryFolder.with { folder in
            try folder.write(Self.late, to: "plain.csv")
            let shell = try CommandRunner(executable: URL(fileURLWithPath: "/bin/sh"))
            let environment = ["TRIPKPI_DATA": Repository.root.appendingPathComponent("data").path]
            let script = "name=$(printf 'tr\\377ps.csv'); mv plain.csv \"$name\"; "
            let program = fixture.tripkpi.executable.path
            let named = try shell.run(
                ["-c", script + "exec \"$0\" scan --internal \"$name\"", program], environment: environment,
                in: folder.url)
            #expect(named.status == 66)
            #expect(named.stderrText.contains("its name is not UTF-8"))
            let piped = try shell.run(
                ["-c", "for name in tr*; do exec \"$0\" scan --internal - < \"$name\"; done", program],
                environment: environment, in: folder.url)
            #expect(piped.status == 0, "\(piped.stderrText)")
        }
    }
}
