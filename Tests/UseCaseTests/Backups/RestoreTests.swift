import Foundation
import Keys
import Operations
import Privacy
import Publishing
import Reporting
import Store
import TestSupport
import Testing
import Trips
import UseCases

@Suite struct RestoreTests {
    @Test func aStoreThatIsThereIsKeptWithoutReplace() throws {
        try BackupFixture.withBackup { site, _ in
            let (digest, current) = (try site.digest(), try site.current())
            let entries = try AuditLog(path: site.log).check().entries
            #expect(throws: BackupError.storeIsThere(path: site.store)) { try site.restore() }
            #expect(try site.digest() == digest && site.current() == current)
            #expect(try AuditLog(path: site.log).check().entries == entries)
        }
    }

    @Test func withReplaceTheStoreIsMovedAsideAndTheSetsGoBack() throws {
        try BackupFixture.withBackup { site, folder in
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

    /// Beside the store that stays it may have rows of trips that were removed since.
    @Test func aRestoreThatFailsLeavesNoSetOfTheBackup() throws {
        try BackupFixture.withBackup { site, folder in
            let current = try site.current()
            let release = PublishedSets(root: site.reports).folder(.release)
            let own = try #require(try release.previousID())
            try BackupFixture.remove(site.path("reports/release/runs/\(own)"))
            // The release is put back first.
            try BackupFixture.remove(site.path("reports/staff/runs"))
            try folder.write("", to: "site/reports/staff/runs")
            let digest = try site.digest()
            #expect(throws: PublishingError.self) { try site.restore(replaces: true) }
            #expect(try !release.list().contains { $0.id == own })
            #expect(try site.digest() == digest && site.current() == current)
        }
    }

    @Test func aLostStoreIsPutBackAndReadersKeepTheirSets() throws {
        try BackupFixture.withBackup { site, folder in
            let (digest, current) = (try site.digest(), try site.current())
            try BackupFixture.remove(site.store)
            #expect(throws: StoreError.self) { try site.load(2..<3) }
            let lines = try site.restore()
            #expect(lines.contains("staff: the present set, \(current[1] ?? ""), is kept"), "\(lines)")
            #expect(try site.current() == current)
            try site.load(2..<3)
            try site.publish(at: BackupFixture.publishedAt + 120)
            #expect(try site.digest() == digest)
        }
    }

    /// SQLite reads the log of a store that is gone as one of the store that takes its name.
    @Test func theLogOfALostStoreIsNotReadIntoTheOther() throws {
        try BackupFixture.withBackup { site, folder in
            try BackupFixture.remove(site.store)
            try folder.write([UInt8](repeating: 1, count: 100_000), to: "site/store/tripkpi.sqlite-wal")
            try site.restore()
            #expect(try site.namesBesideStore().contains { $0.hasSuffix("-wal") && $0.contains(".before-restore-") })
            #expect(try !site.namesBesideStore().contains("tripkpi.sqlite-wal"))
            try TripStore(reading: site.store).checkIntegrity(rows: nil)
        }
    }

    @Test func aDamagedStoreIsReplaced() throws {
        try BackupFixture.withBackup { site, folder in
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
        try BackupFixture.withBackup { site, _ in
            try site.restore(replaces: true)
            let names = try site.namesBesideStore()
            for replaces in [false, true] { try site.restore(replaces: replaces) }
            #expect(try site.namesBesideStore() == names)
        }
    }

    /// What a kill between the second name and the exchange leaves. Runs go on, and so does the repeated command.
    @Test(arguments: [false, true])
    func aSecondNameOfTheStoreIsRemoved(byRestore: Bool) throws {
        try BackupFixture.withBackup { site, _ in
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
        try BackupFixture.withBackup { site, folder in
            let secret = try site.secret()
            try site.backUp(to: "sealed.tar", sealedWith: secret)
            try folder.write([UInt8](repeating: 9, count: 32), to: "site/store/tripkpi.sqlite.key")
            try BackupFixture.remove(site.store)
            #expect(throws: BackupError.self) { try site.restore("sealed.tar", sealedWith: secret) }
            #expect(try folder.read("site/store/tripkpi.sqlite.key") == [UInt8](repeating: 9, count: 32))
            #expect(!FileManager.default.fileExists(atPath: site.store))
        }
    }

    @Test func aRunInTheWayEndsItBeforeAnythingIsChanged() throws {
        try BackupFixture.withBackup { site, _ in
            let lock = try RunLock(path: site.store + ".lock", owner: site.environment().owner)
            #expect(throws: RunLockError.self) { try site.restore(replaces: true) }
            lock.release()
            try site.restore(replaces: true)
        }
    }

    @Test func aHoldComesBack() throws {
        try BackupFixture.withBackup { site, folder in
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

    /// A run between the kill and the repeated command publishes nothing over it.
    @Test func aHoldIsThereBeforeTheStore() throws {
        try BackupFixture.withBackup { site, folder in
            let staff = PublishedSets(root: site.reports).folder(.staff)
            let id = try #require(try staff.currentID())
            try staff.hold(id, at: "2026-04-01T00:00:00Z")
            try site.backUp(to: "held.tar")
            let other = BackupFixture(folder, "other")
            try other.takeKey(of: site)
            // The link of the release cannot be made: what comes after the store is not done, as after a kill.
            try folder.write("", to: "other/reports/release/.current.part/x")
            #expect(throws: PublishingError.self) { try other.restore("held.tar", at: BackupFixture.publishedAt + 120) }
            #expect(try other.digest() == site.digest())
            let restored = PublishedSets(root: other.reports).folder(.staff)
            #expect(try restored.heldSince() == "2026-04-01T00:00:00Z" && restored.heldID() == id)
            #expect(try lastEntry(of: other, folder).contains("\"event\":\"restore\""))
            #expect(try !lastEntry(of: other, folder).contains("refused"))
            try BackupFixture.remove(other.path("reports/release/.current.part"))
            let lines = try other.restore("held.tar", at: BackupFixture.publishedAt + 120)
            #expect(lines.contains("staff: \(id) is current, held since 2026-04-01T00:00:00Z"), "\(lines)")
            #expect(try other.current() == site.current())
        }
    }

    /// The sets of a restore without `--replace` that was killed are its own, and none that it found.
    @Test func theLinesTellWhatIsThere() throws {
        try BackupFixture.withBackup { site, folder in
            let present = try site.current().map { $0 ?? "" }
            let release = PublishedSets(root: site.reports).folder(.release)
            try release.hold(present[0], at: "2026-04-01T00:00:00Z")
            try BackupFixture.remove(site.store)
            var lines = try site.restore(at: BackupFixture.publishedAt + 120)
            #expect(
                lines.contains("release: the present set, \(present[0]), is kept, held since 2026-04-01T00:00:00Z")
                    && lines.contains("staff: the present set, \(present[1]), is kept"), "\(lines)")
            // A hold is inherited.
            lines = try site.restore(replaces: true, at: BackupFixture.publishedAt + 120)
            let restored = try site.current().map { $0 ?? "" }
            #expect(restored != present)
            #expect(
                lines.contains("release: \(restored[0]) is current, held since 2026-04-01T00:00:00Z")
                    && lines.contains("staff: \(restored[1]) is current"), "\(lines)")
            #expect(try site.restore(at: BackupFixture.publishedAt + 120) == lines)
        }
    }

    private func lastEntry(of site: BackupFixture, _ folder: TemporaryFolder) throws -> String {
        let lines = try folder.read("\(site.name)/audit/log.jsonl").split(separator: 10)
        return String(decoding: lines.last ?? [], as: UTF8.self)
    }

    @Test func aRestoreThatHasChangedNothingIsRecordedAsRefused() throws {
        try BackupFixture.withBackup { site, folder in
            let other = BackupFixture(folder, "other")
            try other.takeKey(of: site)
            try folder.write("a file", to: "other/reports")
            #expect(throws: PublishingError.self) { try other.restore() }
            let last = try lastEntry(of: other, folder)
            #expect(last.contains("\"event\":\"restore\"") && last.contains("\"outcome\":\"refused\""), "\(last)")
        }
    }

    /// A person decides whether the clock is right; a site that is lost can be restored before.
    @Test(arguments: [-86_400, 0, 401 * 86_400])
    func aTimeThatTheNextRunWillNotBelieveIsTold(later: Int) throws {
        try BackupFixture.withBackup { site, folder in
            let other = BackupFixture(folder, "other"), now = BackupFixture.publishedAt + later
            try other.takeKey(of: site)
            let lines = try other.restore(at: now)
            #expect(try other.current().allSatisfy { $0 != nil })
            let line = lines.first { $0.hasPrefix("clock: the next run will end with 78: ") }
            #expect((line != nil) == (later != 0), "\(lines)")
            #expect(line?.hasSuffix("run tripkpi publish --clock-is-right") ?? true)
            if later == 0 {
                try other.publish(at: now)
            } else {
                #expect(throws: (any Error).self) { try other.publish(at: now) }
            }
        }
    }

    @Test func checkChangesNothing() throws {
        try BackupFixture.withBackup { site, folder in
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
        try BackupFixture.withBackup { site, folder in
            #expect(throws: Killed.self) { try site.restore(replaces: true, checkpoint: { throw Killed() }) }
            #expect(try !site.namesBesideStore().contains { $0.hasPrefix(".") })
            try folder.write("", to: "site/store/.tripkpi-restore-0123456789abcdef/lock")
            try folder.write("rows", to: "site/store/.tripkpi-restore-0123456789abcdef/store.sqlite")
            try site.restore(replaces: true)
            #expect(try !site.namesBesideStore().contains { $0.hasPrefix(".") })
            // Whoever writes to the store removes it too.
            for kind in ["restore", "releases"] {
                try folder.write("", to: "site/store/.tripkpi-\(kind)-0123456789abcdef/lock")
            }
            try site.load(2..<3)
            #expect(try !site.namesBesideStore().contains { $0.hasPrefix(".") })
        }
    }
}
