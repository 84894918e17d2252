import Foundation
package import Keys
package import Settings
package import Store

/// Where a store and the files that belong to it are.
package struct StoreSite: Sendable {
    package let store: String
    /// The key of its pseudonyms.
    package let key: String
    /// The folder in which a service manager keeps the secrets of this service (`$CREDENTIALS_DIRECTORY`).
    package let credentials: String?
    /// The folder of published sets.
    package let reports: String
    /// Each action is recorded in it before it is done; nil in tests only.
    package let auditLog: String?
    /// Where identifiers are kept, encrypted; nil: nowhere.
    package let crosswalk: CrosswalkPaths?

    package init(
        store: String, key: String, credentials: String? = nil, reports: String, auditLog: String?,
        crosswalk: CrosswalkPaths? = nil
    ) {
        self.store = store
        self.key = key
        self.credentials = credentials
        self.reports = reports
        self.auditLog = auditLog
        self.crosswalk = crosswalk
    }

    package init(_ settings: Settings, credentials: String?) {
        self.init(
            store: settings.store, key: settings.keyFile, credentials: credentials, reports: settings.reports,
            auditLog: settings.auditLog, crosswalk: settings.crosswalk)
    }

    /// Makes the folder of the store, if there is none: for its owner only.
    package func makeStoreFolder() throws(StoreError) {
        let folder = (store as NSString).deletingLastPathComponent
        guard !folder.isEmpty else { return }
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch let error as CocoaError where error.code == .fileWriteNoPermission {
            throw .forbidden(path: store)
        } catch {
            throw .cannotCreate(path: store)
        }
    }

    /// The key, with the rotations that the store knows.
    package func loadKey() throws(PseudonymKeyError) -> PseudonymKey {
        try PseudonymKeyFile.load(key, credentials: credentials) {
            try? TripStore(reading: store, acceptsOlder: true).keyFingerprint()
        }
    }

    /// The key as it was when this store was written last.
    ///
    /// - Throws: `StoreError.otherKey`, `PseudonymKeyError`.
    func key(of store: TripStore) throws -> PseudonymKey {
        if let key = try loadKey().asOf(store.keyFingerprint()) { return key }
        // The fingerprint itself may be damaged.
        try store.checkLedger()
        throw StoreError.otherKey(path: self.store)
    }
}
