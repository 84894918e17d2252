import Releases
import Rules
import Keys
import Foundation
import Operations
import Publishing
import Store
import Trips

/// The one writer's way to the store: the lock, then the key, then the store itself.
struct StoreOpening {
    let lock: RunLock
    let key: PseudonymKey
    let store: TripStore
    /// Not opened yet: nil where it is off.
    let crosswalk: CrosswalkWriter?

    /// Makes the folder, the key and the store where there are none. A key is never made for a store that is there: its
    /// trips could not be recognised by it. And no store is made where one is gone from which something was published.
    ///
    /// A store that a rotation of the key has not reached yet, as after a kill or from a backup, is carried over first.
    ///
    /// - Parameter rotatesKey: the key gets another layer, unless one is there that the store does not have yet.
    init(_ plan: NightlyPlan, owner: LockOwner, rotatesKey: Bool = false) throws {
        try Self.makeFolder(of: plan.storePath)
        try PlaceSafety.check(store: plan.storePath, reports: plan.reportsPath)
        crosswalk = try plan.crosswalk.map { try CrosswalkWriter($0, credentials: plan.credentials) }
        lock = try RunLock(path: plan.storePath + ".lock", owner: owner)
        let isNew = try TripStore.isAbsent(plan.storePath)
        if isNew, !plan.acceptsNewStore,
            let published = try PublishedFolders(root: plan.reportsPath).newestID()
        {
            throw StoreError.lost(path: plan.storePath, published: published)
        }
        if isNew, !FileManager.default.fileExists(atPath: plan.keyPath) {
            key = try PseudonymKeyFile.create(plan.keyPath)
        } else {
            let known = try plan.loadKey()
            let isDue =
                try rotatesKey
                && TripStore(reading: plan.storePath, acceptsOlder: true).keyFingerprint() == known.fingerprint
            key = isDue ? try PseudonymKeyFile.rotate(plan.keyPath) : known
        }
        var identity = TripStore.Identity(
            keyFingerprint: key.fingerprint, rulesName: plan.rules.name, rulesVersion: plan.rules.version)
        identity.earlierFingerprints = key.earlier.map(\.fingerprint)
        store = try TripStore(path: plan.storePath, identity: identity, isDurable: plan.isDurable)
        let own = try store.keyFingerprint()
        if own != key.fingerprint, let earlier = key.asOf(own),
            let rekeying = PseudonymRekeying(from: earlier, to: key)
        {
            // Every row is written again, with digests of what it says then: damage must be found before.
            try store.checkIntegrity(rows: nil)
            try store.rekey(rekeying, fingerprint: key.fingerprint)
        } else {
            try store.checkIntegrity(on: plan.generatedAtEpochSeconds / 86_400)
        }
    }

    private static func makeFolder(of path: String) throws(StoreError) {
        let folder = (path as NSString).deletingLastPathComponent
        guard !folder.isEmpty else { return }
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch let error as CocoaError where error.code == .fileWriteNoPermission {
            throw .forbidden(path: path)
        } catch {
            throw .cannotCreate(path: path)
        }
    }
}
