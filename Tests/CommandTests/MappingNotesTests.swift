import Foundation
import TestSupport
import Testing

/// What `scan` and `run` say of a profile that does not fit an export, and the way out.
@Suite struct MappingNotesTests {
    private let fixture: CommandFixture

    init() throws {
        fixture = try CommandFixture()
    }

    private static func export(_ count: Int) -> String {
        "kennung;anfang;preis\n"
            + (0..<count).map { "E\($0);2026-01-\($0 % 20 + 10)T10:00:00;\($0 % 90 + 10),50\n" }.joined()
    }

    private static let profile = """
        source: site
        columns:
          trip_id: kennung
          unit_notified_at: anfang
          cost: preis

        """

    @Test func aScanSaysWhatIsNotMapped() throws {
        try TemporaryFolder.with { folder in
            try folder.write(Self.profile + "accept_unreadable: [cost]\n", to: "site.yaml")
            try folder.write(Self.export(40), to: "export.csv")
            let scan = ["scan", "export.csv", "--profile", "./site.yaml"]
            let note =
                "note: no column is mapped for status, region, trip_type, patient_id, loaded_miles, both ends of response, "
                + "both ends of duration, the rules of sourcing: "
            let result = try fixture.run(scan, in: folder.url)
            #expect(
                result.stderrText.contains(note + "every record counts as a completed trip; "), "\(result.stderrText)")
            #expect(result.stderrText.contains("no zone is set"))
            #expect(try fixture.run(scan + ["--dry-run"], in: folder.url).stdoutText.contains(note))
            #expect(try fixture.run(scan + ["--quiet"], in: folder.url).stderr.isEmpty)
            let whole = try fixture.run(["scan", CommandFixture.sample, "--zone", "America/New_York"])
            #expect(!whole.stderrText.contains("mapped for") && !whole.stderrText.contains("no zone"))
        }
    }

    /// A name that is too loose to load by is not dropped without a word.
    @Test func aColumnThatMayBeMeantIsNamed() throws {
        try TemporaryFolder.with { folder in
            let rows = (1...9).map { "\($0),2026-03-0\($0),4.5,Ada Canary\n" }.joined()
            try folder.write("trip_id,service_date,Miles,Remark By\n" + rows, to: "export.csv")
            let note = "a column may be meant, but is not read: “Miles” (loaded_miles); `tripkpi map` asks"
            let result = try fixture.run(["scan", "export.csv", "--internal"], in: folder.url)
            #expect(result.status == 0 && result.stderrText.contains(note), "\(result.stderrText)")
            let plan = try fixture.run(["scan", "export.csv", "--internal", "--dry-run"], in: folder.url)
            #expect(plan.stdoutText.contains(note))
            // Read under its own name, nothing is missing.
            try folder.write("trip_id,service_date,Loaded Miles,Miles\n" + rows, to: "both.csv")
            let both = try fixture.run(["scan", "both.csv", "--internal"], in: folder.url)
            #expect(both.status == 0 && !both.stderrText.contains("may be meant"))
        }
    }

    @Test func aColumnThatCannotBeReadIsAnError() throws {
        try TemporaryFolder.with { folder in
            try folder.write(Self.profile, to: "site.yaml")
            try folder.write(Self.export(40), to: "inbox/export.csv")
            let problem = "40 of 40 values of cost (100 %) cannot be read (they look like 99,99)"
            let scan = ["scan", "inbox/export.csv", "--profile", "./site.yaml", "--audience", "staff"]
            let read = try fixture.run(scan, in: folder.url)
            #expect(read.status == 65 && read.stderrText.contains("export.csv: " + problem), "\(read.stderrText)")
            #expect(read.stderrText.contains("write “decimal: comma” in a profile"))
            let run = try fixture.run(
                [
                    "run", "--inbox", "inbox", "--store", "store/t.sqlite", "--reports", "published", "--profile",
                    "site.yaml",
                ],
                in: folder.url)
            #expect(run.status == 65 && run.stderrText.contains(problem))
            #expect(run.stderrText.contains("unreadable_values"))

            try folder.write(Self.profile + "decimal: comma\n", to: "comma.yaml")
            let comma = try fixture.run(
                ["scan", "inbox/export.csv", "--profile", "./comma.yaml", "--audience", "staff", "--format", "json"],
                in: folder.url)
            #expect(!comma.stderrText.contains("cannot be read"))
            let sum = (0..<40).reduce(0) { $0 + ($1 % 90 + 10) * 100 + 50 }
            #expect(
                comma.stdoutText.contains("\"totalCost\": \(sum / 100)") || comma.stdoutText.contains("\(sum / 100)"))
        }
    }

    /// The header of an export that no name is known of: it is one, since times and numbers are below it.
    @Test func aHeaderOfUnknownNamesIsAHeader() throws {
        try TemporaryFolder.with { folder in
            try folder.write(Self.export(40), to: "export.csv")
            let scan = try fixture.run(["scan", "export.csv"], in: folder.url)
            #expect(scan.status == 65 && scan.stderrText.contains("no column is known to be trip_id"))
            #expect(!scan.stderrText.contains("does not look like a header"))
            let suggested = try fixture.run(["map", "suggest", "export.csv"], in: folder.url)
            #expect(suggested.status == 0 && suggested.stdoutText.contains("anfang"), "\(suggested.stderrText)")
        }
    }

    @Test func aDoubtfulHeaderIsTakenOnRequest() throws {
        try TemporaryFolder.with { folder in
            try folder.write("Alpha,Beta\n" + (0..<20).map { "a\($0),b\n" }.joined(), to: "export.csv")
            let refused = try fixture.run(["map", "suggest", "export.csv"], in: folder.url)
            #expect(refused.status == 65 && refused.stderrText.contains("tripkpi map suggest --header FILE"))
            #expect(!refused.stderrText.contains("Alpha"))
            let taken = try fixture.run(["map", "suggest", "--header", "export.csv"], in: folder.url)
            #expect(taken.status == 0 && taken.stdoutText.contains("(Alpha)"))
        }
    }

    @Test func warningsOfAPartAreOfAllRegions() throws {
        let path = Repository.root.appendingPathComponent("data/samples/sample.csv.gz").path
        let part = try fixture.run(["report", path, "--long", "--region", "North"])
        #expect(part.stdoutText.contains("Warnings (all regions and trip types): "))
        let whole = try fixture.run(["scan", path, "--long"])
        #expect(whole.stdoutText.contains("Warnings: "))
    }
}
