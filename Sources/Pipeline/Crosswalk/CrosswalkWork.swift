import Crosswalk
package import Operations
import Store

/// `crosswalk check` and `crosswalk forget`.
package struct CrosswalkWork {
    private let plan: NightlyPlan

    package init(_ plan: NightlyPlan) { self.plan = plan }

    /// Reads all of it and holds it to the store; how many trips' identifiers there are.
    package func check() throws -> Int {
        guard let place = plan.crosswalk else { throw ReidentificationError.notConfigured }
        let mark = try TripStore(reading: plan.storePath).crosswalkMark()
        return try CrosswalkReader(place, credentials: plan.credentials).read(mark: mark)
    }

    /// The store no longer asks for the crosswalk it was loaded with.
    package func forget(owner: LockOwner) throws {
        guard !TripStore.isAbsent(plan.storePath) else { throw StoreError.missing(path: plan.storePath) }
        var plan = plan
        plan.crosswalk = nil
        let opening = try StoreOpening(plan, owner: owner)
        defer { opening.lock.release() }
        try opening.store.forgetCrosswalk()
    }
}
