package import Releases
import Scans
import Operations
import Keys
import Store

/// `crosswalk check` and `crosswalk forget`.
package struct CrosswalkService {
    private let plan: NightlyPlan

    package init(_ plan: NightlyPlan) { self.plan = plan }

    /// Reads all of it and verifies it against the store; how many trips' identifiers there are.
    package func check() throws -> Int {
        guard let place = plan.crosswalk else { throw ReidentificationError.notConfigured }
        let mark = try TripStore(reading: plan.storePath).crosswalkMark()
        return try CrosswalkReader(place, credentials: plan.credentials).read(mark: mark)
    }

    /// The store no longer asks for the crosswalk it was loaded with.
    package func forget(_ environment: RunEnvironment) throws {
        guard try !TripStore.isAbsent(plan.storePath) else { throw StoreError.missing(path: plan.storePath) }
        var plan = plan
        plan.crosswalk = nil
        let audit = AuditRecorder(plan, environment)
        try audit?.prepare()
        let opening = try StoreOpening(plan, owner: environment.owner)
        defer { opening.lock.release() }
        try audit?.record(.forgetCrosswalk)
        try opening.store.forgetCrosswalk()
    }
}
