import Classification
import Foundation
import Hashing
import Operations
import Publishing
import Store

/// The one writer's way to the store: the lock, then the key, then the store itself.
struct StoreOpening {
    let lock: RunLock
    let key: PseudonymKey
    let store: TripStore

    /// Makes the folder, the key and the store where there are none. A key is never made for a store that is there: its
    /// trips could not be recognised by it. And no store is made where one is gone from which something was published.
    init(_ plan: NightlyPlan, owner: LockOwner) throws {
        try Self.makeFolder(of: plan.storePath)
        lock = try RunLock(path: plan.storePath + ".lock", owner: owner)
        let isNew = TripStore.isAbsent(plan.storePath)
        if isNew, !plan.acceptsNewStore,
            let published = try PublicationFolder(root: plan.reportsPath).currentID()
        {
            throw StoreError.lost(path: plan.storePath, published: published)
        }
        if isNew, !FileManager.default.fileExists(atPath: plan.keyPath) {
            key = try PseudonymKeyFile.create(plan.keyPath)
        } else {
            key = try PseudonymKeyFile.load(plan.keyPath, credentials: plan.credentials)
        }
        store = try TripStore(
            path: plan.storePath,
            terms: TripStore.Terms(
                keyFingerprint: key.fingerprint, rulesName: plan.rules.name, rulesVersion: plan.rules.version),
            isDurable: plan.isDurable)
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
