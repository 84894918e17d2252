import Classification
import Foundation
import Operations
import Store
package import Trips

/// `classify`: every trip of the store by the plan's rules, in one transaction. What is published does not change yet.
package struct Reclassification {
    /// What the rules changed.
    package struct Outcome: Sendable {
        /// Trips with another class or another rule, by month, ascending; nil: the store has these rules already.
        package var changes: [(month: Month, trips: Int)]?
        package var trips: Int
        /// For people.
        package var notes: [String]
    }

    private let plan: NightlyPlan
    private let surroundings: NightlyRun.Surroundings

    package init(_ plan: NightlyPlan, _ surroundings: NightlyRun.Surroundings) {
        self.plan = plan
        self.surroundings = surroundings
    }

    /// Throws `UnanswerableRules`, and changes nothing, if the rules ask what is not known of all trips.
    package func run() throws -> Outcome {
        guard try !TripStore.isAbsent(plan.storePath) else {
            throw StoreError.missing(path: plan.storePath)
        }
        let opening = try StoreOpening(plan, owner: surroundings.owner)
        defer { opening.lock.release() }
        let store = opening.store
        let audit = AuditRecorder(plan, surroundings)
        try audit?.prepare()
        let changes = try RuleChange(
            store: store, plan: plan, tell: surroundings.tell, checkpoint: surroundings.checkpoint,
            progress: surroundings.progress, audit: audit
        ).carryOut()
        let months = try store.settle(store.session(shape: store.shape()), workers: plan.workers)
        surroundings.tell(.monthsTouched(months))
        return Outcome(
            changes: changes.map { $0.sorted { $0.key < $1.key }.map { (month: $0.key, trips: $0.value) } },
            trips: try store.totals().trips, notes: [try ProfileDrift(store, plan)?.description].compactMap { $0 })
    }
}
