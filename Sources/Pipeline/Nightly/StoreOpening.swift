import Classification
import Foundation
import Hashing
import Operations
import Store

/// The one writer's way to the store: the lock, then the key, then the store itself.
struct StoreOpening {
    let lock: RunLock
    let key: PseudonymKey
    let store: TripStore

    /// Makes the folder, the key and the store where there are none. A key is never made for a store that is there: its
    /// trips could not be recognised by it.
    init(_ plan: NightlyPlan, owner: LockOwner) throws {
        let folder = (plan.storePath as NSString).deletingLastPathComponent
        if !folder.isEmpty {
            do {
                try FileManager.default.createDirectory(
                    atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            } catch {
                throw StoreError.forbidden(path: plan.storePath)
            }
        }
        lock = try RunLock(path: plan.storePath + ".lock", owner: owner)
        if FileManager.default.fileExists(atPath: plan.storePath)
            || FileManager.default.fileExists(atPath: plan.keyPath)
        {
            key = try PseudonymKeyFile.load(plan.keyPath, credentials: plan.credentials)
        } else {
            key = try PseudonymKeyFile.create(plan.keyPath)
        }
        store = try TripStore(
            path: plan.storePath,
            terms: TripStore.Terms(
                keyFingerprint: key.fingerprint, rulesName: plan.rules.name, rulesVersion: plan.rules.version),
            isDurable: plan.isDurable)
    }
}
