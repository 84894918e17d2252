internal import Trips

/// A `RuleSetDifference` as `classify --diff` shows it: changed trips, shares and costs, in all, by month, and by rule.
///
/// Without `--internal` a section is there only if every number in it is a sum of groups that are none or large enough:
/// the total by sourcing, then also each month by sourcing, then also each month by rule. Each step cuts the groups of
/// the one before, so no difference of shown numbers is a small group. What is left out is said.
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

    package let isInternal: Bool
    package let minimumCell: Int
    /// Nil where even the total would show a small group.
    package let total: Scope?
    package let months: [Scope]?
    package let rules: [RuleChange]?

    /// - Parameter minimumCell: groups of 1 to one less are hidden unless `isInternal`.
    package init(_ difference: RuleSetDifference, minimumCell: Int, isInternal: Bool) {
        self.isInternal = isInternal
        self.minimumCell = minimumCell
        let moves = difference.moves
        func hidesNothing(_ group: (RuleSetDifference.Move) -> [AnyHashable]) -> Bool {
            var trips: [[AnyHashable]: Int] = [:]
            for (move, amount) in moves { trips[group(move), default: 0] += amount.trips }
            return isInternal || trips.values.allSatisfy { $0 == 0 || $0 >= minimumCell }
        }
        let showsTotal = hidesNothing { [$0.old.sourcing, $0.new.sourcing] }
        let showsMonths = showsTotal && hidesNothing { [$0.month, $0.old.sourcing, $0.new.sourcing] }
        let showsRules = showsMonths && hidesNothing { [$0] }
        total = showsTotal ? Self.scope("All", difference) { _ in true } : nil
        let names = Set(moves.keys.map(\.month)).sorted()
        months =
            showsMonths
            ? names.map { month in Self.scope(month.description, difference) { $0.month == month } } : nil
        rules = showsRules ? Self.ruleChanges(difference) : nil
    }

    private static func scope(
        _ month: String, _ difference: RuleSetDifference, _ isInScope: (RuleSetDifference.Move) -> Bool
    ) -> Scope {
        func amount(_ isWanted: (RuleSetDifference.Move) -> Bool) -> RuleSetDifference.Amount {
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
        for (move, amount) in difference.moves where move.old != move.new {
            amounts[[move.old, move.new], default: .init()] = amounts[[move.old, move.new], default: .init()] + amount
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
