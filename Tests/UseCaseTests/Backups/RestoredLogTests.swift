import Cluster
import Files
import Foundation
import Operations
import Publishing
import Reporting
import Store
import TestSupport
import Testing
import UseCases

/// What becomes of the audit log. After each restore runs accept it.
@Suite struct RestoredLogTests {
    /// Log and store fit each other, and a run goes on with both.
    private func expectAccepted(_ site: BackupFixture) throws {
        #expect(try AuditLogCheck.check(path: site.log, store: site.store).findings == [])
        try site.load(7..<8)
        #expect(try AuditLogCheck.check(path: site.log, store: site.store).findings == [])
    }

    @Test func aLogThatIsWholeAndGoesOnIsKept() throws {
        try BackupFixture.withBackup { site, _ in
            let before = try AuditLog(path: site.log).check().entries
            let lines = try site.restore(replaces: true)
            #expect(lines.contains("audit log: the present one is kept"), "\(lines)")
            #expect(try AuditLog(path: site.log).check().entries == before + 1)
            try expectAccepted(site)
        }
    }

    @Test func besideAnotherLogTheBackupsIsKept() throws {
        try BackupFixture.withBackup { site, folder in
            let other = BackupFixture(folder, "other")
            try other.load(5..<6)
            try other.takeKey(of: site)
            let lines = try other.restore(replaces: true)
            let line = try #require(lines.first { $0.contains("; the backup's is at ") }, "\(lines)")
            let beside = try #require(line.split(separator: " ").last.map(String.init))
            #expect(try AuditLog(path: beside).check().findings == [])
            #expect(try AuditLog(path: beside).check().entries > 2)
            #expect(line.contains("the store now remembers its last entry"))
            let entries = try AuditLog(path: other.log).check().entries
            #expect(try TripStore(reading: other.store).auditEntry() == AuditLog(path: other.log).end()?.text)
            // What is restored is in its place, and is not moved aside.
            let names = try other.namesBesideStore()
            for replaces in [false, true] { try other.restore(replaces: replaces) }
            #expect(try other.namesBesideStore() == names)
            #expect(try AuditLog(path: other.log).check().entries == entries + 2)
            try expectAccepted(other)
            #expect(throws: BackupError.storeIsThere(path: other.store)) { try other.restore() }
        }
    }

    /// A machine that was restored from an older backup: its log is the beginning of this one.
    @Test func aLogThatTheBackupsGoesOnFromMakesPlaceForIt() throws {
        try BackupFixture.withBackup { site, folder in
            let other = BackupFixture(folder, "other")
            try other.takeKey(of: site)
            try other.restore()
            for file in ["log.jsonl", "log.jsonl.head"] {
                try folder.write(folder.read("site/audit/\(file)"), to: "other/audit/\(file)")
                try FileManager.default.setAttributes(
                    [.posixPermissions: 0o600], ofItemAtPath: other.path("audit/\(file)"))
            }
            try site.load(3..<4)
            try site.backUp(to: "later.tar")
            let lines = try other.restore("later.tar", replaces: true, at: BackupFixture.publishedAt + 120)
            #expect(lines.contains("audit log: put back"), "\(lines)")
            // All but the entry that the backup was written.
            let entries = try folder.read("site/audit/log.jsonl").split(separator: 10).dropLast()
            #expect(try folder.read("other/audit/log.jsonl").starts(with: entries.joined(separator: [10])))
            try expectAccepted(other)
        }
    }

    /// A command that needs no run lock writes to the log meanwhile.
    @Test func entriesOfOthersAreNotLost() throws {
        try BackupFixture.withBackup { site, folder in
            let owner = try FileStatus.lookUp(site.log)
            let copy = try #require(try AuditLogCopy(of: site.log))
            let entry = AuditEntry(
                event: .report, actor: .init(user: "test", userID: 0, host: "test"), time: "2026-04-01T00:00:00Z",
                tool: "test", command: "test")
            try AuditLog(path: site.log).append(entry)
            let entries = try AuditLog(path: site.log).check().entries
            #expect(throws: AuditError.self) { try copy.putBack(at: site.log, owner: #require(owner)) }
            #expect(try AuditLog(path: site.log).check().entries == entries)
        }
    }

    /// The store of the backup has again what was removed since.
    @Test func aRemovalSinceTheBackupIsNamed() throws {
        try BackupFixture.withBackup { site, _ in
            func note(
                _ event: AuditEntry.Event, _ time: String, _ outcome: AuditEntry.Outcome? = nil,
                command: String = "test"
            ) throws {
                var entry = AuditEntry(
                    event: event, actor: .init(user: "test", userID: 0, host: "test"), time: time, tool: "test",
                    command: command)
                entry.outcome = outcome
                try AuditLog(path: site.log).append(entry)
            }
            try note(.purge, "2099-01-01T00:00:00Z", .refused)
            try note(.report, "2099-01-01T00:00:00Z")
            // The next run repeats what leaves by its age.
            try note(.purge, "2099-01-01T00:00:00Z", command: "tripkpi run")
            #expect(try !site.restore(replaces: true).contains { $0.hasPrefix("purge:") })
            // Whatever the clock says: the store does not remember it.
            try note(.purge, "2000-01-01T00:00:00Z")
            let lines = try site.restore(replaces: true)
            #expect(
                lines.contains { $0.hasPrefix("purge: since the backup trips or patients were removed 1 time,") },
                "\(lines)")
        }
    }

    /// A log that begins after the backup, or ends before it, knows of no removal in between.
    @Test func aLogThatDoesNotReachBackToTheBackupSaysSo() throws {
        try BackupFixture.withBackup { site, folder in
            try site.remove("T0-1", at: BackupFixture.publishedAt + 60)
            _ = try AuditLogRenewal(site.site).run(reason: "A year is over.", site.environment())
            let text = "purge: the audit log here does not reach back to the backup."
            let lines = try site.restore(replaces: true)
            #expect(lines.contains { $0.hasPrefix(text) }, "\(lines)")
            let other = BackupFixture(folder, "other")
            try other.takeKey(of: site)
            let moved = try other.restore()
            #expect(moved.contains { $0.hasPrefix(text) }, "\(moved)")
        }
    }

    @Test func aBrokenLogIsMovedAsideWithReplaceOnly() throws {
        try BackupFixture.withBackup { site, folder in
            let log = try folder.read("site/audit/log.jsonl")
            try folder.write(log.dropLast(10), to: "site/audit/log.jsonl")
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: site.log)
            try BackupFixture.remove(site.store)
            #expect(throws: BackupError.self) { try site.restore() }
            #expect(try !site.namesBesideStore().contains("tripkpi.sqlite"))
            try site.restore(replaces: true)
            let aside = try FileManager.default.contentsOfDirectory(atPath: site.path("audit")).sorted()
                .filter { $0.contains("log.jsonl.before-restore-") }
            #expect(aside.count == 2, "\(aside)")
            #expect(try folder.read("site/audit/\(aside[0])") == log.dropLast(10))
            try expectAccepted(site)
        }
    }

    /// A kill between the log and its head.
    @Test func aLogWithoutItsHeadIsCompleted() throws {
        try BackupFixture.withBackup { site, folder in
            let other = BackupFixture(folder, "other")
            try other.takeKey(of: site)
            try other.restore()
            let log = try folder.read("other/audit/log.jsonl")
            let lines = log.split(separator: 10).dropLast()
            try folder.write(
                Array(lines.joined(separator: [10])) + [10], to: "other/audit/log.jsonl")
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: other.log)
            try BackupFixture.remove(other.log + ".head")
            try other.restore()
            try expectAccepted(other)
        }
    }
}
