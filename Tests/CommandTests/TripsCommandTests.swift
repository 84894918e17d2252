import Foundation
import TestSupport
import Testing

/// `trips`: rows from the store and from exports. The clock of the fixture shows 2026-01-01.
@Suite struct TripsCommandTests {
    private let fixture: CommandFixture

    init() throws {
        fixture = try CommandFixture()
    }

    private func rows(_ text: String) throws -> [[String: Any]] {
        try text.split(separator: "\n").dropFirst().map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
    }

    private func gunzipped(_ bytes: [UInt8]) throws -> String {
        try CommandRunner(executable: URL(fileURLWithPath: "/bin/sh")).run(["-c", "gzip -dc"], stdin: bytes).stdoutText
    }

    private func withStore(_ body: (TemporaryFolder) throws -> Void) throws {
        try TemporaryFolder.with { folder in
            #expect(try fixture.run(["load", CommandFixture.sample], in: folder.url).status == 0)
            #expect(try fixture.run(["publish", "--quiet"], in: folder.url).status == 0)
            try body(folder)
        }
    }

    @Test func theSameStoreGivesTheSameBytes() throws {
        try withStore { folder in
            for arguments in [["--privacy", "safe-harbor"], ["--privacy", "limited-data-set"]] {
                let first = try fixture.run(["trips"] + arguments, in: folder.url)
                #expect(first.status == 0 && first.stdout.count > 1000, "\(first.stderrText)")
                #expect(try fixture.run(["trips"] + arguments, in: folder.url).stdout == first.stdout)
                for name in ["a.ndjson.gz", "b.ndjson.gz"] {
                    #expect(try fixture.run(["trips", "-o", name] + arguments, in: folder.url).status == 0)
                }
                #expect(try folder.read("a.ndjson.gz") == folder.read("b.ndjson.gz"))
                #expect(try gunzipped(try folder.read("a.ndjson.gz")) == first.stdoutText)
            }
        }
    }

    /// As many rows as the month has completed trips; for a year, a multiple of 11 in each group.
    @Test func rowsAreTheTripsThatAreCounted() throws {
        try withStore { folder in
            let month = try fixture.run(
                ["trips", "--privacy", "limited-data-set", "--month", "2024-03"], in: folder.url)
            let limited = try rows(month.stdoutText)
            let report = try fixture.run(
                ["report", "--month", "2024-03", "--internal", "--format", "json"], in: folder.url)
            let summary = try JSONSerialization.jsonObject(with: Data(report.stdout)) as? [String: Any]
            #expect(limited.count > 10 && limited.count == summary?["totalTrips"] as? Int)
            #expect(limited.allSatisfy { ($0["date"] as? String)?.hasPrefix("2024-03-") == true })
            #expect(month.stdoutText.hasPrefix("{\"header\":") && month.stderrText.contains("protected health"))
            let year = try rows(
                try fixture.run(["trips", "--from", "2024-01", "--to", "2024-12"], in: folder.url).stdoutText)
            let groups = Dictionary(grouping: year) { "\($0["tripType"] ?? "") \($0["sourcing"] ?? "")" }
            #expect(!groups.isEmpty && groups.values.allSatisfy { $0.count.isMultiple(of: 11) })
            #expect(!year.isEmpty && year.allSatisfy { $0["date"] as? String == "2024" && $0["region"] is NSNull })
        }
    }

    @Test(arguments: [
        ["--month", "2024-03"], ["--fiscal-year", "2024"], ["--from", "2025-01", "--to", "2025-12"],
        ["--from", "2024-02"], [CommandFixture.sample, "--month", "2024-03"], ["--privacy", "none"],
    ])
    func safeHarborShowsNoPartOfAYear(arguments: [String]) throws {
        try withStore { folder in
            let result = try fixture.run(["trips"] + arguments, in: folder.url)
            #expect(result.status == 64 && result.stdout.isEmpty)
        }
    }

    /// Every identifying column and the unmapped columns, each with its own token.
    @Test(arguments: ["safe-harbor", "limited-data-set"], ["ndjson", "csv"])
    func noIdentifierOfAPatientLeaves(privacy: String, format: String) throws {
        let columns = [
            "trip_id", "leg_id", "facility_id", "provider_npi", "vehicle_id", "contract_number", "invoice_number",
            "provider_id", "provider_name", "hcpcs_code", "patient_id", "patient_name", "patient_phone",
            "patient_address", "patient_city", "patient_state", "patient_zip", "patient_dob", "origin", "destination",
            "notes", "Fax", "E-mail", "SSN", "MRN", "Photo", "Voice", "IP", "URL", "Device",
        ]
        let header = (["service_date", "unit_notified_at", "completed_at", "cost"] + columns).joined(separator: ",")
        let lines = (0..<33).map { number in
            let tokens = columns.map { name in
                "CANARY-\(name.uppercased())-\(number)" + (name == "patient_city" ? "-1" : "")
            }
            return (["2023-02-03", "2023-02-03 07:11:13", "2023-02-03 08:12:14", "123.45"] + tokens)
                .joined(separator: ",")
        }
        let export = ([header] + lines).joined(separator: "\n") + "\n"
        try TemporaryFolder.with { folder in
            try folder.write(export, to: "trips.csv")
            let result = try fixture.run(
                ["trips", "trips.csv", "--profile", "canonical", "--privacy", privacy, "--format", format],
                in: folder.url)
            #expect(result.status == 0 && result.stdoutText.split(whereSeparator: \.isNewline).count == 34)
            #expect(!result.stdoutText.contains("CANARY") && !result.stderrText.contains("CANARY"))
            #expect(!result.stdoutText.contains("07:11:13") && !result.stdoutText.contains("08:12:14"))
            if privacy == "safe-harbor" {
                #expect(!result.stdoutText.contains("2023-02") && !result.stdoutText.contains("123.45"))
            }
        }
    }

    @Test func ofSeveralVersionsTheNewestIsShown() throws {
        try TemporaryFolder.with { folder in
            let head = "trip_id,updated_at,service_date,cost,status\n"
            try folder.write(
                head + "A,2024-02-01 00:00:00,2023-05-01,10.00,\nB,2024-01-01 00:00:00,2023-05-01,30.00,\n",
                to: "new.csv")
            try folder.write(
                head + "A,2024-01-01 00:00:00,2023-05-01,20.00,\nB,2024-03-01 00:00:00,2023-05-01,40.00,void\n",
                to: "old.csv")
            let result = try fixture.run(
                ["trips", "new.csv", "old.csv", "--privacy", "limited-data-set"], in: folder.url)
            let trips = try rows(result.stdoutText)
            #expect(trips.count == 1 && trips.first?["cost"] as? Double == 10)
        }
    }

    /// Beside a published feed, the rows of a month that it omits would disclose their month, and all rows together
    /// would disclose how many more there are than `totalTrips`.
    @Test func aMonthThatIsLeftOutHasNoRows() throws {
        try TemporaryFolder.with { folder in
            func trips(_ month: String, _ count: Int) -> [String] {
                (0..<count).map { "SYN-\(month)-\($0),\(month)-\($0 % 18 + 10)" }
            }
            let lines = ["trip_id,service_date"] + trips("2023-01", 100) + trips("2023-02", 9) + trips("2023-03", 101)
            try folder.write(lines.joined(separator: "\n") + "\n", to: "a.csv")
            try folder.write("trips_feed: safe-harbor\n", to: "tripkpi.yaml")
            #expect(try fixture.run(["load", "a.csv"], in: folder.url).status == 0)
            #expect(try fixture.run(["publish"], in: folder.url).status == 0)
            let result = try fixture.run(["trips"], in: folder.url)
            #expect(try rows(result.stdoutText).count == 198)
            #expect(
                try gunzipped(folder.read("reports/published/staff/current/trips.ndjson.gz")) == result.stdoutText)
            let limited = try fixture.run(["trips", "--privacy", "limited-data-set"], in: folder.url)
            #expect(try rows(limited.stdoutText).count == 210)
        }
    }

    @Test func rowsArePublishedOnlyIfTheSettingsSaySo() throws {
        try withStore { folder in
            let feed = "reports/published/staff/current/trips.ndjson.gz"
            #expect(try fixture.run(["publish"], in: folder.url).status == 0)
            #expect(!FileManager.default.fileExists(atPath: folder.path(of: feed)))
            try folder.write("trips_feed: safe-harbor\n", to: "tripkpi.yaml")
            let published = try fixture.run(["publish"], in: folder.url)
            #expect(published.status == 0, "\(published.stderrText)")
            let bytes = try folder.read(feed)
            #expect(try gunzipped(bytes) == fixture.run(["trips"], in: folder.url).stdoutText)
            #expect(try fixture.run(["verify"], in: folder.url).status == 0)
            #expect(!FileManager.default.fileExists(atPath: folder.path(of: "reports/published/staff/.trips.part")))
            let before = try fixture.run(["publish", "--list"], in: folder.url).stdoutText
            #expect(try fixture.run(["publish"], in: folder.url).status == 0)
            #expect(try fixture.run(["publish", "--list"], in: folder.url).stdoutText == before)
            try folder.write("trips_feed: everything\n", to: "tripkpi.yaml")
            #expect(try fixture.run(["publish"], in: folder.url).status == 78)
        }
    }
}
