import Foundation
import TestSupport
import Testing

/// Events beside the trips, on the command line and in the nightly run.
@Suite struct EventCommandTests {
    private let fixture: CommandFixture

    init() throws {
        fixture = try CommandFixture()
    }

    /// 20 trips in January and as many in February.
    private static let trips =
        "trip_id,service_date,region,hcpcs_modifiers\n"
        + (1...40).map { number in
            let day = number / 2 * 3 % 28 + 1
            return "T\(number),2026-0\(number % 2 + 1)-\(day < 10 ? "0" : "")\(day),North,QN\n"
        }.joined()

    /// Events of January; the words after the kind are to be found nowhere.
    private static func events(_ count: Int, kind: String = "Flood", day: String = "2026-01-05") -> String {
        "day,type,region,evacuate,remark\n"
            + (1...count).map { "\(day),\(kind) CANARYNOTE,North,\($0 % 2 == 0 ? "yes" : "no"),CANARYNOTE\n" }.joined()
    }

    private func run(_ arguments: [String], in folder: TemporaryFolder) throws -> CommandResult {
        let result = try fixture.run(arguments, environment: ["SOURCE_DATE_EPOCH": "1785560400"], in: folder.url)
        #expect(result.leaks == [], "\(arguments)")
        return result
    }

    private func events(_ bytes: [UInt8]) throws -> [String] {
        let document = try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
        let events = document["events"] as? [String: Any] ?? document
        return (events["counts"] as? [[String: Any]] ?? []).map { count in
            ["month", "region", "kind", "events", "evacuations"].map { "\(count[$0] ?? "")" }.joined(separator: " ")
        }
    }

    @Test func eventsAloneAreATableCSVOrJSON() throws {
        try TemporaryFolder.with { folder in
            try folder.write(Self.events(12), to: "events.csv")
            let table = try run(["scan", "--events", "events.csv"], in: folder)
            #expect(table.stdoutText.contains("What happened in 2026-01: 12 events, 6 evacuations"))
            #expect(table.stderrText.contains("events.csv: events read 12 = accepted 12 + rejected 0"))
            let json = try run(["scan", "--events", "events.csv", "--release", "--format", "json"], in: folder)
            #expect(
                try events(Array(json.stdout)) == [
                    "2026-01 All All 12 <null>", "2026-01 All Flood 12 <null>", "2026-01 North All 12 <null>",
                    "2026-01 North Flood 12 <null>",
                ])
            let page = try run(["scan", "--events", "events.csv", "--format", "html"], in: folder)
            #expect(page.status == 64)
            try folder.write(Self.events(10), to: "few.csv")
            let few = try run(["scan", "--events", "few.csv", "--release", "--format", "csv"], in: folder)
            #expect(few.stdoutText == "release,month,region,kind,events,evacuations\r\n")
        }
    }

    @Test func eventsStandBesideTheTripsOfAScan() throws {
        try TemporaryFolder.with { folder in
            try folder.write(Self.trips, to: "trips.csv")
            try folder.write(Self.events(12, day: "2026-02-03"), to: "events.csv")
            let screen = try run(["scan", "trips.csv", "--events", "events.csv"], in: folder)
            #expect(screen.stdoutText.contains("What happened in February 2026: 12 events, 6 evacuations.\n"))
            let report = try run(["scan", "trips.csv", "--events", "events.csv", "--release", "--long"], in: folder)
            #expect(report.stdoutText.contains("What happened in 2026-02: 12 events\nBy kind: Flood 12\n"))
            let json = try run(
                ["scan", "trips.csv", "--events", "events.csv", "--release", "--format", "json"], in: folder)
            #expect(try events(Array(json.stdout)).first == "2026-02 All All 12 <null>")
            let without = try run(["scan", "trips.csv", "--format", "json"], in: folder)
            #expect(!without.stdoutText.contains("\"events\""))
        }
    }

    @Test func theStoresEventsAreAReportOfTheirOwn() throws {
        try TemporaryFolder.with { folder in
            try folder.write(Self.trips, to: "trips.csv")
            try folder.write(Self.events(12, day: "2026-02-03"), to: "events.csv")
            #expect(try run(["load", "trips.csv"], in: folder).status == 0)
            let none = try run(["report", "--events-only"], in: folder)
            #expect(none.status == 66 && none.stderrText.contains("tripkpi load --events"))
            #expect(try run(["load", "--events", "events.csv"], in: folder).status == 0)
            let csv = try run(["report", "--events-only", "--format", "csv"], in: folder)
            let lines = csv.stdoutText.split(separator: "\r\n")
            #expect(lines.first == "release,month,region,kind,events,evacuations" && lines.count == 5)
            #expect(lines.last?.hasSuffix(",2026-02,North,Flood,12,6") == true)
            let table = try run(["report", "--events-only"], in: folder)
            #expect(table.stdoutText.contains("What happened in 2026-02: 12 events, 6 evacuations"))
            #expect(try run(["report", "--events-only", "--format", "md"], in: folder).status == 64)
            #expect(try run(["report", "trips.csv", "--events-only"], in: folder).status == 64)
        }
    }

    @Test func aProfileOfTheOtherKindIsAnErrorBeforeAnythingIsRead() throws {
        try TemporaryFolder.with { folder in
            try folder.write(Self.trips, to: "trips.csv")
            try folder.write(Self.events(12), to: "events.csv")
            let trips = try run(["scan", "trips.csv", "--profile", "safepassage"], in: folder)
            #expect(trips.status == 78 && trips.stderrText.contains("of events, not of trips"))
            let other = try run(["load", "--events", "events.csv", "--events-profile", "vetride"], in: folder)
            #expect(other.status == 78 && other.stderrText.contains("not of events"))
            #expect(try run(["scan", "trips.csv", "--events-profile", "events"], in: folder).status == 64)
        }
    }

    @Test func aRunLoadsTheEventsOfAFolderNamedLikeTheirProfile() throws {
        try TemporaryFolder.with { folder in
            try folder.write(Self.trips, to: "inbox/trips.csv")
            try folder.write(Self.events(12), to: "inbox/events/closures.csv")
            try folder.write(Self.events(2, day: "soon"), to: "inbox/events/faulty.csv")
            let plan = try run(["run", "--dry-run"], in: folder)
            #expect(plan.stdoutText.contains("events, profile events"))
            let first = try run(["run"], in: folder)
            #expect(first.status == 65 && first.stderrText.contains("too_many_rejects"))
            let release = "reports/published/release/current/kpi-summary.json"
            #expect(try events(folder.read(release)).first == "2026-01 All All 12 <null>")
            #expect(try run(["quarantine", "list"], in: folder).stdoutText.contains("too_many_rejects"))

            // Of a month that is released nothing changes any more; staff see everything.
            try folder.write(Self.events(3, kind: "Fire"), to: "inbox/events/more.csv")
            _ = try run(["run"], in: folder)
            #expect(try events(folder.read(release)).first == "2026-01 All All 12 <null>")
            let staff = try folder.read("reports/published/staff/current/kpi-summary.json")
            #expect(try events(staff).first == "2026-01 All All 15 7")
            let loaded = try run(["load", "--events", "inbox/events/more.csv"], in: folder)
            #expect(loaded.status == 0 && loaded.stderrText.contains("known by its content"))
        }
    }
}
