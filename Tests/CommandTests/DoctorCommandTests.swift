import TestSupport
import Testing

@Suite struct DoctorCommandTests {
    @Test func saysForEachThingWhetherItIsAsARunNeedsIt() throws {
        try TemporaryFolder.with { folder in
            try folder.write("source: test\ncolumns: {trip_id: Id, service_date: Day}\n", to: "profiles/p.yaml")
            try folder.write("a: [1\n", to: "rules/broken.yaml")
            let result = try CommandRunner().run(["doctor"], environment: ["TRIPKPI_DATA": folder.path], in: folder.url)
            #expect(result.status == 78)
            let lines = result.stdoutText.split(separator: "\n")
            #expect(lines.contains { $0.hasPrefix("ok    profiles") })
            #expect(lines.contains { $0.hasPrefix("fail  rules") && $0.contains("broken.yaml") })
            #expect(lines.contains { $0.hasPrefix("ok    write access") })
            #expect(lines.contains { $0.hasPrefix("ok    libraries") && $0.contains("zlib 1.") })
        }
    }

    @Test func readsTheShippedFilesAndTheSettingsAsARunWould() throws {
        try TemporaryFolder.with { folder in
            let fixture = try CommandFixture()
            #expect(try fixture.run(["doctor"], in: folder.url).status == 0)
            try folder.write("jobs: 0\n", to: "tripkpi.yaml")
            let result = try fixture.run(["doctor"], in: folder.url)
            #expect(result.status == 78)
            #expect(result.stdoutText.contains("fail  settings"))
            let other = try folder.write("zone: America/Denver\n", to: "other.yaml")
            let well = try fixture.run(["doctor", "--config", other], in: folder.url)
            #expect(well.status == 0)
            #expect(well.stdoutText.contains("settings      zone: \(other)"))
        }
    }
}
