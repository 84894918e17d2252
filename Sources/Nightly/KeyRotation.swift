package import Releases
import Scans
import Operations
import Foundation
import Keys
import Store

/// `key rotate`: another layer for the key, and all pseudonyms of the store carried over to it. Public ids and figures
/// stay as they are. A rotation that was killed is finished instead of beginning another.
package struct KeyRotation {
    package struct Outcome: Sendable, Hashable {
        /// Of the key as it is now.
        package var fingerprint: String
        /// How often it was rotated, this time included.
        package var rotations: Int
        package var trips: Int
    }

    private let plan: NightlyPlan
    private let environment: RunEnvironment

    package init(_ plan: NightlyPlan, _ environment: RunEnvironment) {
        self.plan = plan
        self.environment = environment
    }

    package func run() throws -> Outcome {
        guard try !TripStore.isAbsent(plan.storePath) else { throw StoreError.missing(path: plan.storePath) }
        let audit = AuditRecorder(plan, environment)
        try audit?.prepare()
        // Before anything changes: one that is refused then, as for the lock, was still asked for.
        let known = try plan.loadKey()
        try audit?.record(.rotateKey) { $0.counts = [("rotationsBefore", known.layerCount - 1)] }
        let opening = try StoreOpening(plan, owner: environment.owner, rotatesKey: true)
        defer { opening.lock.release() }
        let store = opening.store
        environment.tell(
            .monthsTouched(try store.refreshTallies(store.session(shape: store.shape()), workers: plan.workers)))
        return Outcome(
            fingerprint: opening.key.fingerprint, rotations: opening.key.layerCount - 1,
            trips: try store.totals().trips)
    }

    /// What tells the key of a plan from another one, and how often it was rotated.
    package static func fingerprint(of plan: NightlyPlan) throws -> (fingerprint: String, rotations: Int) {
        let key = try plan.loadKey()
        return (key.fingerprint, key.layerCount - 1)
    }
}
