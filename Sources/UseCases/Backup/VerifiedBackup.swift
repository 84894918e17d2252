import Basics
import Files
import Foundation
import KPIContract
import Keys
import Operations
import Privacy
import Publishing
import Store

/// A backup of which every byte was checked, unpacked in a private folder.
struct VerifiedBackup {
    /// The set of one audience.
    struct RestorableSet {
        let audience: Audience
        let id: String
        /// The folder of its files.
        let folder: String
        /// RFC 3339; nil: runs publish over it.
        let heldSince: String?
    }

    let archive: BackupArchive
    /// Where the store is unpacked.
    let store: String
    let content: StoreContent
    /// Nil: the site had none yet.
    let log: AuditLogCopy?
    let sets: [RestorableSet]
    /// Nil: the backup has none, or no secret was named.
    let key: PseudonymKey?

    /// - Parameters:
    ///   - scratch: receives the store, the audit log and the sets.
    ///   - secret: the file that the key was sealed with.
    /// - Throws: `BackupError`, before anything else than the scratch folder is changed.
    init(
        _ archive: BackupArchive, in scratch: ScratchFolder, secret: String?, checkpoint: () throws -> Void
    ) throws {
        self.archive = archive
        store = scratch.path + "/" + BackupPlace.store.name
        var bytes: [BackupPlace: [UInt8]] = [:]
        for file in archive.manifest.files {
            try checkpoint()
            guard let place = BackupPlace(file.name) else {
                throw BackupError.inconsistent("a name in the manifest was not checked")
            }
            switch place {
            case .store: try archive.extract(file, to: store)
            case .auditLog, .auditHead, .sealedKey, .hold: bytes[place] = try Self.whole(file, of: archive)
            case .set(let audience, let id, let name):
                let folder = Self.setFolder(audience, id)
                try scratch.makeFolder(folder)
                try archive.extract(file, to: "\(scratch.path)/\(folder)/\(name)")
            case .settings: try archive.read(file)
            }
        }
        content = try Self.content(of: store, archive)
        log = try Self.log(bytes[.auditLog], head: bytes[.auditHead], archive)
        if let entry = content.auditEntry, log?.has(entry) != true {
            let finding = AuditFinding.forgotten(sequence: entry.sequence)
            throw BackupError.damaged(path: archive.path, detail: "its audit log: \(finding)")
        }
        sets = try Self.sets(archive, in: scratch.path, holds: bytes)
        key = try Self.key(bytes[.sealedKey], secret: secret, archive)
    }

    /// An audit log may be larger than other small files.
    private static func whole(_ file: BackupManifest.File, of archive: BackupArchive) throws -> [UInt8] {
        guard file.name == BackupPlace.auditLog.name else { return try archive.bytes(of: file) }
        var all: [UInt8] = []
        try archive.read(file) { all += $0 }
        return all
    }

    private static func setFolder(_ audience: Audience, _ id: String) -> String {
        "published/\(audience.rawValue)/runs/\(id)"
    }

    private static func content(of store: String, _ archive: BackupArchive) throws -> StoreContent {
        let content: StoreContent
        do {
            content = try StoreContent(verifying: store)
        } catch StoreError.damaged(_, let detail) {
            throw BackupError.damaged(path: archive.path, detail: "its store: \(detail)")
        } catch StoreError.notAStore, StoreError.missing {
            throw BackupError.damaged(path: archive.path, detail: "its store is none")
        } catch StoreError.tooNew {
            throw BackupError.tooNew(path: archive.path)
        }
        guard content.keyFingerprint == archive.manifest.keyFingerprint,
            content.schemaVersion == archive.manifest.schemaVersion
        else { throw BackupError.damaged(path: archive.path, detail: "its store is not the one of its manifest") }
        return content
    }

    private static func log(_ log: [UInt8]?, head: [UInt8]?, _ archive: BackupArchive) throws -> AuditLogCopy? {
        guard let log else {
            guard head == nil else { throw BackupError.damaged(path: archive.path, detail: "its audit log is missing") }
            return nil
        }
        let copy = AuditLogCopy(log: log, head: head)
        if let finding = copy.findings.first {
            throw BackupError.damaged(path: archive.path, detail: "its audit log: \(finding)")
        }
        return copy
    }

    private static func sets(
        _ archive: BackupArchive, in scratch: String, holds: [BackupPlace: [UInt8]]
    ) throws -> [RestorableSet] {
        var ids: [Audience: String] = [:]
        for file in archive.manifest.files {
            if case .set(let audience, let id, _) = BackupPlace(file.name) { ids[audience] = id }
        }
        return try Audience.allCases.compactMap { audience in
            guard let id = ids[audience] else { return nil }
            func failure(_ detail: String) -> BackupError {
                .damaged(path: archive.path, detail: "its set for \(audience.rawValue): \(detail)")
            }
            let folder = PublishedSets(root: "\(scratch)/published").folder(audience)
            if let finding = try folder.check(id).first { throw failure("\(finding)") }
            // The staff set must not be published as the release.
            guard let summary = try folder.summary(of: id), summary.audience == audience.rawValue else {
                throw failure("it is not for \(audience.rawValue)")
            }
            let hold = holds[.hold(audience)].map { String(decoding: $0, as: UTF8.self) }
            let since = hold?.split(separator: "\n").first.map(String.init)
            guard hold == nil || since.flatMap({ UTCTime($0) }) != nil else { throw failure("since when it is held") }
            return RestorableSet(
                audience: audience, id: id, folder: "\(scratch)/\(setFolder(audience, id))",
                heldSince: since)
        }
    }

    private static func key(_ sealed: [UInt8]?, secret: String?, _ archive: BackupArchive) throws -> PseudonymKey? {
        guard let secret else { return nil }
        let seal = try KeySeal(secretFile: secret)
        guard let sealed else { throw BackupError.notSealed(path: archive.path) }
        guard let key = seal.open(sealed, binding: archive.manifest.sealedBinding) else {
            throw BackupError.wrongSecret(path: secret)
        }
        guard key.asOf(archive.manifest.keyFingerprint) != nil else {
            throw BackupError.damaged(path: archive.path, detail: "its key is not the one of its store")
        }
        return key
    }

    /// What it holds, a line each.
    var lines: [String] {
        let manifest = archive.manifest
        let settings = manifest.files.count { file in
            if case .settings = BackupPlace(file.name) { true } else { false }
        }
        return ["made: \(manifest.createdAt) by \(manifest.tool)", "store: \(content.text)"]
            + sets.map { set in
                "\(set.audience.rawValue): \(set.id)" + (set.heldSince == nil ? "" : ", held")
            }
            + [
                "audit log: \(log?.text ?? "none")",
                "settings: \(NumberText.counted(settings, "file")), which a restore does not put back",
            ]
    }
}

extension AuditLogCopy {
    /// `1,234 entries`.
    var text: String { "\(NumberText.grouped(entries)) \(entries == 1 ? "entry" : "entries")" }
}
