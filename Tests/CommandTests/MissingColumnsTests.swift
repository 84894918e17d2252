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

    /// Who waived the columns has not seen that the file is cut off.
    @Test func aWaiverOfColumnsDoesNotCoverACutOffFile() throws {
        try TemporaryFolder.with { folder in
            try folder.write(Self.profile, to: "cad-north.yaml")
            try folder.write(Self.export(40), to: "inbox/trips_1.csv")
            #expect(try nightly("run", in: folder).status == 0)
            let renamed = Self.export(200, beginningAt: 40, cost: "Invoice Sum")
            try folder.write(String(renamed.dropLast(12)), to: "inbox/trips_2.csv")
            for reason in ["columns_gone", "cut_off"] {
                let run = try nightly("run", in: folder)
                #expect(run.status == 65)
                #expect(run.stderrText.contains("(\(reason))"))
                let failed = try #require(
                    try quarantine("list", "--format", "csv", in: folder).stdoutText
                        .split(whereSeparator: \.isNewline).dropFirst().first
                ).split(separator: ",")
                let waived = try quarantine("waive", String(failed[1].prefix(8)), "--reason", "Known.", in: folder)
                #expect(waived.stderrText.contains("the next run loads it"))
            }
            #expect(try nightly("run", in: folder).status == 0)
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
            #expect(
                forecast.stdoutText.contains(
                    "no column for cost (“Bill”): it was there in the last export of this kind"))
            let failed = try nightly("run", in: folder)
            #expect(failed.status == 65)
            #expect(
                failed.stderrText.contains("no column for cost (“Bill”): it was there in the last export of this kind"))
            #expect(failed.stderrText.contains(Self.missing))
            let doctor = try nightly("doctor", in: folder)
            #expect(doctor.status == 65)
            #expect(doctor.stdoutText.contains("columns_gone"))
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

    /// The first one must have what all had before; from then on it is a kind of its own.
    @Test func aNewNameDoesNotHideARenamedColumn() throws {
        try TemporaryFolder.with { folder in
            try folder.write(Self.profile, to: "cad-north.yaml")
            // What begins in one run is not compared with each other.
            try folder.write(Self.export(40), to: "inbox/trips_1.csv")
            try folder.write("Run No,Day\nSYN-1,2024-01-11\n", to: "inbox/voids_1.csv")
            #expect(try nightly("run", in: folder).status == 0)
            try folder.write(Self.export(40, beginningAt: 40, cost: "Sum"), to: "inbox/trips_final.csv")
            #expect(try nightly("run", in: folder).status == 0, "One of both kinds has no cost.")
        }
        try TemporaryFolder.with { folder in
            try folder.write(Self.profile, to: "cad-north.yaml")
            try folder.write(Self.export(40), to: "inbox/trips_1.csv")
            #expect(try nightly("run", in: folder).status == 0)
            try folder.write(Self.export(40, beginningAt: 40, cost: "Sum"), to: "inbox/trips_final.csv")
            let renamed = try nightly("run", in: folder)
            #expect(renamed.status == 65)
            #expect(renamed.stderrText.contains("there in earlier exports of its source; not mapped: “Sum”"))
        }
    }

    @Test func exportsOfOtherNamesAreNotCompared() throws {
        try TemporaryFolder.with { folder in
            try folder.write(Self.profile, to: "cad-north.yaml")
            let bare = "Run No,Day\nSYN-1,2024-01-11\n"
            for (number, night) in [("1", 0), ("2", 100)] {
                try folder.write(Self.export(40, beginningAt: night), to: "inbox/trips_\(number).csv")
                #expect(try nightly("run", in: folder).status == 0)
                try folder.write(
                    bare.replacingOccurrences(of: "-1,", with: "-9\(number),"), to: "inbox/voids_\(number).csv")
                let other = try nightly("run", in: folder)
                #expect(other.status == 0, "Corrections come with fewer columns.")
                #expect(other.stderrText.contains("3 mapped columns") || other.stderrText.contains("2 mapped columns"))
            }
            // Dates, months and random words are no part of the kind.
            try folder.write(Self.export(40, beginningAt: 200, cost: "Sum"), to: "inbox/2024-Trips-Mar-3fa9c1.csv")
            #expect(try nightly("run", in: folder).status == 65)
        }
    }

    @Test func exportsWithoutAProfileAreComparedByTheirNamesToo() throws {
        try TemporaryFolder.with { folder in
            let renamed = CommandFixture.trips(40, beginningAt: 40).replacingOccurrences(of: ",cost\n", with: ",sum\n")
            // A file name may hold a person's name: it is compared, and shown masked.
            try folder.write(CommandFixture.trips(40), to: "inbox/smithville_1.csv")
            #expect(try nightly("run", profile: false, in: folder).status == 0)
            try folder.write(renamed, to: "inbox/jonestown_1.csv")
            let other = try nightly("run", profile: false, in: folder)
            #expect(other.status == 65)
            #expect(other.stderrText.contains("no column for cost (“cost”): it was there in earlier exports"))
            try FileManager.default.removeItem(atPath: folder.path(of: "inbox/jonestown_1.csv"))
            try folder.write(CommandFixture.trips(40, beginningAt: 80), to: "inbox/smithville_2.csv")
            #expect(try nightly("run", profile: false, in: folder).status == 0)
            let again = renamed.replacingOccurrences(of: "SYN-", with: "SYN-9")
            try folder.write(again, to: "inbox/smithville_3.csv")
            let failed = try nightly("run", profile: false, in: folder)
            #expect(failed.status == 65)
            #expect(failed.stderrText.contains("no column for cost (“cost”): it was there"))
            #expect(!failed.stderrText.contains("smithville"))
        }
    }

    @Test func aWaiverOfAnotherFaultDoesNotAcceptGoneColumns() throws {
        try TemporaryFolder.with { folder in
            try folder.write(Self.profile + "required: [cost]\n", to: "cad-north.yaml")
            try folder.write(Self.export(40), to: "inbox/trips_1.csv")
            #expect(try nightly("run", in: folder).status == 0)
            try folder.write(Self.export(40, beginningAt: 40, cost: "Sum"), to: "inbox/trips_2.csv")
            #expect(try nightly("run", in: folder).status == 65)
            let sha = try #require(
                try quarantine("list", "--format", "csv", in: folder).stdoutText
                    .split(whereSeparator: \.isNewline).dropFirst().first?.split(separator: ",")[1])
            #expect(try quarantine("waive", String(sha.prefix(8)), "--reason", "Sent twice.", in: folder).status == 0)
            #expect(try nightly("run", in: folder).status == 0, "It is left out.")
            #expect(try nightly("doctor", in: folder).status == 0, "A waived export is done with.")
            try folder.write(Self.profile, to: "cad-north.yaml")
            let replay = try nightly("quarantine", "replay", String(sha.prefix(8)), in: folder)
            #expect(replay.status == 65)
            #expect(replay.stderrText.contains("no column for cost"))
            #expect(try nightly("run", in: folder).status == 65, "The waiver was of another fault.")
        }
    }
}
