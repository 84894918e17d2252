import Foundation
import TestSupport
import Testing

@Suite struct ScanCommandTests {
    private let fixture: CommandFixture

    init() throws {
        fixture = try CommandFixture()
    }

    @Test func dataGoesToStandardOutputAndMessagesToStandardError() throws {
        let result = try fixture.run(["scan", CommandFixture.sample, "--format", "json"])
        #expect(result.status == 0)
        #expect(result.stdoutText.hasPrefix("{"))
        #expect(!result.stdoutText.contains("records rejected"))
        #expect(result.stderrText.contains("read 300 = added 293"))
    }

    @Test func quietSaysNothingButStillWrites() throws {
        let result = try fixture.run(["scan", CommandFixture.sample, "--quiet", "--format", "csv"])
        #expect(result.stderr.isEmpty)
        #expect(result.stdoutText.hasPrefix("release,month,"))
    }

    @Test func withoutATerminalThereIsNeitherColourNorProgress() throws {
        let result = try fixture.run(["scan", CommandFixture.sample])
        #expect(!result.stdoutText.contains("\u{1B}"))
        #expect(!result.stderrText.contains("\r") && !result.stderrText.contains("\u{1B}"))
    }

    @Test func standardInputCountsAsTheFileDoes() throws {
        let bytes = try Repository.bytes("data/samples/sample.csv")
        let piped = try fixture.run(["scan", "-", "--format", "json"], stdin: bytes)
        let read = try fixture.run(["scan", CommandFixture.sample, "--format", "json"])
        #expect(piped.stdout == read.stdout)
    }

    @Test(arguments: ["json", "csv", "ndjson", "xlsx"])
    func sameExportAndEpochGiveTheSameBytes(form: String) throws {
        try TemporaryFolder.with { folder in
            for (name, jobs) in [("one", "1"), ("three", "3")] {
                let output = folder.path(of: name + "." + form)
                let result = try fixture.run(["scan", CommandFixture.sample, "--jobs", jobs, "--output", output])
                #expect(result.status == 0)
                #expect(result.stdout.isEmpty)
            }
            let one = try folder.read("one." + form)
            #expect(one == (try folder.read("three." + form)))
            #expect(one.count > 1000)
        }
    }

    @Test func anEpochThatIsNoneIsAnErrorNotTheClock() throws {
        let result = try fixture.run(["scan", CommandFixture.sample], environment: ["SOURCE_DATE_EPOCH": "today"])
        #expect(result.status == 78)
        #expect(result.stdout.isEmpty)
    }

    @Test func aFileThatIsNotThereIs66() throws {
        let result = try fixture.run(["scan", "/nonexistent/trips_smith.csv"])
        #expect(result.status == 66)
        #expect(result.stderrText.contains("trips_xxxxx.csv: there is no such file"))
    }

    @Test(.enabled(if: geteuid() != 0, "root may read every file"))
    func aFileThatMayNotBeReadIs77() throws {
        try TemporaryFolder.with { folder in
            let path = try folder.write("trip_id,service_date\n", to: "closed.csv")
            #expect(chmod(path, 0) == 0)
            #expect(try fixture.run(["scan", path]).status == 77)
        }
    }

    @Test func tooManyRejectsAre65WithNothingOnStandardOutput() throws {
        try TemporaryFolder.with { folder in
            let path = try folder.write(CommandFixture.canaryExport, to: "trips.csv")
            let output = folder.path(of: "kpi.json")
            let result = try fixture.run(["scan", path])
            #expect(result.status == 65)
            #expect(result.stdout.isEmpty)
            #expect(result.stderrText.contains("no_usable_date"))
            #expect(result.leaks == [])
            #expect(try fixture.run(["scan", path, "--output", output]).status == 65)
            #expect(!FileManager.default.fileExists(atPath: output))
        }
    }

    @Test func tooFewTripsAre65AndNothingIsShown() throws {
        try TemporaryFolder.with { folder in
            let path = try folder.write(CommandFixture.canaryExport, to: "trips.csv")
            let result = try fixture.run(["scan", path, "--max-reject", "60%", "--release"])
            #expect(result.status == 65)
            #expect(result.stdout.isEmpty)
            #expect(result.leaks == [])
        }
    }

    /// An export with a header and no records is a day without trips.
    @Test(arguments: ["trip_id,service_date\n", "trip_id,service_date\n\n", "trip_id,service_date", "[ ]\n"])
    func anExportWithoutRecordsIsNoneAndSaid(text: String) throws {
        try TemporaryFolder.with { folder in
            let path = try folder.write(text, to: text.hasPrefix("[") ? "day.json" : "day.csv")
            for arguments in [
                ["scan", path], ["report", path], ["load", path, "--store", folder.path(of: "s.sqlite")],
            ] {
                let result = try fixture.run(arguments, in: folder.url)
                #expect(result.status == 0, "\(result.stderrText)")
                #expect(arguments[0] == "load" || result.stderrText.contains("holds no records"))
                #expect(result.stderrText.contains("read 0 = "))
            }
            let unknown = try folder.write("trip_id,cost\n", to: "unknown.csv")
            let refused = try fixture.run(["scan", unknown], in: folder.url)
            #expect(refused.status == 65)
            #expect(refused.stderrText.contains("no column is known to be a time"))
        }
    }

    @Test func rejectsAreReportedOnlyByPlaceAndShape() throws {
        try TemporaryFolder.with { folder in
            let path = try folder.write(CommandFixture.canaryExport, to: "trips.csv")
            let result = try fixture.run(["scan", path, "--max-reject", "60%"])
            #expect(result.status == 0)
            #expect(result.stderrText.contains("looks like AAAAAAAAAAAA"))
            #expect(result.stdoutText.contains("INTERNAL"))
            #expect(result.leaks == [])
        }
    }

    @Test(arguments: ["missing/kpi.json", "link.json", "."])
    func anOutputThatCannotBeMadeIs73BeforeAnythingIsRead(name: String) throws {
        try TemporaryFolder.with { folder in
            let target = try folder.write("kept", to: "target.json")
            let link = folder.path(of: "link.json")
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
            let result = try fixture.run(
                ["scan", "/nonexistent/never-opened.csv", "--format", "json", "--output", folder.path(of: name)])
            #expect(result.status == 73)
            #expect(try folder.read("target.json") == Array("kept".utf8))
        }
    }

    @Test(arguments: ["scan \"$1\"", "scan --help", "--version"])
    func aFullDiskIs74(words: String) throws {
        let shell = try CommandRunner(executable: URL(fileURLWithPath: "/bin/sh"))
        let data = Repository.root.appendingPathComponent("data").path
        let result = try shell.run(
            ["-c", "\"$0\" \(words) >/dev/full", fixture.tripkpi.executable.path, CommandFixture.sample],
            environment: ["TRIPKPI_DATA": data])
        #expect(result.status == 74)
        #expect(result.stderrText.contains("standard output"))
    }

    @Test func outputsAreForTheirOwnerOnly() throws {
        try TemporaryFolder.with { folder in
            for name in ["kpi.json", "kpi.xlsx"] {
                let output = folder.path(of: name)
                #expect(try fixture.run(["scan", CommandFixture.sample, "--output", output]).status == 0)
                let mode = try FileManager.default.attributesOfItem(atPath: output)[.posixPermissions] as? NSNumber
                #expect(mode?.intValue == 0o600)
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 2)
        }
    }

    @Test func aDryRunSaysWhatItWouldReadAndComputesNothing() throws {
        let result = try fixture.run(["scan", CommandFixture.sample, "--profile", "canonical", "--dry-run"])
        #expect(result.status == 0)
        #expect(result.stdoutText.contains("profile canonical"))
        #expect(result.stdoutText.contains("unit_notified_at from column 10 (unit_notified_at)"))
        #expect(!result.stdoutText.contains("Total trips"))
    }

    @Test func aWrongProfileIs78AndNamesTheOnesThereAre() throws {
        let result = try fixture.run(["scan", CommandFixture.sample, "--profile", "nonsense"])
        #expect(result.status == 78)
        #expect(result.stderrText.contains("vetride"))
    }
}
