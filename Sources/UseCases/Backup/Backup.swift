import Basics
import Files
import Foundation
import KPIContract
import Keys
import Operations
import Privacy
import Publishing
import Reporting
import Store
import Trips

/// `backup`: store, published sets, audit log and settings of a site as one file, while runs go on.
///
/// Each part is a state that was committed, and the parts are copied in the order in which a run depends on them:
///
/// 1. the published sets. `current` is resolved once. A set never changes, and its files stay open until they are copied;
/// 2. the store, from one read transaction;
/// 3. the audit log with its head, under the log's lock;
/// 4. the key, if it is asked for.
///
/// So the store is never older than the sets that were published from it, and the log never older than the store: a run writes
/// to the log before it commits, and commits before it publishes. A store from the middle of a run is what a kill would have
/// left: the next run completes it. The key may have been rotated after the store was copied. A rotated key has its earlier
/// layers, so it opens the copy too, and the next run converts it.
package struct Backup: Sendable {
    package struct Outcome: Sendable {
        /// What the file holds, a line each.
        package let lines: [String]
    }

    private let site: StoreSite
    private let settings: BackupSettings
    /// The file of the secret that seals the key; nil: the key is left out.
    private let secret: String?

    package init(_ site: StoreSite, settings: BackupSettings, sealedWith secret: String? = nil) {
        self.site = site
        self.settings = settings
        self.secret = secret
    }

    /// A part of the file, and where its bytes are.
    private struct BackupPart {
        enum Source {
            case bytes([UInt8])
            case file(OpenFile)
        }

        let entry: BackupManifest.File
        let source: Source

        init(_ place: BackupPlace, _ bytes: [UInt8]) {
            let digest = FileDigest(of: bytes)
            entry = BackupManifest.File(name: place.name, bytes: digest.bytes, sha256: digest.sha256)
            source = .bytes(bytes)
        }

        /// The manifest itself, which is in no list.
        init(_ manifest: BackupManifest) {
            let bytes = manifest.bytes, digest = FileDigest(of: bytes)
            entry = BackupManifest.File(
                name: BackupPlace.manifestName, bytes: digest.bytes, sha256: digest.sha256)
            source = .bytes(bytes)
        }

        init(_ place: BackupPlace, _ file: OpenFile, bytes: Int, sha256: String) {
            entry = BackupManifest.File(name: place.name, bytes: bytes, sha256: sha256)
            source = .file(file)
        }
    }

    /// Writes the file. Until it is complete and on the disk, nothing has its name.
    package func write(to path: String, _ environment: RunEnvironment) throws -> Outcome {
        guard try FileStatus.lookUp(path, followsLinks: false) == nil else { throw BackupError.exists(path: path) }
        let seal = try secret.map { try KeySeal(secretFile: $0) }
        guard try !TripStore.isAbsent(site.store) else { throw StoreError.missing(path: site.store) }
        let audit = AuditRecorder(site, environment)
        if let entry = try TripStore(reading: site.store, acceptsOlder: true).auditEntry() { try audit?.require(entry) }
        try audit?.prepare()
        let scratch: ScratchFolder
        do throws(FileError) { scratch = try ScratchFolder(in: FilePath.folder(of: path), for: .backup) } catch {
            throw FileError(path, "be written", code: error.code)
        }
        return try scratch.reporting(as: path) { try write(to: path, in: scratch, seal, audit, environment) }
    }

    private func write(
        to path: String, in scratch: ScratchFolder, _ seal: KeySeal?, _ audit: AuditRecorder?,
        _ environment: RunEnvironment
    ) throws -> Outcome {
        try scratch.requireHardLinks(for: path, remedy: "write it to another disk, and copy it")
        let createdAt = UTCTime(environment.now())
        let (setParts, setLines, storePart, content) = try setsAndStore(in: scratch, environment)
        try environment.checkpoint()
        let (logParts, logLine) = try auditLog(with: content.auditEntry)
        let (settingsParts, settingsLine) = try settingsFiles()
        var parts = [storePart] + logParts + setParts + settingsParts
        var manifest = BackupManifest(
            tool: environment.tool,
            createdAt: createdAt.description,
            keyFingerprint: content.keyFingerprint, schemaVersion: content.schemaVersion, files: parts.map(\.entry))
        if let seal {
            parts.append(try sealedKey(seal, content, binding: manifest.sealedBinding))
            manifest.files = parts.map(\.entry)
        }

        let atomic = try AtomicFile(path, part: "\(scratch.path)/backup.tar"), draft = atomic.file
        // What a closure consumes is optional.
        var file = Optional(atomic)
        let writer = TarWriter(draft, modified: manifest.createdAtEpochSeconds ?? 0)
        let first = BackupPart(manifest)
        for part in [first] + parts {
            try environment.checkpoint()
            try writer.append(part.entry) { write throws(FileError) in
                switch part.source {
                case .bytes(let bytes): try write(bytes)
                case .file(let file): try file.forEachPiece(write)
                }
            }
        }
        try writer.finish()
        try audit.recording(
            .backup,
            { entry in
                entry.outputs = [
                    .init(name: FileLabel(fileName: path).description, bytes: writer.bytes, sha256: writer.sha256),
                    .init(name: first.entry.name, bytes: first.entry.bytes, sha256: first.entry.sha256),
                ]
                entry.counts = [("trips", content.trips), ("sealedKeys", seal == nil ? 0 : 1)]
                entry.isInternal = true
            }, isUndone: { try FileStatus.lookUp(path, followsLinks: false)?.identity != draft.status().identity }
        ) { try file.take()?.publish(.new) }
        return Outcome(
            lines: ["store: \(content.text)"] + setLines + [logLine, settingsLine]
                + [
                    seal == nil
                        ? "key: left out. Nothing can be loaded without it: keep a copy of \(site.key) elsewhere "
                            + "(\(content.keyFingerprint))"
                        : "key: sealed (\(content.keyFingerprint)); it opens with \(secret ?? ""), which is not in the backup"
                ] + (site.crosswalk == nil ? [] : ["crosswalk: never in a backup, for it holds identifiers"]))
    }

    /// Sets and store from one side of each removal: the sets of a store from which trips were removed meanwhile may have them as
    /// rows.
    private func setsAndStore(
        in scratch: ScratchFolder, _ environment: RunEnvironment
    ) throws -> (sets: [BackupPart], lines: [String], store: BackupPart, StoreContent) {
        var before = try removals(), number = 0
        while true {
            let (setParts, setLines) = try sets()
            try environment.checkpoint()
            let copy = "\(scratch.path)/store\(number).sqlite"
            let (storePart, content) = try copyStore(to: copy)
            // Each further turn is one removal.
            if content.removals == before { return (setParts, setLines, storePart, content) }
            (before, number) = (content.removals, number + 1)
            try FileManager.default.removeItem(atPath: copy)
        }
    }

    private func removals() throws -> String? {
        let store = try TripStore(reading: site.store, acceptsOlder: true)
        return try store.isOlder() ? nil : store.removals()
    }

    private func sets() throws -> (parts: [BackupPart], lines: [String]) {
        var parts: [BackupPart] = [], lines: [String] = []
        for audience in Audience.allCases {
            let folder = PublishedSets(root: site.reports).folder(audience)
            guard let set = try folder.openCurrent() else { continue }
            parts += set.files.map { file in
                BackupPart(
                    .set(audience, id: set.id, file: file.name), file.file, bytes: file.bytes, sha256: file.sha256)
            }
            if let since = set.heldSince { parts.append(BackupPart(.hold(audience), Array("\(since)\n".utf8))) }
            lines.append("\(audience.rawValue): \(set.id)" + (set.heldSince.map { ", held since \($0)" } ?? ""))
        }
        return (parts, lines.isEmpty ? ["published sets: none"] : lines)
    }

    private func copyStore(to copy: String) throws -> (BackupPart, StoreContent) {
        try TripStore(reading: site.store, acceptsOlder: true).copy(to: copy)
        let content: StoreContent
        do {
            content = try StoreContent(verifying: copy)
        } catch StoreError.damaged(_, let detail) {
            throw StoreError.damaged(path: site.store, detail: detail)
        }
        let digest = try FileDigest(of: copy)
        return (
            BackupPart(.store, try OpenFile(copy, for: .read), bytes: digest.bytes, sha256: digest.sha256), content
        )
    }

    /// - Parameter entry: that the copy of the store remembers.
    private func auditLog(with entry: AuditHead?) throws -> (parts: [BackupPart], line: String) {
        guard let path = site.auditLog else { return ([], "audit log: none yet") }
        let copy = try AuditLogCopy(of: path)
        if let finding = copy?.findings.first { throw AuditError.broken(path: path, finding: finding) }
        if let entry, copy?.has(entry) != true {
            throw AuditError.broken(path: path, finding: .forgotten(sequence: entry.sequence))
        }
        guard let copy else { return ([], "audit log: none yet") }
        let parts = [BackupPart(.auditLog, copy.log)] + (copy.head.map { [BackupPart(.auditHead, $0)] } ?? [])
        return (parts, "audit log: \(copy.text)")
    }

    private func settingsFiles() throws -> (parts: [BackupPart], line: String) {
        let (files, leftOut) = try settings.contents()
        let more =
            leftOut == 0
            ? ""
            : "; \(NumberText.counted(leftOut, "file")) left out: missing, unfit by kind, size or name, or "
                + "named by a file that cannot be read"
        return (
            files.map { BackupPart(.settings($0.name), $0.bytes) },
            "settings: \(NumberText.counted(files.count, "file")), for the record\(more)"
        )
    }

    private func sealedKey(_ seal: KeySeal, _ content: StoreContent, binding: [UInt8]) throws -> BackupPart {
        let key = try site.loadKey()
        guard key.asOf(content.keyFingerprint) != nil else { throw StoreError.otherKey(path: site.store) }
        guard !seal.isSecret(key) else { throw BackupError.secretIsKey(path: secret ?? "") }
        return BackupPart(.sealedKey, try seal.seal(key, binding: binding))
    }
}
