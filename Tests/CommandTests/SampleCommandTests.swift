import Foundation
import TestSupport
import Testing

@Suite struct SampleCommandTests {
    private let fixture: CommandFixture

    init() throws {
        fixture = try CommandFixture()
    }

    @Test func theSamplesOfTheRepositoryAreMadeByTheirScript() throws {
        try TemporaryFolder.with { folder in
            let script = try folder.write(Repository.bytes("data/samples/make-samples.sh"), to: "make-samples.sh")
            let shell = try CommandRunner(executable: URL(fileURLWithPath: "/bin/sh"))
            #expect(try shell.run([script, fixture.tripkpi.executable.path]).status == 0)
            let samples = Repository.files(under: "data/samples").filter { $0.hasPrefix("data/samples/sample") }
            #expect(samples.count >= 7)
            for sample in samples {
                let made = try folder.read(String(sample.dropFirst("data/samples/".count)))
                #expect(made == (try Repository.bytes(sample)), "\(sample)")
            }
        }
    }

    @Test func itGoesToStandardOutputUnlessAFileIsNamed() throws {
        try TemporaryFolder.with { folder in
            let arguments = ["sample", "--rows", "50", "--gzip-members"]
            let piped = try fixture.run(arguments)
            #expect(try fixture.run(arguments + ["--output", folder.path(of: "s.gz")]).stdout.isEmpty)
            #expect(piped.stdout == (try folder.read("s.gz")))
            #expect(piped.stdout.starts(with: [0x1F, 0x8B]))
        }
    }

    @Test func fieldsAreTheOnesAskedFor() throws {
        let result = try fixture.run(["sample", "--rows", "2", "--fields", "trip_id,service_date,cost"])
        #expect(result.stdoutText.hasPrefix("trip_id,service_date,cost\n"))
    }

    @Test func withoutFaultsNothingIsRejected() throws {
        let sample = try fixture.run(
            ["sample", "--rows", "2000", "--faulty-per-million", "0", "--corrections-per-million", "0"])
        let scan = try fixture.run(["scan", "-"], stdin: sample.stdout)
        #expect(scan.stderrText.contains("read 2000 = added 2000"))
    }

    @Test(arguments: [
        ["--rows", "10", "--format", "xml"], ["--rows", "-1"], ["--rows", "10", "--from", "2023"],
        ["--rows", "10", "--fields", "trip_id,colour"], ["--rows", "10", "--zone", "Mars/Olympus"], [],
    ])
    func aSampleThatCannotBeMadeIs64(arguments: [String]) throws {
        let result = try fixture.run(["sample"] + arguments)
        #expect(result.status == 64)
        #expect(result.stdout.isEmpty)
    }

    /// As `tripkpi sample … | head`: when the reader stops, there is no message.
    @Test func aReaderThatGoesAwayEndsItQuietly() throws {
        let shell = try CommandRunner(executable: URL(fileURLWithPath: "/bin/bash"))
        let result = try shell.run(
            [
                "-c", "\"$0\" sample --rows 300000 | head -c 100 >/dev/null; echo ${PIPESTATUS[0]}",
                fixture.tripkpi.executable.path,
            ])
        #expect(result.stdoutText == "141\n")
        #expect(result.stderr.isEmpty)
    }
}
