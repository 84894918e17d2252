import Foundation
import TestSupport
import Testing

@Suite struct QuarantineCommandTests {
    private let fixture: CommandFixture
    private static let store = ["--store", "trips.sqlite"]

    init() throws {
        fixture = try CommandFixture()
    }

    /// One record in two has no date, which is more than may be rejected.
    private static let failing = """
        trip_id,service_date,hcpcs_modifiers,patient_name
        CANARYTRIP1,2024-01-02,QN,Canary Person
        CANARYTRIP2,CANARYNOTE,QN,Canary Person

        """
    private static let fixed = failing.replacingOccurrences(of: "2,CANARYNOTE", with: "2,2024-01-03")

    private func run(_ arguments: [String], in folder: TemporaryFolder) throws -> CommandResult {
        let result = try fixture.run(arguments, in: folder.url)
        #expect(result.leaks == [], "\(arguments.first ?? "")")
        return result
    }

    private func nightly(in folder: TemporaryFolder) throws -> CommandResult {
        try run(["run", "--inbox", "inbox", "--reports", "published"] + Self.store, in: folder)
    }

    private struct Listed: Decodable {
        struct Waiver: Decodable {
            var reason: String
        }
        var state: String
        var sha256: String
        var reason: String
        var rejected: Int
        var read: Int
        var waiver: Waiver?
    }

    private func list(in folder: TemporaryFolder) throws -> [Listed] {
        let result = try run(["quarantine", "list", "--format", "json"] + Self.store, in: folder)
        return try JSONDecoder().decode([Listed].self, from: Data(result.stdout))
    }

    @Test func aFailedExportEndsEveryRunWith65UntilItIsWaived() throws {
        try TemporaryFolder.with { folder in
            try folder.write(CommandFixture.trips(40), to: "inbox/trips_2024-01-05.csv")
            try folder.write(Self.failing, to: "inbox/late_2024-01-06.csv")
            #expect(try nightly(in: folder).status == 65)
            #expect(try nightly(in: folder).status == 65)
            let failed = try #require(try list(in: folder).first)
            #expect((failed.state, failed.reason, failed.rejected, failed.read) == ("failed", "too_many_rejects", 1, 2))
            let hash = String(failed.sha256.prefix(8))
            #expect(try run(["quarantine", "waive", hash] + Self.store, in: folder).status == 64)
            let waive = ["quarantine", "waive", hash, "--reason", "A test file."] + Self.store
            #expect(try run(waive, in: folder).status == 0)
            #expect(try nightly(in: folder).status == 0)
            #expect(try list(in: folder).first?.waiver?.reason == "A test file.")
            let table = try run(["quarantine", "list"] + Self.store, in: folder).stdoutText
            #expect(table.contains("NOT LOADED: 1 export"))
            #expect(table.contains("too_many_rejects: 1 of 2 records rejected"))
            #expect(table.contains("waived by"))
            let takenBack = ["quarantine", "waive", hash, "--withdraw-waiver"] + Self.store
            #expect(try run(takenBack, in: folder).status == 0)
            #expect(try nightly(in: folder).status == 65)
        }
    }

    @Test func aFailedExportWhoseFileIsGoneStaysListedUntilItIsForgotten() throws {
        try TemporaryFolder.with { folder in
            try folder.write(CommandFixture.trips(40), to: "inbox/trips.csv")
            let path = try folder.write(Self.failing, to: "inbox/late_2024-01-06.csv")
            #expect(try nightly(in: folder).status == 65)
            try FileManager.default.removeItem(atPath: path)
            #expect(try nightly(in: folder).status == 0)
            let failed = try #require(try list(in: folder).first)
            #expect(try run(["quarantine", "forget", failed.sha256] + Self.store, in: folder).status == 0)
            #expect(try list(in: folder).isEmpty)
            #expect(try run(["quarantine", "list"] + Self.store, in: folder).stdoutText.contains("nothing"))
        }
    }

    /// The profile reads only the first of the two date columns until it is fixed.
    @Test func anExportIsReplayedAfterItsProfileWasFixed() throws {
        try TemporaryFolder.with { folder in
            let export = Self.failing.replacingOccurrences(of: "2,CANARYNOTE", with: "2,03/01/2024")
            try folder.write(export, to: "inbox/trips_2024-01-06.csv")
            let profile = try folder.write(Self.profile(datePattern: "yyyy-MM-dd"), to: "county.yaml")
            let options = ["--profile", profile, "--inbox", "inbox"] + Self.store
            let load = try run(["run", "--reports", "published"] + options, in: folder)
            #expect(load.status == 65)
            let hash = try #require(try list(in: folder).first).sha256
            #expect(try run(["quarantine", "replay", hash] + options, in: folder).status == 65)
            try folder.write(Self.profile(datePattern: "yyyy-MM-dd, dd/MM/yyyy"), to: "county.yaml")
            let replay = try run(["quarantine", "replay", String(hash.prefix(10))] + options, in: folder)
            #expect(replay.status == 0)
            #expect(replay.stderrText.contains("2 read = 2 added"))
            #expect(try list(in: folder).isEmpty)
        }
    }

    @Test func theFileThatIsReplayedMustHaveTheContent() throws {
        try TemporaryFolder.with { folder in
            try folder.write(Self.failing, to: "inbox/trips_2024-01-06.csv")
            #expect(try nightly(in: folder).status == 65)
            let hash = try #require(try list(in: folder).first).sha256
            let other = try folder.write(Self.fixed, to: "elsewhere/other.csv")
            #expect(try run(["quarantine", "replay", hash, other] + Self.store, in: folder).status == 65)
            #expect(
                try run(["quarantine", "replay", hash, "--inbox", "elsewhere"] + Self.store, in: folder).status == 66)
            #expect(try run(["quarantine", "replay", "00000000"] + Self.store, in: folder).status == 66)
            #expect(try run(["quarantine", "replay", "0000"] + Self.store, in: folder).status == 64)
        }
    }

    @Test(arguments: ["", "  ", "two\nlines", "bell\u{7}", "right\u{202E}left", String(repeating: "x", count: 501)])
    func aReasonIsOnePlainLine(reason: String) throws {
        try TemporaryFolder.with { folder in
            try folder.write(Self.failing, to: "inbox/trips_2024-01-06.csv")
            #expect(try nightly(in: folder).status == 65)
            let hash = try #require(try list(in: folder).first).sha256
            let waive = ["quarantine", "waive", hash, "--reason", reason] + Self.store
            #expect(try run(waive, in: folder).status == 64)
            #expect(try list(in: folder).first?.waiver == nil)
        }
    }

    /// Rejects of a loaded export: the first places, then how many more; a waiver marks them; CSV cannot be a formula.
    @Test func rejectsAreGroupedAndCapped() throws {
        try TemporaryFolder.with { folder in
            let bad = (0..<1240).map { "CANARYTRIPX\($0),CANARYNOTE,QN\n" }.joined()
            try folder.write("trip_id,service_date,hcpcs_modifiers\nA,2024-01-02,QN\n" + bad, to: "trips.csv")
            let load = try run(["load", "trips.csv", "--max-reject", "100%"] + Self.store, in: folder)
            #expect(load.status == 0)
            let listed = try #require(try list(in: folder).first)
            #expect((listed.state, listed.rejected, listed.read) == ("loaded", 1240, 1241))
            #expect(
                try run(["quarantine", "waive", listed.sha256, "--reason", "=known"] + Self.store, in: folder).status
                    == 0)
            let table = try run(["quarantine", "list"] + Self.store, in: folder).stdoutText
            #expect(table.contains("and 1,237 more"))
            #expect(table.contains("waived by"))
            let csv = try run(["quarantine", "list", "--format", "csv"] + Self.store, in: folder).stdoutText
            #expect(csv.contains(",'=known"))
            let withdraw = ["load", "--withdraw", String(listed.sha256.prefix(8))] + Self.store
            #expect(try run(withdraw, in: folder).status == 0)
            #expect(try list(in: folder).isEmpty)
        }
    }

    private static func profile(datePattern: String) -> String {
        """
        source: county
        columns:
          trip_id: trip_id
          service_date: service_date
          hcpcs_modifiers: hcpcs_modifiers
        dates:
          patterns: [\(datePattern)]

        """
    }
}
