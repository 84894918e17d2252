import Foundation
import TestSupport
import Testing

/// Ids that come again a year later: without a word, the earlier trips would vanish.
@Suite struct ReusedIDsTests {
    private let fixture: CommandFixture

    init() throws {
        fixture = try CommandFixture()
    }

    private static func export(_ date: String, _ columns: String = "trip_id,service_date,region,cost") -> String {
        columns + "\n" + (1...60).map { "\($0),\(date),North,\($0).50\n" }.joined()
    }

    @Test(arguments: [["a", "b"], ["b", "a"]]) func aLoadIsRefusedUntilItIsWaived(order: [String]) throws {
        try TemporaryFolder.with { folder in
            try folder.write(Self.export("2024-03-05"), to: "a.csv")
            try folder.write(Self.export("2025-03-05"), to: "b.csv")
            #expect(try fixture.run(["load", "\(order[0]).csv"], in: folder.url).status == 0)
            let failed = try fixture.run(["load", "\(order[1]).csv"], in: folder.url)
            #expect(failed.status == 65)
            #expect(
                failed.stderrText.contains("60 of 60 trips that come again in another export"), "\(failed.stderrText)")
            let list = try fixture.run(["quarantine", "list"], in: folder.url).stdoutText
            #expect(list.contains("reused_ids") && list.contains("the ids are not unique"), "\(list)")
            let json = try fixture.run(["quarantine", "list", "--format", "json"], in: folder.url)
            let entries = try #require(
                try JSONSerialization.jsonObject(with: Data(json.stdout)) as? [[String: Any]])
            #expect((entries[0]["detail"] as? [String])?.count == 2)
            let hash = try #require(entries[0]["sha256"] as? String)
            let waive = ["quarantine", "waive", hash, "--reason", "Corrected dates."]
            #expect(try fixture.run(waive, in: folder.url).status == 0)
            #expect(try fixture.run(["load", "\(order[1]).csv"], in: folder.url).status == 0)
        }
    }

    @Test func aProfileOrAVersionAcceptsIt() throws {
        try TemporaryFolder.with { folder in
            try folder.write(
                "source: cad\nrecords: versions\ncolumns: {trip_id: trip_id, service_date: service_date, cost: cost}\n",
                to: "cad.yaml")
            try folder.write(Self.export("2024-03-05"), to: "a.csv")
            try folder.write(Self.export("2025-03-05"), to: "b.csv")
            for file in ["a.csv", "b.csv"] {
                let load = try fixture.run(["load", file, "--profile", "cad.yaml"], in: folder.url)
                #expect(load.status == 0, "\(load.stderrText)")
            }
        }
    }

    /// Versions say which record is newer, not that it is of the same trip.
    @Test func idsThatBeginAgainAreRefusedThoughTheyHaveVersions() throws {
        try TemporaryFolder.with { folder in
            func export(_ date: String, _ updated: String) -> String {
                "trip_id,service_date,region,cost,updated_at\n"
                    + (1...60).map { "\($0),\(date),North,\($0).50,\(updated)\n" }.joined()
            }
            try folder.write(export("2024-03-05", "2024-04-01"), to: "a.csv")
            try folder.write(export("2024-03-05", "2024-04-02").replacing(".50", with: ".70"), to: "b.csv")
            try folder.write(export("2025-03-05", "2025-04-01"), to: "c.csv")
            #expect(try fixture.run(["load", "a.csv"], in: folder.url).status == 0)
            #expect(try fixture.run(["load", "b.csv"], in: folder.url).status == 0)
            let failed = try fixture.run(["load", "c.csv"], in: folder.url)
            #expect(failed.status == 65)
            #expect(
                failed.stderrText.contains("60 of 60 completed trips that come again have another day"),
                "\(failed.stderrText)")
        }
    }

    /// A night adds to the last one: on a pipe as in a file.
    @Test func copiesOnAPipeAreVersions() throws {
        try TemporaryFolder.with { folder in
            let head = "trip_id,service_date,cost,updated_at\n"
            let first = (1...100).map { "\($0),2026-03-05,\($0),2026-04-01T10:00:00\n" }.joined()
            let second = (1...100).map { "\($0),2026-03-05,\($0),2026-04-0\($0 > 90 ? 2 : 1)T10:00:00\n" }.joined()
            try folder.write(head + first + second, to: "both.csv")
            let words = ["--internal", "--format", "csv"]
            let file = try fixture.run(["scan", "both.csv"] + words, in: folder.url)
            let pipe = try fixture.run(
                ["scan", "-"] + words, stdin: Array((head + first + second).utf8), in: folder.url)
            #expect(file.status == 0 && pipe.status == 0 && file.stdout == pipe.stdout, "\(pipe.stderrText)")
        }
    }

    /// The places of an export that failed for its values.
    @Test func theListHasThePlaces() throws {
        try TemporaryFolder.with { folder in
            try folder.write(Self.export("2024-03-05").replacing("5.50", with: "see invoice"), to: "a.csv")
            #expect(try fixture.run(["load", "a.csv"], in: folder.url).status == 65)
            let list = try fixture.run(["quarantine", "list"], in: folder.url).stdoutText
            #expect(list.contains("record 5 at byte") && list.contains("aaa aaaaaaa"), "\(list)")
            #expect(!list.contains("see invoice"))
        }
    }

    /// A scan takes dated exports in their order, whatever the order of the command line.
    @Test func aScanRanksByTheDateInTheName() throws {
        try TemporaryFolder.with { folder in
            try folder.write(Self.export("2024-03-05"), to: "m_2024-04-01.csv")
            try folder.write(Self.export("2024-03-05").replacing(".50", with: ".00"), to: "m_2024-05-01.csv")
            let words = ["--internal", "--format", "csv"]
            let one = try fixture.run(["scan", "m_2024-04-01.csv", "m_2024-05-01.csv"] + words, in: folder.url)
            let other = try fixture.run(["scan", "m_2024-05-01.csv", "m_2024-04-01.csv"] + words, in: folder.url)
            #expect(one.status == 0 && one.stdout == other.stdout)
        }
    }
}
