package import Trips

/// What other rules would change: completed trips and their costs by month, by what they are, by what they would be.
///
/// An accumulator: it merges with others, in any order (the sums are integers).
package struct RuleSetDifference: Sendable, Hashable {
    /// What a rule set makes of a trip.
    package struct Decision: Sendable, Hashable {
        package var sourcing: Sourcing
        /// Nil: no rule matched.
        package var ruleID: String?

        package init(sourcing: Sourcing, ruleID: String?) {
            self.sourcing = sourcing
            self.ruleID = ruleID
        }
    }

    /// Trips that go the same way.
    package struct Move: Sendable, Hashable {
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

    /// How many trips, and what they cost together, in cents.
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

    package private(set) var moves: [Move: Amount] = [:]

    package init() {}

    /// Adds completed trips (others are in no share and no cost). Trips that stay what they are belong in it too.
    package mutating func add(_ move: Move, trips: Int, costCents: Int) {
        guard trips > 0 else { return }
        moves[move, default: Amount()] = moves[move, default: Amount()] + Amount(trips: trips, costCents: costCents)
    }

    package mutating func merge(_ other: RuleSetDifference) {
        for (move, amount) in other.moves { add(move, trips: amount.trips, costCents: amount.costCents) }
    }

    /// The sum over the moves that are asked for.
    func amount(_ isWanted: (Move) -> Bool) -> Amount {
        moves.reduce(Amount()) { isWanted($1.key) ? $0 + $1.value : $0 }
    }
}
