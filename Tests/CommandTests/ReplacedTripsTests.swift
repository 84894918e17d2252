import Foundation
import TestSupport
import Testing

/// Records that replace another one and are no version of it: without a word, a part of what was sent would vanish.
@Suite struct ReplacedTripsTests {
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
                failed.stderrText.contains("60 of 60 trips that come again have another day"),
                "\(failed.stderrText)")
            #expect(failed.stderrText.contains("the record at byte 33 of x.csv replaces that at byte 33 of x.csv"))
            let list = try fixture.run(["quarantine", "list"], in: folder.url).stdoutText
            #expect(list.contains("reused_ids") && list.contains("come again have another day"), "\(list)")
            let json = try fixture.run(["quarantine", "list", "--format", "json"], in: folder.url)
            let entries = try #require(
                try JSONSerialization.jsonObject(with: Data(json.stdout)) as? [[String: Any]])
            #expect((entries[0]["detail"] as? [String])?.count == 5)
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
                failed.stderrText.contains("60 of 60 trips that come again have another day"),
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

    // MARK: - Parts of trips

    private static let head = "trip_id,service_date,unit_notified_at,on_scene_at,completed_at,cost\n"
    private static let ids = (1...60).map { "2026-\($0)" }

    private static func day(_ place: Int) -> String { "2026-03-\(10 + place % 20)" }

    private static func dispatch(_ ids: [String] = ids) -> String {
        head
            + ids.enumerated().map { place, id in
                "\(id),\(day(place)),\(day(place)) 08:00,\(day(place)) 08:1\(place % 10),\(day(place)) 09:0\(place % 7),\n"
            }.joined()
    }

    private static func billing(_ ids: [String] = ids, cost: (Int) -> Int = { 100 + $0 }) -> String {
        head + ids.enumerated().map { "\($1),\(day($0)),,,,\(cost($0)).50\n" }.joined()
    }

    private static let profile = """
        columns: {trip_id: trip_id, service_date: service_date, unit_notified_at: unit_notified_at, on_scene_at: on_scene_at,
          completed_at: completed_at, cost: cost}

        """

    private func scan(_ exports: [String], in folder: borrowing TemporaryFolder) throws -> CommandResult {
        for (number, export) in exports.enumerated() { try folder.write(export, to: "export-\(number).csv") }
        let names = exports.indices.map { "export-\($0).csv" }
        return try fixture.run(["scan"] + names + ["--internal", "--format", "json"], in: folder.url)
    }

    /// The times of trips in one export, their costs in another.
    @Test(arguments: [true, false]) func partsDoNotReplaceEachOther(isBillingFirst: Bool) throws {
        try TemporaryFolder.with { folder in
            let exports = isBillingFirst ? [Self.billing(), Self.dispatch()] : [Self.dispatch(), Self.billing()]
            let figure = isBillingFirst ? "cost" : "duration"
            let message = "60 of 60 trips that have a \(figure) have none in the later of their records"
            let scan = try scan(exports, in: folder)
            #expect(
                scan.status == 65 && scan.stdoutText.isEmpty && scan.stderrText.contains(message), "\(scan.stderrText)")
            #expect(scan.stderrText.contains("supplement: SOURCE"))
            #expect(try fixture.run(["load", "export-0.csv"], in: folder.url).status == 0)
            let load = try fixture.run(["load", "export-1.csv"], in: folder.url)
            #expect(load.status == 65 && load.stderrText.contains(message), "\(load.stderrText)")
        }
    }

    /// With a source each they would be twice as many trips; two fleets whose ids are alike are two fleets.
    @Test(arguments: [true, false]) func partsOfTwoSourcesCountOnce(isBillingFirst: Bool) throws {
        try TemporaryFolder.with { folder in
            for source in ["dispatch", "billing"] {
                try folder.write("source: \(source)\n" + Self.profile, to: "\(source).yaml")
            }
            try folder.write(Self.dispatch(), to: "dispatch.csv")
            try folder.write(Self.billing(), to: "billing.csv")
            let order = isBillingFirst ? ["billing", "dispatch"] : ["dispatch", "billing"]
            func load(_ name: String) throws -> CommandResult {
                try fixture.run(["load", "\(name).csv", "--profile", "\(name).yaml"], in: folder.url)
            }
            #expect(try load(order[0]).status == 0)
            let failed = try load(order[1])
            #expect(failed.status == 65)
            #expect(
                failed.stderrText.contains(
                    "60 of 60 trips that were compared are in the store as trips of source \(order[0])"),
                "\(failed.stderrText)")
            #expect(failed.stderrText.contains("supplement: \(order[0])"))
            let list = try fixture.run(["quarantine", "list", "--format", "json"], in: folder.url)
            let entries = try #require(try JSONSerialization.jsonObject(with: Data(list.stdout)) as? [[String: Any]])
            let hash = try #require(entries.first?["sha256"] as? String)
            let waive = ["quarantine", "waive", hash, "--reason", "Other trips."]
            #expect(try fixture.run(waive, in: folder.url).status == 0)
            #expect(try load(order[1]).status == 0)
        }
    }

    @Test func theIDsOfAnotherFleetMayBeAlike() throws {
        try TemporaryFolder.with { folder in
            for source in ["east", "west"] {
                try folder.write("source: \(source)\n" + Self.profile, to: "\(source).yaml")
            }
            try folder.write(Self.dispatch(), to: "east.csv")
            try folder.write(
                Self.dispatch().replacing(" 08:1", with: " 08:2").replacing(" 09:0", with: " 09:2"), to: "west.csv")
            for source in ["east", "west"] {
                let load = try fixture.run(["load", "\(source).csv", "--profile", "\(source).yaml"], in: folder.url)
                #expect(load.status == 0, "\(load.stderrText)")
            }
        }
    }

    /// An amount that is taken back in a later export is another line of the bill.
    @Test func whatIsTakenBackReplacesNoBill() throws {
        try TemporaryFolder.with { folder in
            let scan = try scan([Self.billing(), Self.billing { -100 - $0 }], in: folder)
            #expect(scan.status == 65 && scan.stderrText.contains("`records: lines`"), "\(scan.stderrText)")
        }
    }

    /// Base rates in one export and mileage in the other may be corrections too: it is said.
    @Test func otherCostsAreSaid() throws {
        try TemporaryFolder.with { folder in
            let message = "have another cost in the later export, and only that one counts"
            let exports = [Self.billing(), Self.billing { 20 + $0 % 9 }]
            let scan = try scan(exports, in: folder)
            #expect(scan.status == 0 && scan.stderrText.contains(message), "\(scan.stderrText)")
            #expect(try fixture.run(["load", "export-0.csv"], in: folder.url).status == 0)
            let load = try fixture.run(["load", "export-1.csv"], in: folder.url)
            #expect(load.status == 0 && load.stderrText.contains(message), "\(load.stderrText)")
        }
    }

    /// Trips that are numbered from 1 each day.
    @Test func idsOfEachDayAreNotUnique() throws {
        try TemporaryFolder.with { folder in
            func export(_ day: Int) -> String {
                Self.head
                    + (1...30).map { number in
                        let date = "2026-03-0\(day)", minute = 10 + (number * day * 7) % 40
                        return
                            "\(number),\(date),\(date) 08:00,\(date) 08:\(minute),\(date) 09:\(minute),\(90 + minute * 3)\n"
                    }.joined()
            }
            let scan = try scan([export(1), export(2), export(3)], in: folder)
            #expect(scan.status == 65 && scan.stderrText.contains("the ids are not unique"), "\(scan.stderrText)")
        }
    }

    /// A later file with fewer columns, be it of corrections, takes their values away.
    @Test(arguments: [true, false]) func valuesThatALaterRecordLacksAreNotLost(hasVersions: Bool) throws {
        try TemporaryFolder.with { folder in
            func export(_ columns: String, _ row: (Int) -> String, updated: String) -> String {
                columns + (hasVersions ? ",updated_at" : "") + "\n"
                    + Self.ids.indices.map { "\(Self.ids[$0])," + row($0) + (hasVersions ? ",\(updated)" : "") + "\n" }
                    .joined()
            }
            let full = export(
                "trip_id,service_date,unit_notified_at,on_scene_at,completed_at,cost",
                { "\(Self.day($0)),\(Self.day($0)) 08:00,\(Self.day($0)) 08:10,\(Self.day($0)) 09:00,100" },
                updated: "2026-04-01")
            let narrow = export(
                "trip_id,service_date,trip_type", { "\(Self.day($0)),Routine" }, updated: "2026-04-02")
            let scan = try scan([full, narrow], in: folder)
            #expect(
                scan.status == 65 && scan.stderrText.contains("60 of 60 trips that have a cost"), "\(scan.stderrText)")
            // Costs that come later take nothing away.
            #expect(try self.scan([narrow.replacing("04-02", with: "03-31"), full], in: folder).status == 0)
        }
    }

    /// Runs that are numbered from 1 each day, of dispatch alone, a few a night.
    @Test func aFewIDsOfEachDayAreNotUnique() throws {
        try TemporaryFolder.with { folder in
            func export(_ day: Int) -> String {
                "trip_id,unit_notified_at,on_scene_at,completed_at\n"
                    + (1...8).map { number in
                        let date = "2026-03-0\(day)", minute = 10 + (number * day * 7) % 40
                        return "\(number),\(date) 08:00,\(date) 08:\(minute),\(date) 09:\(minute)\n"
                    }.joined()
            }
            try folder.write(export(2), to: "cad_2026-03-02.csv")
            try folder.write(export(3), to: "cad_2026-03-03.csv")
            #expect(try fixture.run(["load", "cad_2026-03-02.csv"], in: folder.url).status == 0)
            let load = try fixture.run(["load", "cad_2026-03-03.csv"], in: folder.url)
            #expect(load.status == 65 && load.stderrText.contains("the ids are not unique"), "\(load.stderrText)")
        }
    }

    /// The same records again show nothing.
    @Test func copiesHideNothing() throws {
        try TemporaryFolder.with { folder in
            let head = "trip_id,service_date,cost,updated_at\n"
            let last = (1...400).map { "\($0),2025-03-10,\($0).50,2025-04-01\n" }.joined()
            let again = (1...10).map { "\($0),2026-03-10,\($0 + 7).50,2026-04-01\n" }.joined()
            try folder.write(head + last, to: "a.csv")
            try folder.write(
                head + again + (11...400).map { "\($0),2025-03-10,\($0).50,2025-04-01\n" }.joined(), to: "b.csv")
            #expect(try fixture.run(["load", "a.csv"], in: folder.url).status == 0)
            let load = try fixture.run(["load", "b.csv"], in: folder.url)
            #expect(
                load.status == 65 && load.stderrText.contains("10 of 10 trips that come again"), "\(load.stderrText)")
        }
    }

    /// Bills of a few trips a night, whose source no export shows by its figures.
    @Test func aFewPartsOfANightCountOnce() throws {
        try TemporaryFolder.with { folder in
            for source in ["dispatch", "billing"] {
                try folder.write("source: \(source)\n" + Self.profile, to: "\(source).yaml")
            }
            let ids = Array(Self.ids.prefix(8))
            try folder.write(Self.dispatch(ids), to: "dispatch.csv")
            try folder.write(Self.billing(ids), to: "billing.csv")
            let words = { (name: String) in ["load", "\(name).csv", "--profile", "\(name).yaml"] }
            #expect(try fixture.run(words("dispatch"), in: folder.url).status == 0)
            let load = try fixture.run(words("billing"), in: folder.url)
            #expect(load.status == 65 && load.stderrText.contains("supplement: dispatch"), "\(load.stderrText)")
        }
    }

    /// A record without `updated_at` is older than one that has it, also in a later file.
    @Test func correctionsWithoutAVersionAreSaid() throws {
        try TemporaryFolder.with { folder in
            let base =
                "trip_id,service_date,cost,updated_at\n"
                + (1...40).map { "\($0),2026-03-10,\($0),2026-04-01\n" }.joined()
            let later = "trip_id,service_date,cost\n" + (1...40).map { "\($0),2026-03-10,\($0 + 100)\n" }.joined()
            let scan = try scan([base, later], in: folder)
            #expect(
                scan.status == 0 && scan.stderrText.contains("40 records have no updated_at or sequence"),
                "\(scan.stderrText)")
        }
    }

    /// Dates of cancelled trips, and of those that were booked again, are no other trips.
    @Test func cancelledTripsMayRunLater() throws {
        try TemporaryFolder.with { folder in
            let head = "trip_id,status,service_date,cost\n"
            let first = (1...60).map { "\($0),\($0 < 20 ? "cancelled" : "completed"),2026-03-01,\($0)\n" }.joined()
            let second = (1..<20).map { "\($0),completed,2026-03-21,\($0)\n" }.joined()
            let scan = try scan([head + first, head + second], in: folder)
            #expect(scan.status == 0, "\(scan.stderrText)")
        }
    }
}
