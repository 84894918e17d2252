import Basics
import Files
import Foundation
import Keys
import Operations
import Publishing
import Reporting
import Settings
import Store
import Synchronization
import TestSupport
import Testing
import Trips
import UseCases

@Suite struct BackupTests {
    private func withSite(_ body: (BackupFixture, BackupFixture, TemporaryFolder) throws -> Void) throws {
        try TemporaryFolder.with(inMemory: true) { folder in
            let site = BackupFixture(folder)
            try site.load(0..<2)
            try site.publish()
            try body(site, BackupFixture(folder, "other"), folder)
        }
    }

    /// The sets of before a removal, which may have rows of its trips, are not saved with the store of after it.
    @Test func setsAndStoreAreFromOneSideOfARemoval() throws {
        try withSite { site, other, folder in
            let before = try site.current(), checkpoints = Mutex(0)
            // The first checkpoint is between the sets and the store.
            try site.backUp {
                let number = checkpoints.withLock { count in
                    count += 1
                    return count
                }
                if number == 1 { try site.remove("T0-1", at: BackupFixture.publishedAt + 60) }
            }
            try other.takeKey(of: site)
            try other.restore()
            #expect(try other.digest() == site.digest())
            #expect(try other.current()[1] == site.current()[1] && other.current()[1] != before[1])
        }
    }

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test func whatIsRestoredElsewhereIsTheSameSite() throws {
        try withSite { site, other, folder in
            let secret = try site.secret()
            let file = try site.backUp(sealedWith: secret)
            #expect(try mode(file) == 0o600)
            #expect(try other.restore(sealedWith: secret).contains { $0.hasPrefix("key: written to") })
            #expect(try other.digest() == site.digest())
            #expect(try other.current() == site.current() && other.current().allSatisfy { $0 != nil })
            for (audience, id) in zip(["release", "staff"], try site.current()) {
                for name in try FileManager.default.contentsOfDirectory(
                    atPath: site.path("reports/\(audience)/runs/\(id ?? "")"))
                {
                    let path = "reports/\(audience)/current/\(name)"
                    #expect(try folder.read("site/\(path)") == folder.read("other/\(path)"), "\(path)")
                }
            }
            #expect(try PseudonymKeyFile.load(other.key).fingerprint == PseudonymKeyFile.load(site.key).fingerprint)
            #expect(try mode(other.key) == 0o600 && mode(other.store) == 0o600 && mode(other.log) == 0o600)
            #expect(try AuditLog(path: other.log).check().findings == [])
            let log = String(decoding: try folder.read("other/audit/log.jsonl"), as: UTF8.self)
            #expect(log.contains("\"event\":\"load\"") && log.contains("\"event\":\"restore\""))
            #expect(!log.contains("\"event\":\"backup\""))
            #expect(
                try folder.read("site/audit/log.jsonl").split(separator: 10).last.map {
                    String(decoding: $0, as: UTF8.self).contains("\"event\":\"backup\"")
                } == true)
            // What the next nights do is the same at both places.
            for place in [site, other] {
                try place.load(2..<3)
                try place.publish(at: BackupFixture.publishedAt + 1)
            }
            #expect(try other.digest() == site.digest() && other.current() == site.current())
        }
    }

    @Test func nothingIsLeftBesideTheFile() throws {
        try withSite { site, other, folder in
            try site.backUp()
            try other.takeKey(of: site)
            try other.restore()
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == [
                    "backup.tar", "other", "site",
                ])
            #expect(
                try other.namesBesideStore() == [
                    "tripkpi.sqlite", "tripkpi.sqlite.key", "tripkpi.sqlite.lock",
                ])
        }
    }

    @Test func aFileIsNeverReplaced() throws {
        try withSite { site, _, folder in
            try folder.write("mine", to: "backup.tar")
            #expect(throws: BackupError.exists(path: folder.path(of: "backup.tar"))) { try site.backUp() }
            try FileManager.default.createSymbolicLink(
                atPath: folder.path(of: "link.tar"), withDestinationPath: "nowhere")
            #expect(throws: BackupError.exists(path: folder.path(of: "link.tar"))) { try site.backUp(to: "link.tar") }
            #expect(try folder.read("backup.tar") == Array("mine".utf8))
        }
    }

    @Test func aDamagedStoreIsNotBackedUp() throws {
        try withSite { site, _, folder in
            let bytes = try folder.read("site/store/tripkpi.sqlite")
            for part in 1..<8 {
                var damaged = bytes
                let at = bytes.count * part / 8
                for index in at..<at + 64 { damaged[index] ^= 0xFF }
                try folder.write(damaged, to: "site/store/tripkpi.sqlite")
                do {
                    // A page that is not in use has no content to be damaged.
                    try site.backUp(to: "\(part).tar")
                    try folder.write(bytes, to: "site/store/tripkpi.sqlite")
                } catch StoreError.damaged(let path, _) {
                    #expect(path == site.store)
                    #expect(!FileManager.default.fileExists(atPath: folder.path(of: "\(part).tar")))
                }
            }
            try folder.write(bytes.prefix(bytes.count / 2), to: "site/store/tripkpi.sqlite")
            #expect(throws: StoreError.self) { try site.backUp(to: "half.tar") }
        }
    }

    @Test func aDamagedSetIsNotBackedUp() throws {
        try withSite { site, _, folder in
            let id = try #require(try site.current().last ?? nil)
            try folder.write("{}", to: "site/reports/staff/runs/\(id)/kpi-summary.json")
            #expect(throws: BackupError.changed("published/staff/\(id)/kpi-summary.json")) { try site.backUp() }
            #expect(!FileManager.default.fileExists(atPath: folder.path(of: "backup.tar")))
        }
    }

    @Test func aStoreFromTheMiddleOfARunIsCompletedByTheNext() throws {
        try withSite { site, other, folder in
            let key = try PseudonymKeyFile.load(site.key)
            let identity = TripStore.Identity(keyFingerprint: key.fingerprint, rulesName: "", rulesVersion: "")
            let run = try TripStore(path: site.store, identity: identity, isDurable: false)
            var session = try run.session(shape: run.shape())
            let export = try #require(try run.exports().last)
            try run.withdraw(export.sha256, at: 0, session: &session)
            try site.backUp()
            try other.takeKey(of: site)
            let lines = try other.restore()
            #expect(lines.first?.contains("the next run tallies 2024-01") == true, "\(lines)")
            #expect(try TripStore(reading: other.store).staleMonths().map(\.description) == ["2024-01"])
            try other.publish(at: BackupFixture.publishedAt + 1)
            #expect(try TripStore(reading: other.store).staleMonths().isEmpty)
            try run.close()
        }
    }

    /// The key file gets its new layer before the store is converted: a backup in between has both.
    @Test func aKeyThatWasRotatedAfterwardsOpensTheStore() throws {
        try withSite { site, other, _ in
            _ = try PseudonymKeyFile.rotate(site.key)
            let secret = try site.secret()
            try site.backUp(sealedWith: secret)
            try other.restore(sealedWith: secret)
            try other.publish(at: BackupFixture.publishedAt + 1)
            #expect(try TripStore(reading: other.store).keyFingerprint() == PseudonymKeyFile.load(site.key).fingerprint)
        }
    }

    @Test func theKeyIsInNoBackupThatIsNotSealed() throws {
        try withSite { site, other, folder in
            let key = Data(try folder.read("site/store/tripkpi.sqlite.key"))
            for (file, secret) in [("plain.tar", nil), ("sealed.tar", try site.secret())] {
                let path = try site.backUp(to: file, sealedWith: secret)
                #expect(try Data(contentsOf: URL(fileURLWithPath: path)).range(of: key) == nil, "\(file)")
            }
            let fingerprint = try PseudonymKeyFile.load(site.key).fingerprint
            #expect(throws: BackupError.keyMissing(path: other.key, isSealed: false, fingerprint: fingerprint)) {
                try other.restore("plain.tar")
            }
            #expect(throws: BackupError.keyMissing(path: other.key, isSealed: true, fingerprint: fingerprint)) {
                try other.restore("sealed.tar")
            }
            #expect(throws: BackupError.notSealed(path: folder.path(of: "plain.tar"))) {
                try other.restore("plain.tar", sealedWith: folder.path(of: "secret"))
            }
            let wrong = try site.secret("wrong", byte: 8)
            #expect(throws: BackupError.wrongSecret(path: wrong)) { try other.restore("sealed.tar", sealedWith: wrong) }
            #expect(!FileManager.default.fileExists(atPath: other.store))
        }
    }

    @Test func aSecretIsPrivateLongEnoughAndNotTheKey() throws {
        try withSite { site, _, folder in
            let short = try site.secret("short", count: 31)
            let open = try site.secret("open")
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: open)
            for secret in [short, open, folder.path(of: "none")] {
                #expect(throws: KeySealError.self) { try site.backUp(sealedWith: secret) }
            }
            #expect(throws: BackupError.secretIsKey(path: site.key)) { try site.backUp(sealedWith: site.key) }
            #expect(!FileManager.default.fileExists(atPath: folder.path(of: "backup.tar")))
        }
    }

    /// Without its log such a backup could be restored, and no run would accept it.
    @Test func aSiteThatHasLostItsLogIsNotBackedUp() throws {
        try withSite { site, _, folder in
            let log = try folder.read("site/audit/log.jsonl")
            for left in [nil, log.prefix { $0 != 10 } + [10]] {
                if left == nil { try FileManager.default.removeItem(atPath: site.path("audit")) }
                if let left {
                    try folder.write(left, to: "site/audit/log.jsonl")
                    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: site.log)
                }
                let error = #expect(throws: AuditError.self) { try site.backUp() }
                #expect(error?.description.contains("which the store remembers, is not in it") == true)
                #expect(error?.description.contains("tripkpi audit begin --reason") == true)
                #expect(!FileManager.default.fileExists(atPath: folder.path(of: "backup.tar")))
                #expect(FileManager.default.fileExists(atPath: site.log) == (left != nil))
            }
        }
    }

    @Test func aBackupThatFailsAtItsEndIsRecordedAsRefused() throws {
        try withSite { site, _, folder in
            let settings = try Settings(
                flags: SettingLayer(), config: nil, environment: [:], workingFolder: folder.path, processors: 1)
            let file = folder.path(of: "backup.tar")
            #expect(throws: FileError.self) {
                // Somebody makes a file of this name meanwhile.
                try Backup(site.site, settings: BackupSettings(settings)).write(
                    to: file, site.environment(checkpoint: { try folder.write("mine", to: "backup.tar") }))
            }
            #expect(try folder.read("backup.tar") == Array("mine".utf8))
            let lines = try folder.read("site/audit/log.jsonl").split(separator: 10)
            let last = String(decoding: lines.last ?? [], as: UTF8.self)
            #expect(last.contains("\"event\":\"backup\"") && last.contains("\"outcome\":\"refused\""))
        }
    }
}
