import Basics
import Foundation
import KPIContract
import Privacy

/// The first entry of a backup: what it is, and every other entry in its order, with size and SHA-256.
package struct BackupManifest: Sendable, Codable, Hashable {
    package struct File: Sendable, Codable, Hashable {
        package var name: String
        package var bytes: Int
        /// 64 hexadecimal digits.
        package var sha256: String

        package init(name: String, bytes: Int, sha256: String) {
            self.name = name
            self.bytes = bytes
            self.sha256 = sha256
        }
    }

    static let format = "tripkpi-backup"
    /// Rises when a reader of an earlier version could not restore the file.
    static let version = 1
    static let mostBytes = 1 << 22
    private static let mostFiles = 10_000

    package var format = Self.format
    package var formatVersion = Self.version
    /// Such as `tripkpi 0.1.0`.
    package var tool: String
    /// RFC 3339, UTC.
    package var createdAt: String
    /// Of the key that the store's pseudonyms were made with.
    package var keyFingerprint: String
    /// Of the store's tables.
    package var schemaVersion: Int
    package var files: [File]

    /// The one form of it.
    package var bytes: [UInt8] {
        CanonicalJSON.object([
            .init("format", .text(format)), .init("formatVersion", .integer(formatVersion)),
            .init("tool", .text(tool)), .init("createdAt", .text(createdAt)),
            .init("keyFingerprint", .text(keyFingerprint)), .init("schemaVersion", .integer(schemaVersion)),
            .init(
                "files",
                .list(
                    files.map { file in
                        .object([
                            .init("name", .text(file.name)), .init("bytes", .integer(file.bytes)),
                            .init("sha256", .text(file.sha256)),
                        ])
                    })),
        ]).document
    }

    /// What the seal of the key authenticates: all of it but the sealed key. So a sealed backup of which any file was
    /// replaced does not open.
    var sealedBinding: [UInt8] {
        var rest = self
        rest.files.removeAll { $0.name == BackupPlace.sealedKey.name }
        return rest.bytes
    }

    /// In seconds since 1970.
    var createdAtEpochSeconds: Int? { UTCTime(createdAt)?.secondsSince1970 }

    func file(_ place: BackupPlace) -> File? { files.first { $0.name == place.name } }

    /// Reads a manifest strictly.
    ///
    /// - Parameter path: of the backup, for the message.
    package init(_ content: [UInt8], path: String) throws(BackupError) {
        struct Version: Decodable {
            var format: String
            var formatVersion: Int
        }
        func failure(_ detail: String) -> BackupError { .damaged(path: path, detail: detail) }
        guard let version = try? JSONDecoder().decode(Version.self, from: Data(content)),
            version.format == Self.format
        else { throw .notABackup(path: path) }
        guard version.formatVersion <= Self.version else { throw .tooNew(path: path) }
        guard let manifest = try? JSONDecoder().decode(BackupManifest.self, from: Data(content)),
            manifest.bytes == content, manifest.createdAtEpochSeconds != nil
        else { throw failure("its manifest is not in the form that tripkpi writes") }
        guard manifest.files.count <= Self.mostFiles else { throw failure("its manifest names too many files") }
        var names: Set<String> = [], ids: [String: String] = [:]
        for file in manifest.files {
            guard let place = BackupPlace(file.name), file.bytes >= 0, file.sha256.utf8.count == 64,
                file.sha256.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
            else { throw failure("its manifest names a file that no backup has") }
            guard names.insert(file.name).inserted else { throw failure("its manifest names a file twice") }
            if case .set(let audience, let id, _) = place, ids.updateValue(id, forKey: audience.rawValue) ?? id != id {
                throw failure("its manifest names two sets of one audience")
            }
        }
        guard manifest.file(.store) != nil else { throw failure("its manifest names no store") }
        self = manifest
    }

    init(tool: String, createdAt: String, keyFingerprint: String, schemaVersion: Int, files: [File]) {
        self.tool = tool
        self.createdAt = createdAt
        self.keyFingerprint = keyFingerprint
        self.schemaVersion = schemaVersion
        self.files = files
    }
}
