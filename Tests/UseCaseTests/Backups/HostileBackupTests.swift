import Basics
import Files
import Foundation
import Operations
import Publishing
import Reporting
import Store
import TestSupport
import Testing
import UseCases

/// A file that is not what `backup` wrote is refused, and nothing is changed.
@Suite struct HostileBackupTests {
    /// Name, content and the manifest's entry of each file of a backup, to be written again.
    private struct Content {
        var manifest: BackupManifest
        var files: [(name: String, bytes: [UInt8])] = []

        /// Takes a backup apart.
        init(_ tar: [UInt8]) throws {
            var offset = 0
            var all: [(String, [UInt8])] = []
            while let header = TarHeader(Array(tar[offset..<offset + 512])) {
                offset += 512
                all.append((header.name, Array(tar[offset..<offset + header.size])))
                offset += header.size + TarHeader.padding(after: header.size)
            }
            manifest = try BackupManifest(all[0].1, path: "")
            files = Array(all.dropFirst())
        }

        /// Names and hashes of the manifest become those of the files.
        mutating func list() {
            manifest.files = files.map { .init(name: $0.name, bytes: $0.bytes.count, sha256: ContentHash.of($0.bytes)) }
        }

        /// - Parameter headers: changes the header of a file.
        func tar(manifest bytes: [UInt8]? = nil, headers: (String, [UInt8]) -> [UInt8] = { $1 }) throws -> [UInt8] {
            let time = UTCTime(manifest.createdAt)?.secondsSince1970 ?? 0
            var tar: [UInt8] = []
            for (name, bytes) in [("manifest.json", bytes ?? manifest.bytes)] + files {
                let header = try #require(TarHeader(name: name, size: bytes.count, modified: time))
                tar += headers(name, header.block) + bytes
                tar += [UInt8](repeating: 0, count: TarHeader.padding(after: bytes.count))
            }
            return tar + [UInt8](repeating: 0, count: 1024)
        }
    }

    private func withBackup(_ body: ([UInt8], BackupFixture, TemporaryFolder) throws -> Void) throws {
        try TemporaryFolder.with(inMemory: true) { folder in
            let site = BackupFixture(folder)
            try site.load(0..<2)
            try site.publish()
            try site.backUp()
            let other = BackupFixture(folder, "other")
            try other.takeKey(of: site)
            try body(folder.read("backup.tar"), other, folder)
        }
    }

    /// Fails unless the restore of these bytes is refused, and leaves nothing.
    private func expectRefusal(
        _ tar: [UInt8], _ site: BackupFixture, _ folder: TemporaryFolder, _ what: String, of secret: String? = nil
    ) throws {
        try folder.write(tar, to: "hostile.tar")
        #expect(throws: BackupError.self, "\(what)") { try site.restore("hostile.tar", sealedWith: secret) }
        let left = try FileManager.default.subpathsOfDirectory(atPath: folder.path(of: site.name)).sorted()
        #expect(
            left == ["store", "store/tripkpi.sqlite.key", "store/tripkpi.sqlite.lock"]
                || left == ["store", "store/tripkpi.sqlite.key"], "\(what): \(left)")
    }

    /// Rewritten without a change it is restored, so what is refused below is refused for its change.
    @Test func theSameBytesAreRestored() throws {
        try withBackup { tar, site, folder in
            var content = try Content(tar)
            content.list()
            #expect(try content.tar() == tar)
            try site.restore()
        }
    }

    @Test func everyChangedByteIsFound() throws {
        try withBackup { tar, site, folder in
            var random = SplitMix64(seed: 5)
            let inHeaders = (0..<tar.count / 512).filter { TarHeader(Array(tar[$0 * 512..<$0 * 512 + 512])) != nil }
            let places =
                (0..<60).map { _ in Int.random(in: tar.indices, using: &random) }
                + inHeaders.map { $0 * 512 + Int.random(in: 0..<512, using: &random) }
                + [0, 100, 156, 157, 511, 512, tar.count - 1024, tar.count - 1]
            for place in places {
                var changed = tar
                changed[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                try expectRefusal(changed, site, folder, "byte \(place)")
            }
        }
    }

    @Test func aCutOrLongerFileIsFound() throws {
        try withBackup { tar, site, folder in
            for count in [0, 1, 511, 512, 700, tar.count / 2, tar.count - 1024, tar.count - 512, tar.count - 1] {
                try expectRefusal(Array(tar.prefix(count)), site, folder, "\(count) bytes")
            }
            for more in [[0], [1], [UInt8](repeating: 0, count: 512), tar] {
                try expectRefusal(tar + more, site, folder, "\(more.count) bytes more")
            }
        }
    }

    @Test(arguments: [
        "../escape", "/etc/escape", "published/release/../../../escape", "settings/../escape", "settings/.hidden",
        "settings//escape", "settings/", "settings", "store.sqlite/x", "other", "published/nobody/a/b",
        "published/release/a", "published/release/a/b/c", "published/release/-a/b", "published/release/.a/b",
        "settings/a\\b", "settings/a\nb",
    ])
    func otherNamesAreRefused(name: String) throws {
        try withBackup { tar, site, folder in
            var content = try Content(tar)
            content.files.append((name, Array("x".utf8)))
            content.list()
            try expectRefusal(content.tar(), site, folder, name)
            #expect(!FileManager.default.fileExists(atPath: folder.path(of: "escape")))
        }
    }

    @Test func linksFoldersAndDevicesAreRefused() throws {
        try withBackup { tar, site, folder in
            let content = try Content(tar)
            for type in "12345679xgLKSs\0" {
                let changed = try content.tar { name, block in
                    guard name == "audit.jsonl", let letter = type.utf8.first else { return block }
                    var block = block
                    block[156] = letter
                    // The checksum is right.
                    block.replaceSubrange(148..<156, with: Array("        ".utf8))
                    let sum = String(block.reduce(0) { $0 + Int($1) }, radix: 8)
                    let digits = String(repeating: "0", count: 6 - sum.utf8.count) + sum
                    block.replaceSubrange(148..<156, with: Array("\(digits)\0 ".utf8))
                    return block
                }
                try expectRefusal(changed, site, folder, "type \(type)")
            }
        }
    }

    @Test func filesThatTheManifestDoesNotNameAndTwiceTheSameAreRefused() throws {
        try withBackup { tar, site, folder in
            var content = try Content(tar)
            let first = content.files[0]
            content.files.append(("settings/more", [1]))
            try expectRefusal(content.tar(), site, folder, "unnamed at the end")
            content.files.insert(content.files.removeLast(), at: 0)
            try expectRefusal(content.tar(), site, folder, "unnamed at the beginning")
            content.files[0] = first
            try expectRefusal(content.tar(), site, folder, "twice")
            content.list()
            try expectRefusal(content.tar(), site, folder, "twice, and named twice")
            content.files.removeFirst(2)
            try expectRefusal(content.tar(), site, folder, "without the store")
            content.list()
            try expectRefusal(content.tar(), site, folder, "without the store in the manifest")
        }
    }

    @Test func manifestsOfAnotherFormAreRefused() throws {
        try withBackup { tar, site, folder in
            let content = try Content(tar), text = String(decoding: content.manifest.bytes, as: UTF8.self)
            for (old, new) in [
                ("\"formatVersion\": 1", "\"formatVersion\": 2"), ("\"tool\"", "\"more\": 1,\n  \"tool\""),
                ("{\n", "{\n\n"),
                ("tripkpi-backup", "other"), ("\"bytes\":", "\"bytes\":-"), ("\"sha256\":\"", "\"sha256\":\"A"),
                ("\"bytes\":", "\"bytes\":922337203685477"), ("\"createdAt\": \"2", "\"createdAt\": \"1"),
            ] {
                #expect(text.contains(old), "\(old)")
                let bytes = Array(text.replacing(old, with: new, maxReplacements: 1).utf8)
                try expectRefusal(content.tar(manifest: bytes), site, folder, new)
            }
            try expectRefusal(content.tar(manifest: Array("[]".utf8)), site, folder, "a list")
            try expectRefusal(content.tar(manifest: [0xFF]), site, folder, "no text")
            try expectRefusal(Array("not a tar\n".utf8), site, folder, "a text")
        }
    }

    /// Hashes are right, and a part is damaged or another one.
    @Test func partsAreVerifiedBeyondTheirHashes() throws {
        try withBackup { tar, site, folder in
            let content = try Content(tar)
            func changed(_ name: (String) -> Bool, _ change: (inout [UInt8]) -> Void) throws -> [UInt8] {
                var copy = content
                let index = try #require(copy.files.firstIndex { name($0.name) })
                change(&copy.files[index].bytes)
                copy.list()
                return try copy.tar()
            }
            try expectRefusal(changed({ $0 == "audit.jsonl" }) { $0[200] ^= 1 }, site, folder, "audit log")
            try expectRefusal(changed({ $0 == "audit.jsonl" }) { $0.removeLast(300) }, site, folder, "its end")
            try expectRefusal(changed({ $0 == "audit.jsonl.head" }) { $0[20] ^= 1 }, site, folder, "its head")
            // No run would accept the store without its log.
            var withoutLog = content
            withoutLog.files.removeAll { $0.name.hasPrefix("audit.") }
            withoutLog.list()
            try expectRefusal(withoutLog.tar(), site, folder, "no log, and a store that remembers one")
            try expectRefusal(changed({ $0.hasSuffix("kpi-cells.csv") }) { $0[20] ^= 1 }, site, folder, "a set")
            try expectRefusal(
                changed({ $0 == "store.sqlite" }) { $0 = Array("no store".utf8) }, site, folder, "no store")
            // The content of a cell in use.
            try expectRefusal(
                changed({ $0 == "store.sqlite" }) { bytes in
                    guard let at = Data(bytes).range(of: Data("key_fingerprint TEXT".utf8)) else { return }
                    bytes[at.lowerBound] ^= 1
                }, site, folder, "the store's schema")
            for part in 1..<8 {
                let bytes = try changed({ $0 == "store.sqlite" }) { bytes in
                    for index in bytes.count * part / 8..<min(bytes.count, bytes.count * part / 8 + 512) {
                        bytes[index] ^= 0x55
                    }
                }
                try folder.write(bytes, to: "hostile.tar")
                // A page that is not in use has no content to be damaged.
                do { try site.restore("hostile.tar") } catch is BackupError { continue }
                try TripStore(reading: site.store).checkIntegrity(rows: nil)
                try FileManager.default.removeItem(atPath: folder.path(of: "other"))
                try site.takeKey(of: BackupFixture(folder))
            }
        }
    }

    @Test func theStaffSetIsNotPublishedAsTheRelease() throws {
        try withBackup { tar, site, folder in
            var content = try Content(tar)
            content.files.removeAll { $0.name.hasPrefix("published/release/") }
            content.files += content.files.filter { $0.name.hasPrefix("published/staff/") }.map {
                ($0.name.replacing("published/staff/", with: "published/release/"), $0.bytes)
            }
            content.list()
            try expectRefusal(content.tar(), site, folder, "staff as release")
        }
    }

    /// The seal authenticates the whole file: whoever replaces a part and its hash cannot make the seal fit.
    @Test func aSealedBackupOfOtherPartsDoesNotOpen() throws {
        try withBackup { _, site, folder in
            let secret = try site.secret()
            try BackupFixture(folder).backUp(to: "sealed.tar", sealedWith: secret)
            var content = try Content(folder.read("sealed.tar"))
            content.files.append(("settings/more", [1]))
            content.list()
            try expectRefusal(content.tar(), site, folder, "a file more", of: secret)
        }
    }
}
