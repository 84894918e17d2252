package import Basics
package import Trips

/// One rule of a rule set: which trips it is about, and who ran them.
package struct Rule: Sendable {
    /// Unique in the rule set; kept with each trip the rule decided.
    package let id: String
    /// Plain words for analysts: why a trip that matches has this sourcing.
    package let reason: String
    package let condition: Condition
    /// `inHouse` or `contracted`.
    package let sourcing: Sourcing
    /// First and last day on which the rule is in force, both included; nil: no bound.
    package let from: CivilDay?
    package let to: CivilDay?
    /// Its line in the file, from 1.
    package let line: Int

    package init(
        id: String, reason: String, condition: Condition, sourcing: Sourcing, from: CivilDay? = nil,
        to: CivilDay? = nil, line: Int
    ) {
        self.id = id
        self.reason = reason
        self.condition = condition
        self.sourcing = sourcing
        self.from = from
        self.to = to
        self.line = line
    }

    /// Whether it applies to trips of the day. Where the day is not known, only a rule without dates does.
    func isInForce(on day: CivilDay?) -> Bool { CivilDay.isInForce(from: from, to: to, on: day) }
}
