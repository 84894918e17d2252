import Crypto
import Foundation
import GRDB
import TestSupport
import Testing

/// A command that is refused leaves no entry in the audit log, or one with the outcome `refused`.
@Suite struct RefusedCommandTests {
    private static let name = "store/tripkpi.sqlite.audit.jsonl"

    private struct Entry: Decodable, Equatable, CustomStringConvertible {
        var event: String?
        var outcome: String?
        var description: String { "\(event ?? "log") \(outcome ?? "done")" }
    }

    private struct Site {
        let folder: TemporaryFolder
        let fixture: CommandFixture

        func run(_ words: [String], day: Int = 3) throws -> CommandResult {
            try fixture.run(
                words,
                environment: [
                    "SOURCE_DATE_EPOCH": "\(1_767_225_600 + day * 86_400)", "TRIPKPI_AUDIT_LOG": "",
                ], in: folder.url)
        }

        func entries() throws -> [Entry] {
            try String(decoding: folder.read(RefusedCommandTests.name), as: UTF8.self).split(separator: "\n")
                .dropFirst()
                .map { try JSONDecoder().decode(Entry.self, from: Data($0.utf8)) }
        }

        /// Makes the store refuse these changes.
        func refuse(_ sql: String) throws {
            try DatabaseQueue(path: folder.path(of: "store/tripkpi.sqlite")).write { try $0.execute(sql: sql) }
        }

        /// Runs a command, which ends with this code and adds these entries to the log.
        func expect(
            _ words: [String], status: Int32, day: Int = 3, adds: [String],
            sourceLocation: SourceLocation = #_sourceLocation
        ) throws {
            let before = try entries().count
            let result = try run(words, day: day)
            let added = try entries().dropFirst(before).map(\.description)
            #expect(result.status == status, "\(words): \(result.stderrText)", sourceLocation: sourceLocation)
            #expect(added == adds, "\(words)", sourceLocation: sourceLocation)
        }
    }

    /// Two nights: a store, two sets of each audience, and a failed export.
    private func withSite(_ body: (Site) throws -> Void) throws {
        let fixture = try CommandFixture()
        try TemporaryFolder.with { folder in
            let site = Site(folder: folder, fixture: fixture)
            try folder.write(CommandFixture.trips(400), to: "inbox/a.csv")
            #expect(try site.run(["run"], day: 0).status == 0)
            try folder.write(CommandFixture.trips(400, beginningAt: 400), to: "inbox/b.csv")
            #expect(try site.run(["run"], day: 1).status == 0)
            try folder.write("trip_id,service_date\n1,soon\n2,2024-01-03\n", to: "inbox/failing.csv")
            #expect(try site.run(["run"], day: 2).status == 65)
            try body(site)
            let verified = try site.run(["verify"])
            #expect(!verified.stdoutText.contains("fail  audit log"), "\(verified.stdoutText)")
        }
    }

    private func failedHash(_ site: Site) throws -> String {
        let listed = try site.run(["quarantine", "list", "--format", "csv"]).stdoutText
        return String(try #require(listed.firstMatch(of: /[0-9a-f]{64}/)).output)
    }

    @Test func aRotationThatIsRefused() throws {
        try withSite { site in
            let key = try site.folder.read("store/tripkpi.sqlite.key")
            // Others may write to the folder; another key; no key.
            let store = site.folder.path(of: "store")
            try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: store)
            try site.expect(["key", "rotate"], status: 77, adds: [])
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: store)
            try Data(repeating: 7, count: 32).write(to: site.folder.url.appendingPathComponent("other.key"))
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o600], ofItemAtPath: site.folder.path(of: "other.key"))
            try site.expect(["key", "rotate", "--key-file", "other.key"], status: 78, adds: [])
            try site.expect(["key", "rotate", "--key-file", "missing.key"], status: 78, adds: [])
            #expect(try site.folder.read("store/tripkpi.sqlite.key") == key)
            try site.expect(["key", "rotate"], status: 0, adds: ["rotate-key done"])
        }
    }

    @Test func aPublicationThatIsRefused() throws {
        try withSite { site in
            // The clock is behind the published set: the store's release has not changed either.
            let digest = try site.run(["verify", "--digest"]).stdoutText
            try site.expect(["publish", "--revise"], status: 78, day: -30, adds: [])
            #expect(try site.run(["verify", "--digest"]).stdoutText == digest)
            try site.expect(["publish", "--rules", "nothing"], status: 78, adds: [])
            try site.expect(["publish", "--rollback", "--to", "20200101T000000Z-000000000000"], status: 66, adds: [])
            try site.expect(["publish", "--resume", "--rules", "nothing"], status: 78, adds: [])
            // One of the sets to go back to is damaged.
            let previous = try FileManager.default.destinationOfSymbolicLink(
                atPath: site.folder.path(of: "reports/published/staff/previous"))
            try site.folder.write("x", to: "reports/published/staff/\(previous)/kpi-cells.csv")
            try site.expect(["publish", "--rollback"], status: 65, adds: [])
        }
    }

    /// What the folder refuses is known only when it is done.
    @Test func aRollbackThatTheFolderRefuses() throws {
        try withSite { site in
            let staff = site.folder.path(of: "reports/published/staff")
            let before = try FileManager.default.destinationOfSymbolicLink(atPath: "\(staff)/current")
            // The draft of the link cannot be made: a folder with something in it has its name.
            try site.folder.write("x", to: "reports/published/staff/.current.part/x")
            try site.expect(
                ["publish", "--rollback", "--audience", "staff"], status: 73,
                adds: ["rollback done", "rollback refused"])
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: "\(staff)/current") == before)
        }
    }

    /// The set is there, only readers do not see it yet: nothing of that was refused.
    @Test func aPublicationWhoseSetIsInstalledIsNotRefused() throws {
        try withSite { site in
            try site.folder.write("audiences: [staff]\n", to: "tripkpi.yaml")
            let staff = site.folder.path(of: "reports/published/staff")
            let sets = try FileManager.default.contentsOfDirectory(atPath: "\(staff)/runs").count
            try site.folder.write("x", to: "reports/published/staff/.current.part/x")
            try site.folder.write(CommandFixture.trips(400, beginningAt: 800), to: "more.csv")
            try site.expect(["load", "more.csv"], status: 0, adds: ["load done"])
            try site.expect(["publish"], status: 73, adds: ["publish done"])
            #expect(try FileManager.default.contentsOfDirectory(atPath: "\(staff)/runs").count == sets + 1)
        }
    }

    /// A rollback to hold that was stopped is repeated, and the folder refuses the rest: it was held before.
    @Test func aHoldThatTheFolderRefuses() throws {
        try withSite { site in
            let current = site.folder.path(of: "reports/published/staff/current")
            let before = try FileManager.default.destinationOfSymbolicLink(atPath: current)
            let words = ["publish", "--rollback", "--hold", "--audience", "staff"]
            try site.expect(words, status: 0, adds: ["hold done"])
            try FileManager.default.removeItem(atPath: current)
            try FileManager.default.createSymbolicLink(atPath: current, withDestinationPath: before)
            try site.folder.write("x", to: "reports/published/staff/.current.part/x")
            try site.expect(words, status: 73, adds: ["hold done", "hold refused"])
        }
    }

    @Test func anApprovalThatTheStoreRefuses() throws {
        try withSite { site in
            try site.refuse(
                "CREATE TRIGGER refusal BEFORE INSERT ON revisions BEGIN SELECT RAISE(ABORT, 'refused'); END")
            let words = ["publish", "--revise", "--approve", "J. Doe"]
            try site.expect(words, status: 74, adds: ["approve done", "approve refused"])
            try site.refuse("DROP TRIGGER refusal")
            try site.expect(words, status: 0, adds: ["approve done", "publish done"])
        }
    }

    @Test func aClockThatTheStoreRefuses() throws {
        try withSite { site in
            try site.refuse(
                "CREATE TRIGGER refusal BEFORE INSERT ON accepted_clock BEGIN SELECT RAISE(ABORT, 'refused'); END")
            try site.expect(
                ["publish", "--clock-is-right"], status: 74, adds: ["accept-clock done", "accept-clock refused"])
        }
    }

    @Test func releasesThatTheStoreRefuses() throws {
        try withSite { site in
            let store = site.folder.path(of: "store")
            try FileManager.default.moveItem(
                atPath: "\(store)/tripkpi.sqlite", toPath: site.folder.path(of: "earlier.sqlite"))
            try FileManager.default.removeItem(atPath: "\(store)/tripkpi.sqlite.key")
            try site.folder.write("audiences: [staff]\n", to: "tripkpi.yaml")
            #expect(try site.run(["load", "inbox/a.csv", "--new-store"]).status == 0)
            try FileManager.default.removeItem(atPath: site.folder.path(of: "inbox/failing.csv"))
            try site.refuse(
                "CREATE TRIGGER refusal BEFORE INSERT ON releases BEGIN SELECT RAISE(ABORT, 'refused'); END")
            try site.expect(
                ["run", "--releases-of", "earlier.sqlite"], status: 74,
                adds: ["load done", "adopt-releases done", "adopt-releases refused"])
        }
    }

    /// The export stays in the store as it was.
    @Test func aReplayOfEventsThatTheStoreRefuses() throws {
        try withSite { site in
            let lines = (1...12).map { "2024-01-05,Flood,North,\($0 % 2 == 0 ? "yes" : "no")\n" }
            let events = "day,type,region,evacuate\n" + lines.joined()
            try site.folder.write(events, to: "events.csv")
            try site.expect(["load", "--events", "events.csv"], status: 0, adds: ["load done"])
            // Noticed when the export is in the transaction, after the entry.
            func refusal(when isReached: String) -> String {
                """
                DROP TRIGGER IF EXISTS refusal;
                CREATE TRIGGER refusal BEFORE INSERT ON ledger_digest WHEN EXISTS (SELECT 1 FROM \(isReached))
                BEGIN SELECT RAISE(ABORT, 'refused'); END
                """
            }
            try site.refuse(refusal(when: "event_exports WHERE loaded_at = \(1_767_225_600 + 4 * 86_400)"))
            try site.expect(
                ["load", "--replay", "--events", "events.csv"], status: 74, day: 4, adds: ["load done", "load refused"])
            try site.refuse(refusal(when: "withdrawn_exports"))
            let hash = SHA256.hash(data: Data(events.utf8)).map { String(UInt16($0) + 0x100, radix: 16).suffix(2) }
            try site.expect(
                ["load", "--withdraw", hash.joined()], status: 74, day: 4,
                adds: ["withdraw done", "withdraw refused"])
        }
    }

    @Test func aWaiverAWithdrawalAndALoadThatAreRefused() throws {
        try withSite { site in
            let failed = try failedHash(site)
            try site.expect(["quarantine", "waive", failed, "--withdraw-waiver"], status: 64, adds: [])
            try site.expect(["quarantine", "waive", "00000000", "--reason", "r"], status: 66, adds: [])
            try site.expect(["quarantine", "forget", "00000000"], status: 66, adds: [])
            try site.expect(["load", "--withdraw", "00000000"], status: 66, adds: [])
            try site.expect(["load", "inbox/failing.csv"], status: 65, adds: [])
            try site.expect(["quarantine", "waive", failed, "--reason", "r"], status: 0, adds: ["waive done"])
        }
    }

    /// Rules that test values which the store does not keep: that is known when they have met every trip.
    @Test func rulesThatAreRefused() throws {
        try withSite { site in
            func write(_ condition: String) throws {
                try site.folder.write(
                    "name: other\nrules:\n  - id: other\n    reason: Other.\n    when: {\(condition)}\n    then: contracted\n",
                    to: "rules.yaml")
            }
            try write("prefix: {vehicle_id: [MED1]}")
            try site.expect(["classify", "apply", "--rules", "rules.yaml"], status: 78, adds: [])
            try site.expect(["publish", "--rules", "rules.yaml"], status: 78, adds: [])
            try write("contains-token: {hcpcs_modifiers: [ZZ]}")
            try site.expect(["classify", "apply", "--rules", "rules.yaml"], status: 0, adds: ["classify done"])
        }
    }

    @Test func aQuestionThatIsRefused() throws {
        try withSite { site in
            let asked = ["query", "--internal", "--sql"]
            try site.expect(asked + ["SELECT nothing"], status: 64, adds: ["query done", "query refused"])
            try site.expect(asked + ["SELECT 1"], status: 0, adds: ["query done"])
            try site.expect(["report", "--output", "missing/out.csv"], status: 73, adds: [])
            try site.expect(["classify", "apply", "--diff", "nothing", "--internal"], status: 78, adds: [])
        }
    }
}
