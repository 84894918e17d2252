package import Basics
package import Trips

/// What other rules would change: completed trips and their costs by month, by old decision and by new decision.
///
/// An accumulator: it merges with others, in any order (all totals are integers).
package struct RuleSetDifference: Sendable, Hashable {
    /// The sourcing of a trip by a rule set.
    package struct Decision: Sendable, Hashable {
        package var sourcing: Sourcing
        /// Nil: no rule matched.
        package var ruleID: String?

        package init(sourcing: Sourcing, ruleID: String?) {
            self.sourcing = sourcing
            self.ruleID = ruleID
        }
    }

    /// Trips of a month with the same old and the same new decision.
    package struct Transition: Sendable, Hashable {
        package var month: Month
        package var old: Decision
        package var new: Decision

        package init(month: Month, old: Decision, new: Decision) {
            self.month = month
            self.old = old
            self.new = new
        }

        /// Whether the sourcing changes; another rule with the same sourcing changes no number.
        package var changesClass: Bool { old.sourcing != new.sourcing }
    }

    /// A number of trips, and their total cost in cents.
    package struct Amount: Sendable, Hashable {
        package var trips = 0
        package var costCents = 0

        package init(trips: Int = 0, costCents: Int = 0) {
            self.trips = trips
            self.costCents = costCents
        }

        static func + (left: Amount, right: Amount) -> Amount {
            Amount(trips: left.trips + right.trips, costCents: left.costCents + right.costCents)
        }
    }

    package private(set) var amounts: [Transition: Amount] = [:]

    package init() {}

    /// Adds completed trips (others are in no percentage and no cost), those without a change too.
    package mutating func add(_ transition: Transition, trips: Int, costCents: Int) {
        guard trips > 0 else { return }
        amounts[transition, default: Amount()] =
            amounts[transition, default: Amount()] + Amount(trips: trips, costCents: costCents)
    }

    package mutating func merge(_ other: RuleSetDifference) {
        for (transition, amount) in other.amounts { add(transition, trips: amount.trips, costCents: amount.costCents) }
    }

    /// The total over the transitions that are wanted.
    func amount(_ isWanted: (Transition) -> Bool) -> Amount {
        amounts.reduce(Amount()) { isWanted($1.key) ? $0 + $1.value : $0 }
    }
}
