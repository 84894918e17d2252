import Foundation
import TestSupport
import Testing

/// The same trips under another source would count twice.
@Suite struct RepeatedTripsTests {
    private let fixture: CommandFixture

    init() throws {
        fixture = try CommandFixture()
    }

    private static let profile = """
        source: site
        columns:
          trip_id: trip_id
          service_date: service_date
          cost: [cost]
          loaded_miles: [loaded_miles]
          completed_at: [completed_at]
          vehicle_id: vehicle_id
          unit_notified_at: unit_notified_at
          on_scene_at: on_scene_at

        """

    /// Fleets with the same tariff, whose trips agree by chance.
    private static func flat(_ count: Int, beginningAt first: Int) -> String {
        "trip_id,service_date,vehicle_id,cost,loaded_miles,unit_notified_at,on_scene_at\n"
            + (first..<first + count).map { trip in
                "SYN-\(trip),2024-01-\(trip % 20 + 10),MED1,100.00,5.0,2024-01-\(trip % 20 + 10)T10:00:00Z,"
                    + "2024-01-\(trip % 20 + 10)T10:08:00Z"
            }.joined(separator: "\n") + "\n"
    }

    /// The header names are those of the fields, so that the export can be read without a profile too.
    private static func export(_ count: Int, beginningAt first: Int = 0) -> String {
        "trip_id,service_date,vehicle_id,cost,loaded_miles,unit_notified_at,on_scene_at\n"
            + (first..<first + count).map { trip in
                let minute = trip % 37 + 10
                return "SYN-\(trip),2024-01-\(trip % 20 + 10),MED1,\(100 + trip).25,\(trip % 90).5,"
                    + "2024-01-\(trip % 20 + 10)T10:00:00Z,2024-01-\(trip % 20 + 10)T10:\(minute):07Z"
            }.joined(separator: "\n") + "\n"
    }

    private func nightly(_ words: String..., in folder: TemporaryFolder) throws -> CommandResult {
        try fixture.run(
            words, environment: ["TRIPKPI_AUDIT_LOG": folder.path(of: "audit.jsonl")], in: folder.url)
    }

    /// A first night without a profile, before there is one.
    private func load(_ export: String, in folder: TemporaryFolder) throws {
        try folder.write(export, to: "inbox/trips_1.csv")
        #expect(try nightly("run", in: folder).status == 0)
        try folder.write(Self.profile, to: "profiles/site.yaml")
    }

    /// Of the current staff set.
    private func trips(in folder: TemporaryFolder) throws -> String {
        let list = try nightly("publish", "--list", in: folder).stdoutText
        let line = list.split(separator: "\n").first { $0.hasPrefix("staff") && $0.hasSuffix("current") }
        return line?.firstMatch(of: /, (\d+) trips/).map { String($0.1) } ?? list
    }

    @Test func theyFailTheExportUntilItIsWaived() throws {
        try TemporaryFolder.with { folder in
            try load(Self.export(300), in: folder)
            // The last 250 of these are known, under the source of exports without a profile.
            try folder.write(Self.export(300, beginningAt: 50), to: "inbox/site/trips_2.csv")
            let failed = try nightly("run", in: folder)
            #expect(failed.status == 65)
            #expect(failed.stderrText.contains("trips that were compared are in the store as trips of source plain"))
            #expect(try trips(in: folder) == "300")
            let row = try #require(
                try nightly("quarantine", "list", "--format", "csv", in: folder).stdoutText
                    .split(whereSeparator: \.isNewline).dropFirst().first
            ).split(separator: ",")
            #expect(row[4] == "repeated_trips")
            let waived = try nightly(
                "quarantine", "waive", String(row[1].prefix(8)), "--reason", "Two fleets.", in: folder)
            #expect(waived.stderrText.contains("the next run loads it as it is"))
            #expect(try nightly("run", in: folder).status == 0)
            #expect(try trips(in: folder) == "600")
            // It was accepted when it was loaded.
            #expect(try nightly("quarantine", "replay", String(row[1].prefix(8)), in: folder).status == 0)
            // The source is known from now on.
            try folder.write(Self.export(300, beginningAt: 60), to: "inbox/site/trips_3.csv")
            #expect(try nightly("run", in: folder).status == 0)
            #expect(try trips(in: folder) == "610")
        }
    }

    /// A few trips say too little about whose they are: the next export of their source is looked at too.
    @Test func aSmallFirstExportDoesNotMakeTheSourceKnown() throws {
        try TemporaryFolder.with { folder in
            try load(Self.export(300), in: folder)
            try folder.write(Self.export(4, beginningAt: 50), to: "inbox/site/trips_2.csv")
            #expect(try nightly("run", in: folder).status == 0)
            try folder.write(Self.export(300, beginningAt: 50), to: "inbox/site/trips_3.csv")
            let failed = try nightly("run", in: folder)
            #expect(failed.status == 65)
            #expect(failed.stderrText.contains("(repeated_trips)"))
        }
    }

    /// The same trips of the same source, such as `12` where `0000012` was before.
    @Test(arguments: [300, 25])
    func theyFailUnderOtherIDsOfTheSameSource(count: Int) throws {
        try TemporaryFolder.with { folder in
            try folder.write(Self.export(count), to: "inbox/trips_1.csv")
            #expect(try nightly("run", in: folder).status == 0)
            let others = Self.export(count).replacingOccurrences(of: "SYN-", with: "SYN-000")
            try folder.write(others, to: "inbox/trips_2.csv")
            let failed = try nightly("run", in: folder)
            #expect(failed.status == 65)
            #expect(failed.stderrText.contains("trips that were compared are in the store under other ids"))
            #expect(failed.stderrText.contains("(repeated_trips)"))
            #expect(try trips(in: folder) == "\(count)")
            let list = try nightly("quarantine", "list", "--format", "csv", in: folder).stdoutText
            let row = try #require(list.split(whereSeparator: \.isNewline).dropFirst().first).split(separator: ",")
            let waived = try nightly(
                "quarantine", "waive", String(row[1].prefix(8)), "--reason", "Two fleets.", in: folder)
            #expect(waived.status == 0)
            #expect(try nightly("run", in: folder).status == 0)
            #expect(try trips(in: folder) == "\(count * 2)")
        }
    }

    /// Bills have no times: cost and miles of a day are enough.
    @Test func billsFailUnderOtherIDs() throws {
        try TemporaryFolder.with { folder in
            let bills = Self.export(300).split(separator: "\n").map { line in
                line.split(separator: ",").prefix(5).joined(separator: ",") + "\n"
            }.joined()
            try folder.write(bills, to: "inbox/trips_1.csv")
            #expect(try nightly("run", in: folder).status == 0)
            try folder.write(bills.replacing("SYN-", with: "SYN-000"), to: "inbox/trips_2.csv")
            let failed = try nightly("run", in: folder)
            #expect(failed.status == 65)
            #expect(failed.stderrText.contains("(repeated_trips)"))
        }
    }

    /// A nightly export repeats the trips of the nights before under their own ids, with a few new ones.
    @Test func tripsOfTheNightsBeforeAreNoRepetition() throws {
        try TemporaryFolder.with { folder in
            for night in 1...4 {
                try folder.write(Self.export(100 * night), to: "inbox/trips_\(night).csv")
                #expect(try nightly("run", in: folder).status == 0)
            }
            // Corrected, and more new trips than known ones.
            let corrected = Self.export(500, beginningAt: 250).replacingOccurrences(of: ".25,", with: ".75,")
            try folder.write(corrected, to: "inbox/trips_5.csv")
            #expect(try nightly("run", in: folder).status == 0)
            #expect(try trips(in: folder) == "750")
        }
    }

    @Test func anotherSystemWithTripsOfItsOwnIsLoaded() throws {
        try TemporaryFolder.with { folder in
            try load(Self.export(300), in: folder)
            try folder.write(Self.export(300, beginningAt: 200), to: "inbox/site/trips_2.csv")
            #expect(try nightly("run", in: folder).status == 0, "A third of its trips are known.")
            #expect(try trips(in: folder) == "600")
        }
    }

    @Test func fleetsThatAgreeByChanceAreLoaded() throws {
        try TemporaryFolder.with { folder in
            try load(Self.flat(400, beginningAt: 0), in: folder)
            try folder.write(Self.flat(400, beginningAt: 1000), to: "inbox/site/trips_2.csv")
            #expect(try nightly("run", in: folder).status == 0)
            #expect(try trips(in: folder) == "800")
        }
    }

    /// A billing system often has no time at which the unit was available again.
    @Test func aFigureThatOneSystemLacksIsNotCompared() throws {
        try TemporaryFolder.with { folder in
            let lines = Self.export(300).split(separator: "\n").enumerated()
            let longer = lines.map { number, line in
                number == 0 ? "\(line),completed_at" : "\(line),\(line.split(separator: ",")[1])T11:00:00Z"
            }
            try load(longer.joined(separator: "\n") + "\n", in: folder)
            try folder.write(Self.export(300), to: "inbox/site/trips_2.csv")
            let failed = try nightly("run", in: folder)
            #expect(failed.status == 65)
            #expect(failed.stderrText.contains("(repeated_trips)"))
        }
    }

    /// An export that is read again under another source takes its own trips out first.
    @Test func aReplayUnderAnotherSourceIsNoRepetition() throws {
        try TemporaryFolder.with { folder in
            try folder.write(Self.export(300), to: "inbox/trips_1.csv")
            try folder.write(Self.export(10, beginningAt: 400), to: "inbox/trips_2.csv")
            #expect(try nightly("run", in: folder).status == 0)
            try folder.write(Self.profile, to: "profiles/site.yaml")
            let replay = try nightly("load", "--replay", "inbox/trips_1.csv", "--profile", "site", in: folder)
            #expect(replay.status == 0, "\(replay.stderrText)")
            #expect(try nightly("publish", in: folder).status == 0)
            #expect(try trips(in: folder) == "310")
        }
    }
}
