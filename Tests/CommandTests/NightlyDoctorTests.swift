import Foundation
import TestSupport
import Testing

/// `doctor` and `run` on the same faults: `run` ends with the failure that `doctor` names.
@Suite struct NightlyDoctorTests {
    /// A folder with an inbox of one export, and the options that name it.
    private struct Site {
        let folder: TemporaryFolder
        let fixture: CommandFixture

        init(_ folder: TemporaryFolder, isPublished: Bool = true) throws {
            self.folder = folder
            fixture = try CommandFixture()
            try folder.write(Repository.bytes("data/samples/sample.csv"), to: "inbox/trips.csv")
            if isPublished {
                let result = try run("run", "--quiet")
                #expect(result.status == 0, "\(result.stderrText)")
            }
        }

        func run(_ words: String..., environment: [String: String] = [:]) throws -> CommandResult {
            let places = [
                "--inbox", folder.path(of: "inbox"), "--store", folder.path(of: "store/trips.sqlite"), "--reports",
                folder.path(of: "reports"), "--zone", "America/New_York",
            ]
            return try fixture.run(words + places, environment: environment, in: folder.url)
        }

        func names() throws -> [String] { try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted() }
    }

    /// One thing that can be wrong.
    struct Fault: Sendable, CustomTestStringConvertible {
        var subject: String
        var status: Int32
        var text: String
        var damage: @Sendable (TemporaryFolder) throws -> Void
        var testDescription: String { "\(subject): \(text)" }
    }

    private static let faults = [
        Fault(subject: "key", status: 78, text: "backup") { try remove("store/trips.sqlite.key", $0) },
        Fault(subject: "key", status: 77, text: "chmod 600") { folder in
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o644], ofItemAtPath: folder.path(of: "store/trips.sqlite.key"))
        },
        Fault(subject: "store", status: 78, text: "another key") { folder in
            try remove("store/trips.sqlite.key", folder)
            let path = try folder.write([UInt8](repeating: 7, count: 32), to: "store/trips.sqlite.key")
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        },
        Fault(subject: "store", status: 78, text: "--new-store") { try remove("store/trips.sqlite", $0) },
        Fault(subject: "store", status: 74, text: "damaged") { folder in
            let bytes = try folder.read("store/trips.sqlite")
            try folder.write(bytes.prefix(bytes.count / 2), to: "store/trips.sqlite")
        },
        Fault(subject: "store", status: 74, text: "damaged") {
            try $0.write("no database at all", to: "store/trips.sqlite")
        },
        Fault(subject: "store", status: 73, text: "folder") { folder in
            try remove("store/trips.sqlite", folder)
            try folder.write("", to: "store/trips.sqlite/file")
        },
        Fault(subject: "inbox", status: 66, text: "no such inbox") { try remove("inbox", $0) },
        Fault(subject: "reports", status: 73, text: "does not replace") { folder in
            try remove("reports/release/current", folder)
            try folder.write("", to: "reports/release/current/file")
        },
    ]

    private static func remove(_ name: String, _ folder: TemporaryFolder) throws {
        try FileManager.default.removeItem(atPath: folder.path(of: name))
    }

    @Test(arguments: faults) func aRunEndsWithWhatDoctorNames(fault: Fault) throws {
        try TemporaryFolder.with { folder in
            let site = try Site(folder)
            try fault.damage(folder)
            let before = try? folder.read("reports/staff/current/manifest.json")
            let doctor = try site.run("doctor")
            #expect(doctor.status == fault.status, "\(doctor.stdoutText)")
            let line = doctor.stdoutText.split(separator: "\n").first { $0.hasPrefix("fail  \(fault.subject)") }
            #expect(line?.contains(fault.text) == true, "\(doctor.stdoutText)")
            let run = try site.run("run")
            #expect(run.status == fault.status, "\(run.stderrText)")
            #expect(run.stderrText.contains(fault.text), "\(run.stderrText)")
            #expect((try? folder.read("reports/staff/current/manifest.json")) == before)
        }
    }

    @Test func beforeTheFirstRunNothingIsWrongAndNothingIsMade() throws {
        try TemporaryFolder.with { folder in
            let site = try Site(folder, isPublished: false)
            let before = try site.names()
            let doctor = try site.run("doctor")
            #expect(doctor.status == 0, "\(doctor.stdoutText)")
            #expect(doctor.stdoutText.components(separatedBy: "the first run makes it").count == 4)
            #expect(try site.names() == before)
        }
    }

    @Test func namesWhatARunHasMadeAndADamagedSet() throws {
        try TemporaryFolder.with { folder in
            let site = try Site(folder)
            let doctor = try site.run("doctor")
            #expect(doctor.status == 0, "\(doctor.stdoutText)")
            for subject in ["run lock", "key", "store", "stored rules", "inbox", "quarantine", "published", "clock"] {
                #expect(doctor.stdoutText.contains("\nok    \(subject) "), "\(subject) in \(doctor.stdoutText)")
            }
            #expect(doctor.stdoutText.contains("1 export, 1 of them loaded"))
            let relative = try site.fixture.run(
                [
                    "doctor", "--quick", "--inbox", "./inbox", "--store", "store/trips.sqlite", "--reports", "reports",
                    "--zone", "America/New_York",
                ], environment: [:], in: folder.url)
            #expect(relative.stdoutText.contains("1 export, 1 of them loaded"), "another name of the same folder")
            try folder.write("{}", to: "reports/release/current/kpi-summary.json")
            let damaged = try site.run("doctor", "--quick")
            #expect(damaged.status == 65)
            #expect(damaged.stdoutText.contains("kpi-summary.json has 2 bytes"))
        }
    }

    @Test func aClockThatWasSetBackStopsARunBeforeItLoads() throws {
        try TemporaryFolder.with { folder in
            let site = try Site(folder)
            try folder.write(Repository.bytes("data/samples/sample.ndjson"), to: "inbox/trips.ndjson")
            let past = ["SOURCE_DATE_EPOCH": "1767000000"]
            let doctor = try site.run("doctor", environment: past)
            #expect(doctor.status == 78 && doctor.stdoutText.contains("\nfail  clock"))
            #expect(try site.run("run", environment: past).status == 78)
            #expect(try site.run("run", "--dry-run").stdoutText.contains("\nload trips.ndjson"))
        }
    }

    @Test func aMissingStoreIsMadeAgainOnlyOnRequest() throws {
        try TemporaryFolder.with { folder in
            let site = try Site(folder)
            let before = try folder.read("reports/release/current/kpi-cells.csv")
            try Self.remove("store/trips.sqlite", folder)
            #expect(try site.run("run").status == 78)
            #expect(try site.run("run", "--new-store").status == 0)
            #expect(try folder.read("reports/release/current/kpi-cells.csv") == before)
        }
    }

    @Test func aNewStoreDoesNotReleaseAMonthWithOtherTrips() throws {
        try TemporaryFolder.with { folder in
            let site = try Site(folder)
            let before = try folder.read("reports/release/current/kpi-cells.csv")
            let month = try #require(
                String(decoding: before, as: UTF8.self).firstMatch(of: /(20\d\d-\d\d),/)?.output.1)
            try folder.write(
                "trip_id,service_date,status,region,trip_type,cost\nLATE-1,\(month)-03,completed,North,Routine,4321.09\n",
                to: "inbox/late.csv")
            try Self.remove("store/trips.sqlite", folder)
            let run = try site.run("run", "--new-store")
            #expect(run.status == 65 && run.stderrText.contains("this store has not released it"), "\(run.stderrText)")
            #expect(try folder.read("reports/release/current/kpi-cells.csv") == before)
        }
    }

    @Test func namesWhatCommandsHaveLeftBesideTheStore() throws {
        try TemporaryFolder.with { folder in
            let site = try Site(folder)
            #expect(try !site.run("doctor").stdoutText.contains("leftovers"))
            let tomorrow = Date().addingTimeInterval(86_400).formatted(
                .iso8601.dateSeparator(.omitted).timeSeparator(.omitted))
            try folder.write("", to: "store/trips.sqlite.before-restore-\(tomorrow)")
            try folder.write("", to: "store/.tripkpi-restore-0123456789abcdef/lock")
            var lines = try site.run("doctor").stdoutText.split(separator: "\n").filter { $0.contains("leftovers") }
            #expect(
                lines.count == 1 && lines[0].hasPrefix("warn")
                    && lines[0].contains("1 draft: \(folder.path(of: "store/.tripkpi-restore-0123456789abcdef"))"),
                "\(lines)")
            #expect(try site.run("run", "--quiet").status == 0)
            for end in ["", "-wal"] {
                try folder.write("", to: "store/trips.sqlite.before-restore-20250101T000000Z\(end)")
            }
            lines = try site.run("doctor").stdoutText.split(separator: "\n").filter { $0.contains("leftovers") }
            #expect(
                lines.count == 1 && lines[0].hasPrefix("warn") && lines[0].contains("moved 2 files aside"), "\(lines)")
        }
    }

    @Test func noLogNamesAFileThatMayNameAPerson() throws {
        try TemporaryFolder.with { folder in
            let site = try Site(folder)
            try folder.write("trip_id,service_date\n,2026-01-01\n,2026-01-02\n", to: "inbox/canary_smith.csv")
            for format in ["text", "json"] {
                let run = try site.run("run", "--log-format", format)
                #expect(run.status == 65)
                #expect(run.stderrText.contains("xxxxxx_xxxxx.csv"), "\(run.stderrText)")
                #expect(!run.stderrText.contains("smith"))
            }
            let doctor = try site.run("doctor")
            #expect(doctor.status == 65)
            #expect(doctor.stdoutText.contains("\nfail  quarantine") && !doctor.stdoutText.contains("smith"))
        }
    }
}
