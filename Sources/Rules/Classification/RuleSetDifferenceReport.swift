import Basics
internal import Trips

/// A `RuleSetDifference` as `classify --diff --internal` shows it: changed trips, percentages and costs, in total, by
/// month, and by rule. It is internal: small groups are not suppressed.
package struct RuleSetDifferenceReport: Sendable, Hashable, Encodable {
    /// Trips and cost of one scope under the old rules and under the new.
    package struct Scope: Sendable, Hashable, Encodable {
        /// `YYYY-MM` or `All`.
        package let month: String
        package let trips: Int
        package let changedTrips: Int
        /// Half up; nil where no trip is in-house or contracted.
        package let inHousePercentOld: Int?
        package let inHousePercentNew: Int?
        package let inHouseCostCentsOld: Int
        package let inHouseCostCentsNew: Int
        package let contractedCostCentsOld: Int
        package let contractedCostCentsNew: Int
        package let unclassifiedOld: Int
        package let unclassifiedNew: Int
    }

    /// Trips that another rule decides, or the same rule otherwise.
    package struct RuleChange: Sendable, Hashable, Encodable {
        /// Nil: no rule matched.
        package let oldRule: String?
        package let oldSourcing: String
        package let newRule: String?
        package let newSourcing: String
        package let trips: Int
        package let costCents: Int
    }

    package let isInternal = true
    /// The threshold below which a count is small.
    package let minimumCell: Int
    package let total: Scope
    package let months: [Scope]
    package let rules: [RuleChange]

    package init(_ difference: RuleSetDifference, minimumCell: Int) {
        self.minimumCell = minimumCell
        total = Self.scope(CellKey.all, difference) { _ in true }
        months = Set(difference.amounts.keys.map(\.month)).sorted().map { month in
            Self.scope(month.description, difference) { $0.month == month }
        }
        rules = Self.ruleChanges(difference)
    }

    private static func scope(
        _ month: String, _ difference: RuleSetDifference, _ isInScope: (RuleSetDifference.Transition) -> Bool
    ) -> Scope {
        func amount(_ isWanted: (RuleSetDifference.Transition) -> Bool) -> RuleSetDifference.Amount {
            difference.amount { isInScope($0) && isWanted($0) }
        }
        let old = Sourcing.allCases.map { sourcing in amount { $0.old.sourcing == sourcing } }
        let new = Sourcing.allCases.map { sourcing in amount { $0.new.sourcing == sourcing } }
        func of(_ sourcing: Sourcing) -> Int { Int(sourcing.rawValue) }
        func percent(_ amounts: [RuleSetDifference.Amount]) -> Int? {
            let own = amounts[of(.inHouse)].trips
            return HalfUp.quotient(own, times: 100, by: own + amounts[of(.contracted)].trips)
        }
        return Scope(
            month: month, trips: amount { _ in true }.trips, changedTrips: amount(\.changesClass).trips,
            inHousePercentOld: percent(old), inHousePercentNew: percent(new),
            inHouseCostCentsOld: old[of(.inHouse)].costCents, inHouseCostCentsNew: new[of(.inHouse)].costCents,
            contractedCostCentsOld: old[of(.contracted)].costCents,
            contractedCostCentsNew: new[of(.contracted)].costCents,
            unclassifiedOld: old[of(.unclassified)].trips, unclassifiedNew: new[of(.unclassified)].trips)
    }

    /// The largest first.
    private static func ruleChanges(_ difference: RuleSetDifference) -> [RuleChange] {
        var amounts: [[RuleSetDifference.Decision]: RuleSetDifference.Amount] = [:]
        for (transition, amount) in difference.amounts where transition.old != transition.new {
            amounts[[transition.old, transition.new], default: .init()] =
                amounts[[transition.old, transition.new], default: .init()] + amount
        }
        let changes = amounts.map { decisions, amount in
            RuleChange(
                oldRule: decisions[0].ruleID, oldSourcing: decisions[0].sourcing.name, newRule: decisions[1].ruleID,
                newSourcing: decisions[1].sourcing.name, trips: amount.trips, costCents: amount.costCents)
        }
        return changes.sorted {
            ($1.trips, $0.oldRule ?? "", $0.newRule ?? "", $0.oldSourcing, $0.newSourcing)
                < ($0.trips, $1.oldRule ?? "", $1.newRule ?? "", $1.oldSourcing, $1.newSourcing)
        }
    }
}

extension RuleSetDifferenceReport {
    /// Plain text, a line for each number.
    package var lines: [String] {
        let changed = months.filter { $0.changedTrips > 0 }
        var lines = ["INTERNAL: small groups are not hidden", "trips in all      " + Self.changes(total)]
        lines += Self.differences(total)
        for month in changed {
            lines.append("\(month.month)           " + Self.changes(month))
            lines += Self.differences(month)
        }
        if changed.count < months.count { lines.append("other months      no change") }
        return lines
            + rules.map { change in
                "\(Self.decision(change.oldSourcing, change.oldRule)) -> "
                    + "\(Self.decision(change.newSourcing, change.newRule)): \(change.trips) trips, "
                    + Self.dollars(change.costCents)
            }
    }

    private static func changes(_ scope: Scope) -> String {
        "\(scope.changedTrips) of \(scope.trips) change class"
    }

    private static func differences(_ scope: Scope) -> [String] {
        func percent(_ value: Int?) -> String { value.map { "\($0) %" } ?? "none" }
        let values = [
            ("in-house", percent(scope.inHousePercentOld), percent(scope.inHousePercentNew)),
            ("in-house cost", dollars(scope.inHouseCostCentsOld), dollars(scope.inHouseCostCentsNew)),
            ("contracted cost", dollars(scope.contractedCostCentsOld), dollars(scope.contractedCostCentsNew)),
            ("unclassified", "\(scope.unclassifiedOld)", "\(scope.unclassifiedNew)"),
        ]
        return values.filter { $0.1 != $0.2 }.map { name, old, new in
            "  " + name + String(repeating: " ", count: max(1, 16 - name.count)) + "\(old) -> \(new)"
        }
    }

    private static func decision(_ sourcing: String, _ rule: String?) -> String {
        sourcing + (rule.map { " (\($0))" } ?? " (no rule)")
    }

    private static func dollars(_ cents: Int) -> String {
        let rest = String(cents.magnitude % 100)
        return (cents < 0 ? "-$" : "$") + "\(cents.magnitude / 100)." + (rest.count == 1 ? "0" : "") + rest
    }
}
