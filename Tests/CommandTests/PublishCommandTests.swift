import Foundation
import TestSupport
import Testing

@Suite struct PublishCommandTests {
    @Test(arguments: [["publish", "--list"], ["publish", "--rollback"], ["verify"]])
    func withoutAPublishedSetTheyEndWith66AndSayWhere(arguments: [String]) throws {
        try TemporaryFolder.with { folder in
            let result = try CommandFixture().run(arguments + ["--reports", folder.path])
            #expect(result.status == 66)
            #expect(result.stderrText.contains(folder.path))
            #expect(result.stdout.isEmpty)
        }
    }

    @Test(arguments: [
        ["publish", "--to", "x"], ["publish", "--list", "--rollback"], ["publish", "--list", "--to", "x"],
        ["publish", "--hold"], ["publish", "--resume", "--rollback"], ["publish", "--resume", "--list"],
        ["trips", "--rules", "x"], ["trips", "--max-reject", "1%"],
        ["classify", "--diff", "a.yaml", "--rules", "b.yaml", "--internal"],
    ])
    func whatIsToBeDoneIsSaidOnce(arguments: [String]) throws {
        #expect(try CommandFixture().run(arguments).status == 64)
    }

    @Test func aFolderWhereTheLinkBelongsIs73AndAWayOutIs64() throws {
        try TemporaryFolder.with { folder in
            try folder.write("x", to: "release/current/file")
            let fixture = try CommandFixture()
            #expect(try fixture.run(["publish", "--list", "--reports", folder.path]).status == 73)
            #expect(try fixture.run(["verify", "--run", "../x", "--reports", folder.path]).status == 73)
        }
    }

    @Test func withoutAStoreThereIsNothingToPublish() throws {
        try TemporaryFolder.with { folder in
            let result = try CommandFixture().run(["publish"], in: folder.url)
            #expect(result.status == 66)
            #expect(result.stderrText.contains("store/tripkpi.sqlite: there is no store"))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
        }
    }

    @Test func whatIsLoadedIsPublishedListedAndTakenBack() throws {
        try TemporaryFolder.with { folder in
            let fixture = try CommandFixture()
            try folder.write("reports: kpi\n", to: "tripkpi.yaml")
            func run(_ arguments: [String], at time: Int = 1_767_225_600) throws -> CommandResult {
                try fixture.run(arguments, environment: ["SOURCE_DATE_EPOCH": "\(time)"], in: folder.url)
            }
            #expect(try run(["load", CommandFixture.sample]).status == 0)
            let forecast = try run(["publish", "-n"])
            #expect(forecast.status == 0 && forecast.stdoutText.contains("publish to "))
            #expect(try run(["publish", "--list"]).status == 66)

            #expect(try run(["publish"]).status == 0)
            let first = try run(["publish", "--list"]).stdoutText
            let lines = first.split(separator: "\n")
            #expect(lines.count == 2 && lines.allSatisfy { $0.hasSuffix("  current") })
            #expect(lines[0].hasPrefix("release  20260101T000000Z-") && lines[1].hasPrefix("staff  20260101T000000Z-"))
            #expect(try run(["publish"]).stderrText.contains("what is published for release says the same: "))
            // Only time has passed.
            #expect(try run(["publish"], at: 1_767_312_000).stderrText.contains("says the same"))
            #expect(try run(["publish", "--list"]).stdoutText == first)
            #expect(try run(["publish", "--rollback"]).status == 66)
            // With the columns of the sample's keys.
            let more = CommandFixture.trips(40).replacing("trip_id,", with: "trip_id,leg_id,")
                .replacing(/(SYN-[0-9]+),/) { "\($0.output.1),," }
            try folder.write(more, to: "more.csv")
            #expect(try run(["load", "more.csv"]).status == 0)
            #expect(try run(["publish"], at: 1_767_312_000).status == 0)
            #expect(try run(["verify"]).status == 0)

            let taken = try run(["publish", "--rollback"])
            #expect(taken.status == 0)
            #expect(taken.stderrText.contains("note: the next `tripkpi run` or `tripkpi publish` publishes the store"))
            #expect(try run(["publish", "--list"]).stdoutText.contains(lines[1]))
        }
    }

    /// The setting changes only the release, and the published set states it.
    @Test func aSetWithoutCountsOfMissingValuesIsPublishedAndVerified() throws {
        try TemporaryFolder.with { folder in
            let fixture = try CommandFixture()
            func run(_ arguments: [String], at time: Int = 1_767_225_600) throws -> CommandResult {
                try fixture.run(arguments, environment: ["SOURCE_DATE_EPOCH": "\(time)"], in: folder.url)
            }
            func text(_ audience: String, _ file: String) throws -> String {
                String(decoding: try folder.read("kpi/\(audience)/current/\(file)"), as: UTF8.self)
            }
            try folder.write("reports: kpi\n", to: "tripkpi.yaml")
            #expect(try run(["load", CommandFixture.sample]).status == 0)
            #expect(try run(["publish"]).status == 0)
            let before = try text("release", "kpi-summary.json"), staff = try text("staff", "kpi-summary.json")
            let count = try Regex("\"(used|excluded|mean|costedTrips|costPerTrip)\":[0-9]")
            #expect(before.contains(count) && !before.contains("missingCounts"))

            // The next publication uses the setting, although there is no new trip.
            try folder.write("reports: kpi\nmissing_counts: omit\n", to: "tripkpi.yaml")
            #expect(try run(["publish"], at: 1_767_312_000).status == 0)
            let after = try text("release", "kpi-summary.json")
            #expect(!after.contains(count) && after.contains("\"missingCounts\": \"omitted\""))
            #expect(after.contains("\"withheldHeadlines\": [\"avgDuration\", \"cost\"]"))
            #expect(after.contains("\"auditPassed\": true"))
            #expect(try text("release", "dashboard.html").contains("Left out by the setting missing_counts"))
            #expect(try text("staff", "kpi-summary.json").contains(count))
            #expect(try !text("staff", "kpi-summary.json").contains("missingCounts"))
            #expect(staff.contains(count))
            #expect(try run(["verify"]).status == 0)

            let explained = try run(["report", "--explain", "All", "All", "All"])
            #expect(explained.status == 0 && explained.stdoutText.contains("left out by the setting missing_counts"))
            // Reports of a selection use the setting too; staff see every count.
            let report = try run(["report", "--release", "--month", "2023-12", "--format", "json", "--quiet"])
            #expect(report.status == 0 && !report.stdoutText.contains(count))
            #expect(
                try run(["report", "--format", "json", "--quiet"]).stdoutText.contains(count))
        }
    }

    /// Late trips and corrections change the staff set at once, and the release at a revision, where there are enough of them.
    @Test func aRevisionTakesUpLateTripsWhereThereAreEnough() throws {
        try TemporaryFolder.with { folder in
            let fixture = try CommandFixture()
            try folder.write(
                "reports: kpi\nzone: America/New_York\nregions: [North, South]\ntrip_types: [Emergency]\n",
                to: "tripkpi.yaml")
            func run(_ arguments: [String], at time: Int = 1_767_225_600) throws -> CommandResult {
                try fixture.run(arguments, environment: ["SOURCE_DATE_EPOCH": "\(time)"], in: folder.url)
            }
            /// The trips of a month, and whether corrections wait, as text.
            func cell(_ audience: String, _ region: String) throws -> String {
                let bytes = try folder.read("kpi/\(audience)/current/kpi-summary.json")
                let object = try #require(JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
                let cells = try #require(object["cells"] as? [[String: Any]])
                let found = cells.first { $0["month"] as? String == "2025-09" && $0["region"] as? String == region }
                return "\(found?["trips"] as? Int ?? -1) \(found?["revisionPending"] as? Bool ?? false)"
            }
            func export(_ name: String, _ trips: [(id: Int, region: String)]) throws -> String {
                let lines = trips.map { "T\($0.id),P\($0.id),2025-09-30 10:00:00,\($0.region),Emergency" }
                let later = (0..<20).map { "L\($0),P\($0),2025-10-05 10:00:00,North,Emergency" }
                return try folder.write(
                    (["trip_id,patient_id,requested_at,region,trip_type"] + lines + later).joined(separator: "\n")
                        + "\n",
                    to: name)
            }
            // Without the audience release, no month is released.
            #expect(try run(["load", export("export-0.csv", [])]).status == 0)
            let staffOnly = try fixture.run(
                ["publish"], environment: ["SOURCE_DATE_EPOCH": "1767225600", "TRIPKPI_AUDIENCES": "staff"],
                in: folder.url)
            #expect(staffOnly.status == 0 && !staffOnly.stderrText.contains("released"))
            #expect(!FileManager.default.fileExists(atPath: folder.path(of: "kpi/release/current")))
            let first = (0..<30).map { ($0, "North") } + (30..<60).map { ($0, "South") }
            #expect(try run(["load", export("export-1.csv", first)]).status == 0)
            #expect(try run(["publish"]).status == 0)
            #expect(try cell("release", "North") == "30 false" && cell("staff", "North") == "30 false")

            let late = (100..<112).map { ($0, "North") } + (200..<203).map { ($0, "South") }
            #expect(try run(["load", export("export-2.csv", late)]).status == 0)
            #expect(try run(["publish"]).status == 0)
            #expect(try cell("release", "North") == "30 true" && cell("release", "South") == "30 true")
            #expect(try cell("staff", "North") == "42 false" && cell("staff", "South") == "33 false")

            let forecast = try run(["publish", "--revise", "--dry-run"])
            let plan = "revision of the release: 2025-09; groups revised: 1; groups with changes of too few trips: 1"
            #expect(forecast.stdoutText.contains(plan) && forecast.status == 0)
            #expect(try cell("release", "North") == "30 true")
            #expect(try run(["publish", "--revise", "--list"]).status == 64)
            let revised = try run(["publish", "--revise"])
            #expect(revised.status == 0)
            #expect(revised.stderrText.contains("revision of the release: 2025-09; groups revised: 1"))
            #expect(try cell("release", "North") == "42 false" && cell("release", "South") == "30 true")
            #expect(try run(["verify"]).status == 0)

            // Ten more trips in the South, in the next quarter: the run revises the release.
            let more = (203..<213).map { ($0, "South") }
            #expect(try run(["load", export("export-3.csv", more)]).status == 0)
            #expect(try run(["publish"], at: 1_767_312_000).status == 0)
            #expect(try cell("release", "South") == "30 true")
            #expect(try run(["publish"], at: 1_775_100_000).status == 0)
            #expect(try cell("release", "South") == "43 false")
        }
    }

    /// All writers use the same lock.
    @Test func whileTheLockIsHeldPublishingAndRollbackFail() throws {
        try TemporaryFolder.with { folder in
            let fixture = try CommandFixture()
            #expect(try fixture.run(["load", CommandFixture.sample], in: folder.url).status == 0)
            let lock = open(folder.path(of: "store/tripkpi.sqlite.lock"), O_RDWR | O_CLOEXEC)
            defer { close(lock) }
            #expect(flock(lock, LOCK_EX | LOCK_NB) == 0)
            #expect(try fixture.run(["publish"], in: folder.url).status == 75)
            #expect(try fixture.run(["publish", "--rollback"], in: folder.url).status == 75)
            #expect(try fixture.run(["publish", "--list"], in: folder.url).status == 66)
        }
    }

    @Test func otherRulesThanTheStoresAreCarriedOut() throws {
        try TemporaryFolder.with { folder in
            let fixture = try CommandFixture()
            let rules = """
                name: all
                rules:
                  - id: qm
                    reason: The other way round.
                    when: {contains-token: {hcpcs_modifiers: QM}}
                    then: inHouse
                """
            try folder.write(rules, to: "all.yaml")
            #expect(try fixture.run(["load", CommandFixture.sample], in: folder.url).status == 0)
            let result = try fixture.run(["publish", "--rules", "all.yaml"], in: folder.url)
            #expect(result.status == 0)
            let summary = try folder.read("reports/published/release/current/kpi-summary.json")
            #expect(String(decoding: summary, as: UTF8.self).contains("\"name\": \"all\""))
        }
    }

    @Test func aFileBeyondItsLimitIs74AndLeavesNothing() throws {
        try TemporaryFolder.with { folder in
            let shell = try CommandRunner(executable: URL(fileURLWithPath: "/bin/bash"))
            let program = try CommandFixture().tripkpi.executable.path
            let script = "ulimit -f 1; exec \"$0\" scan \"$1\" --output \"$2\""
            let result = try shell.run(
                ["-c", script, program, CommandFixture.sample, folder.path(of: "kpi.json")],
                environment: ["TRIPKPI_DATA": Repository.root.appendingPathComponent("data").path], in: folder.url)
            #expect(result.status == 74)
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasPrefix("kpi") } == [])
        }
    }
}
