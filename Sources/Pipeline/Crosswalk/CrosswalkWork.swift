import Audit
import Crosswalk
import Operations
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
    package func forget(_ surroundings: NightlyRun.Surroundings) throws {
        guard try !TripStore.isAbsent(plan.storePath) else { throw StoreError.missing(path: plan.storePath) }
        var plan = plan
        plan.crosswalk = nil
        let audit = AuditRecorder(plan, surroundings)
        try audit?.prepare()
        let opening = try StoreOpening(plan, owner: surroundings.owner)
        defer { opening.lock.release() }
        try audit?.record(.forgetCrosswalk)
        try opening.store.forgetCrosswalk()
    }
}
