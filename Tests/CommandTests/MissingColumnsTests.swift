import Foundation
import TestSupport
import Testing

/// Mapped columns that an export lacks: named everywhere, an error where they are required or were there before.
@Suite struct MissingColumnsTests {
    private let fixture: CommandFixture

    init() throws {
        fixture = try CommandFixture()
    }

    private static let profile = """
        source: cad-north
        columns:
          trip_id: Run No
          service_date: Day
          cost: [Bill, Total Bill]
          vehicle_id: Unit

        """

    private static func export(_ count: Int, beginningAt first: Int = 0, cost: String = "Bill") -> String {
        "Run No,Day,\(cost),Unit\n"
            + (first..<first + count).map { "SYN-\($0),2024-01-\($0 % 20 + 10),100.00,MED\($0 % 7)" }
            .joined(separator: "\n") + "\n"
    }

    private static let missing = "1 mapped column is missing: cost (“Bill” or “Total Bill”)"

    private func nightly(_ command: String..., profile: Bool = true, in folder: TemporaryFolder) throws
        -> CommandResult
    {
        let places = ["--store", "store/trips.sqlite", "--inbox", "inbox", "--reports", "published"]
        return try fixture.run(
            command + places + (profile ? ["--profile", "cad-north.yaml"] : []), in: folder.url)
    }

    private func quarantine(_ words: String..., in folder: TemporaryFolder) throws -> CommandResult {
        try fixture.run(["quarantine"] + words + ["--store", "store/trips.sqlite"], in: folder.url)
    }

    @Test func scanNamesThemInItsMessagesAndInADryRun() throws {
        try TemporaryFolder.with { folder in
            try folder.write(Self.profile, to: "cad-north.yaml")
            try folder.write(Self.export(40, cost: "Invoice Sum"), to: "renamed.csv")
            try folder.write(Self.export(40, cost: "Total Bill"), to: "other.csv")
            for words in [[], ["--dry-run"]] {
                let scan = ["scan", "--profile", "cad-north.yaml", "renamed.csv"]
                let result = try fixture.run(scan + words, in: folder.url)
                #expect(result.status == 0)
                #expect((result.stdoutText + result.stderrText).contains("warning"))
                #expect((result.stdoutText + result.stderrText).contains(Self.missing))
                let other = try fixture.run(
                    ["scan", "--profile", "cad-north.yaml", "other.csv"] + words, in: folder.url)
                #expect(!(other.stdoutText + other.stderrText).contains("missing"))
            }
        }
    }

    @Test func aRequiredColumnThatIsMissingFailsTheExport() throws {
        try TemporaryFolder.with { folder in
            try folder.write(Self.profile + "required: [cost]\n", to: "cad-north.yaml")
            try folder.write(Self.export(40), to: "inbox/good.csv")
            try folder.write(Self.export(40, beginningAt: 40, cost: "Invoice Sum"), to: "inbox/renamed.csv")
            let scan = try fixture.run(["scan", "--profile", "cad-north.yaml", "inbox/renamed.csv"], in: folder.url)
            #expect(scan.status == 65)
            #expect(scan.stderrText.contains("cost (“Bill” or “Total Bill”), which profile cad-north requires"))
            #expect(try nightly("doctor", in: folder).status == 65)
            #expect(try nightly("run", in: folder).status == 65)
            let list = try quarantine("list", in: folder).stdoutText
            #expect(list.contains("NOT LOADED: 1 export"))
            #expect(list.contains("missing_columns"))
        }
    }

    @Test func aColumnThatWasThereFailsTheExportUntilItIsWaived() throws {
        try TemporaryFolder.with { folder in
            try folder.write(Self.profile, to: "cad-north.yaml")
            try folder.write(Self.export(40), to: "inbox/trips_2024-02-01.csv")
            #expect(try nightly("run", in: folder).status == 0)
            try folder.write(Self.export(40, beginningAt: 40, cost: "Sum"), to: "inbox/trips_2024-02-02.csv")
            let forecast = try nightly("run", "--dry-run", in: folder)
            #expect(forecast.status == 65)
            #expect(forecast.stdoutText.contains("no column for cost (“Bill”): it was there at the last load"))
            let failed = try nightly("run", in: folder)
            #expect(failed.status == 65)
            #expect(failed.stderrText.contains("no column for cost (“Bill”): it was there at the last load"))
            #expect(failed.stderrText.contains(Self.missing))
            let doctor = try nightly("doctor", in: folder)
            #expect(doctor.stdoutText.contains(Self.missing))
            let row = try quarantine("list", "--format", "csv", in: folder).stdoutText
                .split(whereSeparator: \.isNewline).dropFirst()
            let fields = try #require(row.first).split(separator: ",")
            #expect(fields[0] == "failed" && fields[4] == "columns_gone")

            let waived = try quarantine("waive", String(fields[1].prefix(8)), "--reason", "No bills now.", in: folder)
            #expect(waived.status == 0)
            #expect(waived.stderrText.contains("the next run loads it without the columns"))
            let loaded = try nightly("run", in: folder)
            #expect(loaded.status == 0)
            #expect(loaded.stderrText.contains("40 read = 40 added"))
            #expect(try quarantine("list", in: folder).stdoutText.contains("nothing is in quarantine"))

            // From here on the source has no such column: it is named, and nothing fails.
            try folder.write(Self.export(40, beginningAt: 80, cost: "Sum"), to: "inbox/trips_2024-02-03.csv")
            let next = try nightly("run", in: folder)
            #expect(next.status == 0)
            #expect(next.stderrText.contains(Self.missing))
        }
    }

    @Test func olderExportsAreComparedWithWhatCameBeforeThem() throws {
        try TemporaryFolder.with { folder in
            try folder.write(Self.profile, to: "cad-north.yaml")
            try folder.write(Self.export(40), to: "inbox/trips_2024-02-02.csv")
            #expect(try nightly("run", in: folder).status == 0)
            try folder.write(Self.export(40, beginningAt: 40, cost: "Sum"), to: "inbox/trips_2024-02-01.csv")
            #expect(try nightly("run", in: folder).status == 0)
            // It is in the store now, and the newest of the exports still is the other one.
            try folder.write(Self.export(40, beginningAt: 80, cost: "Sum"), to: "inbox/trips_2024-02-03.csv")
            #expect(try nightly("run", in: folder).status == 65)
        }
    }

    @Test func exportsWithoutAProfileAreComparedIfTheirNamesHaveTheSameWords() throws {
        try TemporaryFolder.with { folder in
            let renamed = CommandFixture.trips(40, beginningAt: 40).replacingOccurrences(of: ",cost\n", with: ",sum\n")
            try folder.write(CommandFixture.trips(40), to: "inbox/trips_1.csv")
            #expect(try nightly("run", profile: false, in: folder).status == 0)
            try folder.write(renamed, to: "inbox/billing_1.csv")
            let other = try nightly("run", profile: false, in: folder)
            #expect(other.status == 0)
            #expect(other.stderrText.contains("no column for cost (“cost”), which the last export had"))
            try folder.write(CommandFixture.trips(40, beginningAt: 80), to: "inbox/trips_2.csv")
            #expect(try nightly("run", profile: false, in: folder).status == 0)
            let again = renamed.replacingOccurrences(of: "SYN-", with: "SYN-9")
            try folder.write(again, to: "inbox/trips_3.csv")
            #expect(try nightly("run", profile: false, in: folder).status == 65)
        }
    }
}
