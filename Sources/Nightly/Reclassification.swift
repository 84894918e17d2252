package import Releases
import Rules
import Scans
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
    private let environment: RunEnvironment

    package init(_ plan: NightlyPlan, _ environment: RunEnvironment) {
        self.plan = plan
        self.environment = environment
    }

    /// Throws `RulesNeedingReplay`, and changes nothing, if the store lacks a test result that the rules need.
    package func run() throws -> Outcome {
        guard try !TripStore.isAbsent(plan.storePath) else {
            throw StoreError.missing(path: plan.storePath)
        }
        let opening = try StoreOpening(plan, owner: environment.owner)
        defer { opening.lock.release() }
        let store = opening.store
        let audit = AuditRecorder(plan, environment)
        try audit?.prepare()
        let changes = try RuleChange(
            store: store, plan: plan, tell: environment.tell, checkpoint: environment.checkpoint,
            progress: environment.progress, audit: audit
        ).carryOut()
        let months = try store.refreshTallies(store.session(shape: store.shape()), workers: plan.workers)
        environment.tell(.monthsTouched(months))
        return Outcome(
            changes: changes.map { $0.sorted { $0.key < $1.key }.map { (month: $0.key, trips: $0.value) } },
            trips: try store.totals().trips, notes: [try ProfileDrift(store, plan)?.description].compactMap { $0 })
    }
}
