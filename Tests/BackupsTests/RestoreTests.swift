import Backups
import Foundation
import Keys
import Nightly
import Operations
import Privacy
import Publishing
import Releases
import Store
import TestSupport
import Testing
import Trips

@Suite struct RestoreTests {
    /// A site whose backup is of two exports; a third one was loaded since.
    private func withBackup(_ body: (BackupFixture, TemporaryFolder) throws -> Void) throws {
        try TemporaryFolder.with(inMemory: true) { folder in
            let site = BackupFixture(folder)
            try site.load(0..<2)
            try site.publish()
            try site.backUp()
            try site.load(2..<3)
            try site.publish(at: BackupFixture.publishedAt + 60)
            try body(site, folder)
        }
    }

    private func remove(_ paths: String...) throws {
        for path in paths { try FileManager.default.removeItem(atPath: path) }
    }

    @Test func aStoreThatIsThereIsKeptWithoutReplace() throws {
        try withBackup { site, _ in
            let (digest, current) = (try site.digest(), try site.current())
            let entries = try AuditLog(path: site.log).check().entries
            #expect(throws: BackupError.storeIsThere(path: site.store)) { try site.restore() }
            #expect(try site.digest() == digest && site.current() == current)
            #expect(try AuditLog(path: site.log).check().entries == entries)
        }
    }

    @Test func withReplaceTheStoreIsMovedAsideAndTheSetsGoBack() throws {
        try withBackup { site, folder in
            let (digest, current) = (try site.digest(), try site.current())
            let lines = try site.restore(replaces: true, at: BackupFixture.publishedAt + 120)
            #expect(try site.digest() != digest && site.current() != current)
            let aside = try #require(try site.namesBesideStore().first { $0.contains(".before-restore-") })
            #expect(lines.contains("the store that was there is now \(site.store.dropLast(14))\(aside)"), "\(lines)")
            #expect(try TripStore(reading: site.path("store/\(aside)")).digest() == digest)
            let attributes = try FileManager.default.attributesOfItem(atPath: site.path("store/\(aside)"))
            #expect(attributes[.referenceCount] as? Int == 1)
            #expect(try AuditLog(path: site.log).check().findings == [])
            // The later sets are still there, and the export comes back with the next night.
            try site.load(2..<3)
            try site.publish(at: BackupFixture.publishedAt + 120)
            #expect(try site.digest() == digest)
        }
    }

    @Test func aLostStoreIsPutBackAndReadersKeepTheirSets() throws {
        try withBackup { site, folder in
            let (digest, current) = (try site.digest(), try site.current())
            try remove(site.store)
            #expect(throws: StoreError.self) { try site.load(2..<3) }
            let lines = try site.restore()
            #expect(lines.contains("staff: the present set is kept"), "\(lines)")
            #expect(try site.current() == current)
            try site.load(2..<3)
            try site.publish(at: BackupFixture.publishedAt + 120)
            #expect(try site.digest() == digest)
        }
    }

    /// SQLite reads the log of a store that is gone as one of the store that takes its name.
    @Test func theLogOfALostStoreIsNotReadIntoTheOther() throws {
        try withBackup { site, folder in
            try remove(site.store)
            try folder.write([UInt8](repeating: 1, count: 100_000), to: "site/store/tripkpi.sqlite-wal")
            try site.restore()
            #expect(try site.namesBesideStore().contains { $0.hasSuffix("-wal") && $0.contains(".before-restore-") })
            #expect(try !site.namesBesideStore().contains("tripkpi.sqlite-wal"))
            try TripStore(reading: site.store).checkIntegrity(rows: nil)
        }
    }

    @Test func aDamagedStoreIsReplaced() throws {
        try withBackup { site, folder in
            try folder.write([UInt8](repeating: 1, count: 100_000), to: "site/store/tripkpi.sqlite")
            try folder.write([UInt8](repeating: 2, count: 100), to: "site/store/tripkpi.sqlite-wal")
            #expect(throws: BackupError.storeIsThere(path: site.store)) { try site.restore() }
            try site.restore(replaces: true)
            try TripStore(reading: site.store).checkIntegrity(rows: nil)
            let names = try site.namesBesideStore()
            let aside = try #require(names.first { $0.contains(".before-restore-") })
            #expect(try folder.read("site/store/\(aside)") == [UInt8](repeating: 1, count: 100_000))
            #expect(!names.contains("tripkpi.sqlite-wal"), "\(names)")
        }
    }

    @Test func aSecondRestoreFindsAllInPlace() throws {
        try withBackup { site, _ in
            try site.restore(replaces: true)
            let names = try site.namesBesideStore()
            for replaces in [false, true] { try site.restore(replaces: replaces) }
            #expect(try site.namesBesideStore() == names)
        }
    }

    /// What a kill between the second name and the exchange leaves. Runs go on, and so does the repeated command.
    @Test(arguments: [false, true])
    func aSecondNameOfTheStoreIsRemoved(byRestore: Bool) throws {
        try withBackup { site, _ in
            let second = site.store + ".before-restore-20261121T040000Z"
            try FileManager.default.linkItem(atPath: site.store, toPath: second)
            let digest = try site.digest()
            if byRestore { try site.restore(replaces: true) } else { try site.load(2..<3) }
            let names = try site.namesBesideStore()
            #expect(!names.contains("tripkpi.sqlite.before-restore-20261121T040000Z"))
            let aside = names.first { $0.contains(".before-restore-") }
            #expect((aside != nil) == byRestore)
            #expect(try TripStore(reading: aside.map { site.path("store/\($0)") } ?? site.store).digest() == digest)
            // Another second name is still refused.
            try FileManager.default.linkItem(atPath: site.store, toPath: site.path("store/copy"))
            #expect(throws: PlaceError.self) { try site.load(2..<3) }
        }
    }

    @Test func aKeyIsNeverReplaced() throws {
        try withBackup { site, folder in
            let secret = try site.secret()
            try site.backUp(to: "sealed.tar", sealedWith: secret)
            try folder.write([UInt8](repeating: 9, count: 32), to: "site/store/tripkpi.sqlite.key")
            try remove(site.store)
            #expect(throws: BackupError.self) { try site.restore("sealed.tar", sealedWith: secret) }
            #expect(try folder.read("site/store/tripkpi.sqlite.key") == [UInt8](repeating: 9, count: 32))
            #expect(!FileManager.default.fileExists(atPath: site.store))
        }
    }

    @Test func aRunInTheWayEndsItBeforeAnythingIsChanged() throws {
        try withBackup { site, _ in
            let lock = try RunLock(path: site.store + ".lock", owner: site.environment().owner)
            #expect(throws: RunLockError.self) { try site.restore(replaces: true) }
            lock.release()
            try site.restore(replaces: true)
        }
    }

    @Test func aLogThatIsWholeAndGoesOnIsKept() throws {
        try withBackup { site, _ in
            let before = try AuditLog(path: site.log).check().entries
            let lines = try site.restore(replaces: true)
            #expect(lines.contains("audit log: the present one is kept"), "\(lines)")
            #expect(try AuditLog(path: site.log).check().entries == before + 1)
        }
    }

    @Test func besideAnotherLogTheBackupsIsKept() throws {
        try withBackup { site, folder in
            let other = BackupFixture(folder, "other")
            try other.load(5..<6)
            try other.takeKey(of: site)
            let lines = try other.restore(replaces: true)
            let line = try #require(lines.first { $0.contains("; the backup's is at ") }, "\(lines)")
            let beside = try #require(line.split(separator: " ").last.map(String.init))
            #expect(try AuditLog(path: beside).check().findings == [])
            #expect(try AuditLog(path: beside).check().entries > 2)
            #expect(try AuditLog(path: other.log).check().findings == [])
        }
    }

    @Test func aBrokenLogIsMovedAsideWithReplaceOnly() throws {
        try withBackup { site, folder in
            let log = try folder.read("site/audit/log.jsonl")
            try folder.write(log.dropLast(10), to: "site/audit/log.jsonl")
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: site.log)
            try remove(site.store)
            #expect(throws: BackupError.self) { try site.restore() }
            #expect(try !site.namesBesideStore().contains("tripkpi.sqlite"))
            try site.restore(replaces: true)
            let aside = try FileManager.default.contentsOfDirectory(atPath: site.path("audit")).sorted()
                .filter { $0.contains("log.jsonl.before-restore-") }
            #expect(aside.count == 2, "\(aside)")
            #expect(try folder.read("site/audit/\(aside[0])") == log.dropLast(10))
            #expect(try AuditLog(path: site.log).check().findings == [])
        }
    }

    /// A kill between the log and its head.
    @Test func aLogWithoutItsHeadIsCompleted() throws {
        try withBackup { site, folder in
            let other = BackupFixture(folder, "other")
            try other.takeKey(of: site)
            try other.restore()
            let log = try folder.read("other/audit/log.jsonl")
            let lines = log.split(separator: 10).dropLast()
            try folder.write(
                Array(lines.joined(separator: [10])) + [10], to: "other/audit/log.jsonl")
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: other.log)
            try remove(other.log + ".head")
            try other.restore()
            #expect(try AuditLog(path: other.log).check().findings == [])
        }
    }

    @Test func aHoldComesBack() throws {
        try withBackup { site, folder in
            let release = PublishedSets(root: site.reports).folder(.release)
            let id = try #require(try release.currentID())
            try release.hold(id, at: "2026-04-01T00:00:00Z")
            try site.backUp(to: "held.tar")
            let other = BackupFixture(folder, "other")
            try other.takeKey(of: site)
            try other.restore("held.tar", at: BackupFixture.publishedAt + 120)
            let restored = PublishedSets(root: other.reports).folder(.release)
            #expect(try restored.heldSince() == "2026-04-01T00:00:00Z" && restored.heldID() == id)
        }
    }

    @Test func aSetFromTheFutureOfTheClockIsRefusedBeforeAnythingIsChanged() throws {
        try withBackup { site, folder in
            let other = BackupFixture(folder, "other")
            try other.takeKey(of: site)
            #expect(throws: BackupError.self) { try other.restore(at: BackupFixture.publishedAt - 86_400) }
            #expect(!FileManager.default.fileExists(atPath: other.store))
            #expect(!FileManager.default.fileExists(atPath: other.log))
        }
    }

    @Test func checkChangesNothing() throws {
        try withBackup { site, folder in
            let before = try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
            let lines = try Restore(site.site, from: folder.path(of: "backup.tar")).check(site.environment())
            let fingerprint = try PseudonymKeyFile.load(site.key).fingerprint
            #expect(lines.last?.hasSuffix("is the key of the store (\(fingerprint))") == true)
            let other = BackupFixture(folder, "other")
            #expect(
                try Restore(other.site, from: folder.path(of: "backup.tar")).check(other.environment()).last?
                    .contains("there is none at \(other.key)") == true)
            #expect(try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted() == before)
        }
    }

    private struct Killed: Error {}

    /// A stop at any checkpoint, and what a killed process leaves, are cleaned up by the next restore.
    @Test func whatAKilledRestoreLeftIsRemoved() throws {
        try withBackup { site, folder in
            #expect(throws: Killed.self) { try site.restore(replaces: true, checkpoint: { throw Killed() }) }
            #expect(try !site.namesBesideStore().contains { $0.hasPrefix(".") })
            try folder.write("", to: "site/store/.tripkpi-restore-0123456789abcdef/lock")
            try folder.write("rows", to: "site/store/.tripkpi-restore-0123456789abcdef/store.sqlite")
            try site.restore(replaces: true)
            #expect(try !site.namesBesideStore().contains { $0.hasPrefix(".") })
        }
    }
}
