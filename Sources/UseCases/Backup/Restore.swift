import Basics
import Files
import Foundation
import Keys
import Operations
package import Privacy
import Publishing
import Reporting
import Store

/// `restore`: a site from a backup. Nothing is replaced before every byte of the backup was checked.
///
/// The order makes each state between two steps a whole one, and the command may be repeated after a kill:
///
/// 1. the audit log, if there is none, and the entry that the backup is restored;
/// 2. the published sets, which readers do not see yet;
/// 3. the key, if there is none: without its store it is harmless;
/// 4. the holds: a run between a kill and the repeated command must not publish over a set that was held;
/// 5. the store, in one rename: before it the old state holds, after it the new one;
/// 6. the links by which readers find the sets.
///
/// After a kill behind step 5 the store is the one of the backup, so the repeated command finds it in its place.
package struct Restore: Sendable {
    private let site: StoreSite
    private let path: String
    private let secret: String?
    private let audiences: [Audience]

    /// - Parameters:
    ///   - path: of the backup.
    ///   - secret: the file of the secret that its key was sealed with.
    ///   - audiences: for whom runs publish sets.
    package init(
        _ site: StoreSite, from path: String, sealedWith secret: String? = nil,
        audiences: [Audience] = Audience.allCases
    ) {
        self.site = site
        self.path = path
        self.secret = secret
        self.audiences = audiences
    }

    /// Checks the backup, and changes nothing.
    ///
    /// - Returns: what it holds, a line each.
    package func check(_ environment: RunEnvironment) throws -> [String] {
        let archive = try BackupArchive(path)
        let folder = FilePath.folder(of: site.store)
        // The store's folder has room for a store; on another machine there may be none yet.
        let place = try FileStatus.lookUp(folder)?.kind == .folder ? folder : environment.temporaryFolder
        let scratch = try ScratchFolder(in: place, for: .restore)
        return try scratch.reporting(as: place) {
            let backup = try VerifiedBackup(archive, in: scratch, secret: secret, checkpoint: environment.checkpoint)
            return backup.lines + [try keyLine(backup)]
        }
    }

    private func keyLine(_ backup: VerifiedBackup) throws -> String {
        let manifest = backup.archive.manifest, fingerprint = manifest.keyFingerprint
        if backup.key != nil { return "key: sealed, and opens with this secret (\(fingerprint))" }
        let text = manifest.file(.sealedKey) == nil ? "left out" : "sealed; --seal-with checks it"
        return try FileStatus.lookUp(site.key) == nil
            ? "key: \(text). It needs \(fingerprint), and there is none at \(site.key)"
            : "key: \(text). "
                + (try presentKey(fits: backup)
                    ? "\(site.key) is the key of the store (\(fingerprint))"
                    : "\(site.key) is another key than the one of the store (\(fingerprint))")
    }

    private func presentKey(fits backup: VerifiedBackup) throws -> Bool {
        let fingerprint = backup.archive.manifest.keyFingerprint
        return try PseudonymKeyFile.load(
            site.key, credentials: site.credentials, storeFingerprint: { fingerprint }
        ).asOf(fingerprint) != nil
    }

    /// What is to be done, decided before anything is changed.
    private struct Plan {
        let log: LogRestoration?
        /// Nil: the present one is kept.
        let key: PseudonymKey?
        let sets: [VerifiedBackup.RestorableSet]
        /// Whether the store is in its place already.
        let hasStore: Bool
    }

    /// - Parameter replaces: whether a present store is moved aside, and present sets make place for those of the backup.
    /// - Returns: what was done, a line each.
    package func run(replaces: Bool, _ environment: RunEnvironment) throws -> [String] {
        let archive = try BackupArchive(path)
        if secret != nil, archive.manifest.file(.sealedKey) == nil { throw BackupError.notSealed(path: path) }
        let folder = FilePath.folder(of: site.store), owner = try owner()
        let isNewFolder = try FileStatus.lookUp(folder) == nil
        try site.makeStoreFolder()
        if isNewFolder { try OpenFile(folder, for: .folder).setOwner(like: owner) }
        try PlaceSafety.check(store: site.store, reports: site.reports, auditLog: site.auditLog)
        let lock = try RunLock(path: site.store + ".lock", owner: environment.owner)
        defer { lock.release() }
        try ReplacedStore.removeSecondNames(of: site.store)
        try OpenFile(lock.path, for: .update).setOwner(like: owner)
        let scratch = try ScratchFolder(in: folder, for: .restore)
        return try scratch.reporting(as: site.store) {
            if replaces, try !TripStore.isAbsent(site.store) {
                try scratch.requireHardLinks(for: site.store, remedy: StoreReplacement.withoutHardLinks)
            }
            let backup = try VerifiedBackup(archive, in: scratch, secret: secret, checkpoint: environment.checkpoint)
            let time = UTCTime(environment.now())
            let plan = try plan(backup, in: scratch, replaces: replaces, time: time)
            try environment.checkpoint()
            return try carryOut(plan, backup, owner: owner, time: time, environment)
        }
    }

    /// Whose files the store's are: where there is none yet, those of the owner of the folder above.
    private func owner() throws -> FileStatus {
        var path = site.store
        while true {
            if let status = try FileStatus.lookUp(path, followsLinks: path != site.store) { return status }
            path = FilePath.folder(of: path)
        }
    }

    private func plan(
        _ backup: VerifiedBackup, in scratch: ScratchFolder, replaces: Bool, time: UTCTime
    ) throws -> Plan {
        let path = site.auditLog
        let log = Result { try path.map { try LogRestoration(of: $0, from: backup, replaces: replaces, time: time) } }
        let lacksEntry = if case .success(let log?) = log { log.lacksEntry } else { false }
        let hasStore = try isInPlace(backup, remembersOther: lacksEntry, in: scratch)
        if !hasStore, !replaces, try !TripStore.isAbsent(site.store) {
            throw BackupError.storeIsThere(path: site.store)
        }
        let sets = try backup.sets.filter { set in
            try replaces || !PublishedSets(root: site.reports).folder(set.audience).hasCurrent()
        }
        return Plan(log: try log.get(), key: try missingKey(backup), sets: sets, hasStore: hasStore)
    }

    /// Whether the store is the very one of the backup, as after a restore that was killed.
    ///
    /// - Parameter remembersOther: whether it is so but for the entry of the audit log that it remembers.
    private func isInPlace(
        _ backup: VerifiedBackup, remembersOther: Bool, in scratch: ScratchFolder
    ) throws -> Bool {
        guard let entry = backup.archive.manifest.file(.store),
            let status = try FileStatus.lookUp(site.store, followsLinks: false), status.kind == .file,
            status.size == entry.bytes
        else { return false }
        for ending in TripStore.companionEndings {
            if let status = try FileStatus.lookUp(site.store + ending), status.size > 0 { return false }
        }
        guard remembersOther else { return try FileDigest(of: site.store).sha256 == entry.sha256 }
        guard let text = try presentAuditEntry(), let known = AuditHead(text: text), let path = site.auditLog,
            try AuditLog(path: path).has(known)
        else { return false }
        // The same change makes the same bytes.
        let changed = scratch.path + "/changed.sqlite"
        try backup.archive.extract(entry, to: changed)
        try StoreContent.ofDraft(changed) { try TripStore.remember(auditEntry: text, in: changed) }
        return try FileDigest(of: site.store) == FileDigest(of: changed)
    }

    /// Nil too where what is there is no store, or a damaged one.
    private func presentAuditEntry() throws -> String? {
        do { return try TripStore(reading: site.store, acceptsOlder: true).auditEntry() } catch let error as StoreError
        {
            switch error {
            case .damaged, .notAStore, .tooNew, .missing: return nil
            default: throw error
            }
        }
    }

    /// The key to be written; nil if the present one fits.
    private func missingKey(_ backup: VerifiedBackup) throws -> PseudonymKey? {
        let manifest = backup.archive.manifest
        guard try FileStatus.lookUp(site.key) != nil else {
            guard let key = backup.key else {
                throw BackupError.keyMissing(
                    path: site.key, isSealed: manifest.file(.sealedKey) != nil, fingerprint: manifest.keyFingerprint)
            }
            // Before anything is changed: the folder of a key is never made by itself.
            _ = try OpenFile(FilePath.folder(of: site.key), for: .folder)
            return key
        }
        guard try presentKey(fits: backup) else {
            throw BackupError.otherKey(path: site.key, fingerprint: manifest.keyFingerprint)
        }
        return nil
    }

    private func carryOut(
        _ plan: Plan, _ backup: VerifiedBackup, owner: FileStatus, time: UTCTime, _ environment: RunEnvironment
    ) throws -> [String] {
        let audit = AuditRecorder(site, environment)
        try audit?.makeFolder()
        if let log = plan.log, let path = site.auditLog { try log.carryOut(at: path, owner: owner) }
        try audit?.prepare()
        PseudonymKeyFile.removeParts(of: site.key)
        let before = try RestoredState(of: site)
        let replaced = try audit.recording(
            .restore, { fill(&$0, backup) }, isUndone: { try RestoredState(of: site) == before }
        ) {
            try replace(plan, backup, audit, owner: owner, time: time)
        }
        return try RestoreReport(
            site: site, backup: backup, log: plan.log, replaced: replaced, hasWrittenKey: plan.key != nil,
            audiences: audiences, now: environment.generatedAt
        ).lines
    }

    private func fill(_ entry: inout AuditEntry, _ backup: VerifiedBackup) {
        let (bytes, sha256) = backup.archive.manifestDigest
        entry.outputs = [.init(name: BackupPlace.manifestName, bytes: bytes, sha256: sha256)]
        entry.counts = [("trips", backup.content.trips)]
        entry.isInternal = true
    }

    /// - Returns: where the store that was there is now.
    private func replace(
        _ plan: Plan, _ backup: VerifiedBackup, _ audit: AuditRecorder?, owner: FileStatus, time: UTCTime
    ) throws -> String? {
        let published = PublishedSets(root: site.reports)
        let storeBefore = try storeIdentity()
        var added: [VerifiedBackup.RestorableSet] = []
        do {
            for set in plan.sets
            where try published.folder(set.audience).putBack(set.id, from: set.folder, owner: owner) {
                added.append(set)
            }
            return try replace(plan, backup, audit, published, owner: owner, time: time)
        } catch {
            // Beside the store that stays, a set of the backup may have rows of trips that were removed since.
            // Where it is not known which store is there, the next publication removes the sets that must go.
            let storeNow = Result { try storeIdentity() }
            if case .success(storeBefore) = storeNow {
                for set in added { try? published.folder(set.audience).takeBack(set.id) }
            }
            throw error
        }
    }

    private func storeIdentity() throws -> String? { try FileStatus.lookUp(site.store, followsLinks: false)?.identity }

    private func replace(
        _ plan: Plan, _ backup: VerifiedBackup, _ audit: AuditRecorder?, _ published: PublishedSets, owner: FileStatus,
        time: UTCTime
    ) throws -> String? {
        if let key = plan.key {
            // A key of root stays one of root: systemd gives it to the user.
            let folder = try OpenFile(FilePath.folder(of: site.key), for: .folder).status()
            try PseudonymKeyFile.putBack(key, at: site.key, owner: folder)
        }
        for set in plan.sets { try hold(set, in: published.folder(set.audience)) }
        var replaced: String?
        if !plan.hasStore {
            if plan.log?.lacksEntry == true, let entry = try audit?.end() {
                try StoreContent.ofDraft(backup.store) {
                    try TripStore.remember(auditEntry: entry, in: backup.store)
                }
            }
            replaced = try StoreReplacement(store: site.store, time: time).put(backup.store, owner: owner)
        }
        for set in plan.sets { try published.folder(set.audience).makeCurrent(set.id) }
        return replaced
    }

    /// A set that was held stays held, and so does the audience of one that is held now.
    private func hold(_ set: VerifiedBackup.RestorableSet, in folder: PublicationFolder) throws {
        if let since = try set.heldSince ?? folder.heldSince() { try folder.hold(set.id, at: since) }
    }
}
