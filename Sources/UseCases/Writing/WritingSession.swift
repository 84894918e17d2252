import Basics
import Files
import Keys
import Operations
import Privacy
import Publishing
import Reporting
import Rules
import Store

/// A writer's session with a store: the run lock is held, the store is open under its key, and the audit log can be
/// written to. Everything that changes a store is done in a session.
struct WritingSession: Sendable {
    /// A store that may be made where there is none.
    struct NewStore {
        let rules: RuleSet
        /// Whether it is made even if something was published from a store that is missing now.
        let replacesLost: Bool
    }

    let site: StoreSite
    let environment: RunEnvironment
    /// Nil where the site has no audit log, or the caller has a recorder of its own.
    let audit: AuditRecorder?
    let key: PseudonymKey
    let store: TripStore
    /// Not opened yet; nil where it is off.
    let crosswalk: CrosswalkWriter?
    private let lock: RunLock

    /// Opens the store, runs the body and gives the lock back.
    ///
    /// - Parameters:
    ///   - newStore: nil: the store must exist.
    ///   - rotatesKey: the key gets another layer, unless it has one that the store does not have yet.
    ///   - usesCrosswalk: false to write without the crosswalk that the site has.
    ///   - isAudited: false if the caller has an audit recorder of its own.
    static func run<Value>(
        _ site: StoreSite, _ environment: RunEnvironment, newStore: NewStore? = nil, rotatesKey: Bool = false,
        usesCrosswalk: Bool = true, isAudited: Bool = true, _ body: (WritingSession) throws -> Value
    ) throws -> Value {
        if newStore == nil, try TripStore.isAbsent(site.store) { throw StoreError.missing(path: site.store) }
        let session = try WritingSession(
            site, environment, newStore, rotatesKey: rotatesKey, usesCrosswalk: usesCrosswalk, isAudited: isAudited)
        defer { session.lock.release() }
        let result = Result { try body(session) }
        // Also after a failure: what was recorded is remembered.
        let kept = Result { try session.rememberAuditEntry() }
        let value = try result.get()
        try kept.get()
        return value
    }

    /// The store remembers the last entry of its audit log, so that a log that was removed or cut is noticed.
    private func rememberAuditEntry() throws {
        if let entry = try audit?.end() { try store.remember(auditEntry: entry) }
    }

    /// Makes the folder, the key and the store where there are none. A key is never made for a store that exists: its
    /// trips could not be recognised with it. No store is made if something was published from one that is missing now.
    ///
    /// A store that a rotation of the key has not reached yet, as after a kill or from a backup, is converted first.
    private init(
        _ site: StoreSite, _ environment: RunEnvironment, _ newStore: NewStore?, rotatesKey: Bool, usesCrosswalk: Bool,
        isAudited: Bool
    ) throws {
        self.site = site
        self.environment = environment
        audit = isAudited ? AuditRecorder(site, environment) : nil
        try site.makeStoreFolder()
        try PlaceSafety.check(store: site.store, reports: site.reports, auditLog: site.auditLog)
        crosswalk =
            usesCrosswalk ? try site.crosswalk.map { try CrosswalkWriter($0, credentials: site.credentials) } : nil
        lock = try RunLock(path: site.store + ".lock", owner: environment.owner)
        try ReplacedStore.removeSecondNames(of: site.store)
        try ScratchFolder.removeLeftovers(in: FilePath.folder(of: site.store), [.restore, .releases])
        let isNew = try TripStore.isAbsent(site.store)
        if isNew {
            guard let newStore else { throw StoreError.missing(path: site.store) }
            if !newStore.replacesLost, let published = try PublishedSets(root: site.reports).newestID() {
                throw StoreError.lost(path: site.store, published: published)
            }
        }
        // Before anything is made: what cannot be recorded is not done.
        try audit?.prepare()
        if isNew, try FileStatus.lookUp(site.key) == nil {
            key = try PseudonymKeyFile.create(site.key)
        } else {
            let known = try site.loadKey()
            PseudonymKeyFile.removeParts(of: site.key)
            let isDue =
                try rotatesKey
                && TripStore(reading: site.store, acceptsOlder: true).keyFingerprint() == known.fingerprint
            key = isDue ? try Self.rotate(known, at: site, audit) : known
        }
        // Only a new store gets the rules.
        var identity = TripStore.Identity(
            keyFingerprint: key.fingerprint, rulesName: newStore?.rules.name ?? "",
            rulesVersion: newStore?.rules.version ?? "")
        identity.earlierFingerprints = key.earlier.map(\.fingerprint)
        store = try TripStore(path: site.store, identity: identity, isDurable: environment.isDurable)
        if let place = site.crosswalk {
            try CrosswalkRewriting(place, credentials: site.credentials).finish(store.crosswalkMark())
        }
        if let entry = try store.auditEntry() { try audit?.require(entry) }
        let own = try store.keyFingerprint()
        if own != key.fingerprint, let earlier = key.asOf(own),
            let rekeying = PseudonymRekeying(from: earlier, to: key)
        {
            // Every row is written again, with a digest of its present content: damage must be found before.
            try store.checkIntegrity(rows: nil)
            try store.rekey(rekeying, fingerprint: key.fingerprint)
        } else {
            try store.checkIntegrity(on: environment.generatedAt.secondsSince1970 / 86_400)
        }
    }

    /// Recorded when the lock is held, and place and key have been checked. The end of a rotation that was stopped is in its entry.
    private static func rotate(
        _ known: PseudonymKey, at site: StoreSite, _ audit: AuditRecorder?
    ) throws -> PseudonymKey {
        try audit.recording(
            .rotateKey, { $0.counts = [("rotationsBefore", known.layerCount - 1)] },
            isUndone: { try site.loadKey().layerCount == known.layerCount }
        ) { try PseudonymKeyFile.rotate(site.key) }
    }

    /// - Parameter audiences: for whom a set is published next.
    /// - Throws: `ClockError`, or `PublishingError.clockBehind`.
    func requireClock(for audiences: [Audience]) throws {
        try ClockCheck(store: store, published: PublishedSets(root: site.reports), audiences: audiences)
            .require(environment.generatedAt)
        if try believesClock() {
            try store.remember(clockDay: environment.generatedAt.secondsSince1970 / UTCTime.secondsPerDay)
        }
    }

    /// Whether what is too old by the clock may be removed. Call `requireClock` first.
    func believesClock() throws -> Bool { try ClockCheck.believes(environment.generatedAt, store) }

    /// Names the run in the lock file.
    func identify(_ runID: String) {
        var owner = environment.owner
        owner.runID = runID
        lock.tell(owner)
    }

    /// Writes the tallies of the months that have changed, and of those that a stopped run left unfinished.
    ///
    /// - Parameter changes: nil: nothing was loaded.
    /// - Returns: these months, ascending.
    @discardableResult
    func refreshTallies(_ changes: LoadSession? = nil) throws -> [Month] {
        try store.refreshTallies(changes ?? store.session(shape: store.shape()), workers: environment.workers)
    }
}
