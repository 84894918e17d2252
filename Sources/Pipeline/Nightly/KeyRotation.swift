import Audit
import Foundation
import Hashing
import Operations
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
    private let surroundings: NightlyRun.Surroundings

    package init(_ plan: NightlyPlan, _ surroundings: NightlyRun.Surroundings) {
        self.plan = plan
        self.surroundings = surroundings
    }

    package func run() throws -> Outcome {
        guard try !TripStore.isAbsent(plan.storePath) else { throw StoreError.missing(path: plan.storePath) }
        let audit = AuditRecorder(plan, surroundings)
        try audit?.prepare()
        // Before anything changes: one that is refused then, as for the lock, was still asked for.
        let known = try plan.loadKey()
        try audit?.record(.rotateKey) { $0.counts = [("rotationsBefore", known.layerCount - 1)] }
        let opening = try StoreOpening(plan, owner: surroundings.owner, rotatesKey: true)
        defer { opening.lock.release() }
        let store = opening.store
        surroundings.tell(
            .monthsTouched(try store.settle(store.session(shape: store.shape()), workers: plan.workers)))
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
