import Files
import Operations
import Reporting
import Store
import Trips

/// What an earlier store has released, taken over by a new one whose key is another: the way on when the key is lost, and with
/// it the earlier store.
///
/// Readers have the release, so its months stay as they are: groups and figures are copied. A month whose trips have the same
/// figures in the new store can be revised later; another one shows that corrections wait, and is never revised.
struct ReleaseAdoption {
    private let earlier: TripStore
    private let session: WritingSession
    /// Has the copy of a store of an earlier version.
    private let scratch: ScratchFolder?

    /// Takes over the lists, before the first trip is loaded: groups name regions and trip types by their places in them.
    ///
    /// - Parameter path: of the earlier store. Its key is not needed.
    init(of path: String, _ session: WritingSession) throws {
        self.session = session
        (earlier, scratch) = try Self.open(path, beside: session.site.store)
        let store = session.store
        guard try store.releasedMonths().isEmpty else {
            throw ReleaseAdoptionError(problem: "the store has released months of its own")
        }
        guard try !earlier.releasedMonths().isEmpty else {
            throw ReleaseAdoptionError(problem: "\(path) has released nothing")
        }
        let lists = try earlier.lists()
        try store.adopt(regions: lists.regions, tripTypes: lists.tripTypes)
        // Before anything is loaded: the exports have older trips.
        if let month = try earlier.firstKeptMonth() { try session.removeTrips(before: month) }
        let (trips, patients) = try earlier.keptOutCounts()
        if trips > 0 || patients > 0 {
            // They are back until they are removed again: no set of the earlier store is compared with those of this one.
            try store.countNamedRemoval()
            session.environment.tell(.removalsNotTaken(patients: patients, trips: trips))
        }
        let own = try store.lists()
        guard own.regions.names.starts(with: lists.regions.names),
            own.tripTypes.names.starts(with: lists.tripTypes.names)
        else {
            throw ReleaseAdoptionError(problem: "its regions or trip types are in another order than those of \(path)")
        }
    }

    /// A store of an earlier version is brought up to date in a copy: without its key no run can do that.
    private static func open(_ path: String, beside store: String) throws -> (TripStore, ScratchFolder?) {
        do { return (try TripStore(reading: path), nil) } catch StoreError.tooOld {}
        let older = try TripStore(reading: path, acceptsOlder: true)
        let folder = try ScratchFolder(in: FilePath.folder(of: store), for: .releases)
        let copy = folder.path + "/earlier.sqlite"
        try older.copy(to: copy)
        let identity = TripStore.Identity(
            keyFingerprint: try older.keyFingerprint(), rulesName: "", rulesVersion: "")
        return (try TripStore(path: copy, identity: identity, isDurable: false), folder)
    }

    /// Takes over the released months, once all exports are loaded: a trip that came after them would count as changed.
    func finish() throws {
        let releases = try earlier.releases(), events = try earlier.releasedEvents(), store = session.store
        let before = try store.releasedEvents()
        try session.audit.recording(
            .adoptReleases, { $0.counts = [("months", releases.count)] },
            isUndone: { try store.releasedMonths().isEmpty && store.releasedEvents() == before }
        ) { try store.adopt(releases, events: events) }
        session.environment.tell(.releasesAdopted(releases.map(\.month)))
    }
}

/// Why the releases of another store cannot be taken over.
struct ReleaseAdoptionError: ClassifiedError, Sendable, Hashable, CustomStringConvertible {
    let problem: String

    var failureKind: FailureKind { .data }

    var description: String {
        "the releases cannot be taken over: \(problem); take them over into a new store, and name the earlier one with --releases-of"
    }
}
