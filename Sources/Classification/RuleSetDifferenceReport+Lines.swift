extension RuleSetDifferenceReport {
    /// Plain text, a line a fact.
    package var lines: [String] {
        guard let total else { return [Self.hidden("the difference", minimumCell)] }
        var lines = isInternal ? ["INTERNAL: small groups are not hidden"] : []
        lines.append("trips in all      " + Self.changes(total))
        lines += Self.figures(total)
        if let months {
            let changed = months.filter { $0.changedTrips > 0 }
            for month in changed {
                lines.append("\(month.month)           " + Self.changes(month))
                lines += Self.figures(month)
            }
            if changed.count < months.count {
                lines.append("other months      no change")
            }
        } else {
            lines.append(Self.hidden("the months", minimumCell))
        }
        guard let rules else { return lines + [Self.hidden("the rules", minimumCell)] }
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

    private static func figures(_ scope: Scope) -> [String] {
        func percent(_ value: Int?) -> String { value.map { "\($0) %" } ?? "none" }
        let figures = [
            ("in-house", percent(scope.inHousePercentOld), percent(scope.inHousePercentNew)),
            ("in-house cost", dollars(scope.inHouseCostCentsOld), dollars(scope.inHouseCostCentsNew)),
            ("contracted cost", dollars(scope.contractedCostCentsOld), dollars(scope.contractedCostCentsNew)),
            ("unclassified", "\(scope.unclassifiedOld)", "\(scope.unclassifiedNew)"),
        ]
        return figures.filter { $0.1 != $0.2 }.map { name, old, new in
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

    private static func hidden(_ what: String, _ minimumCell: Int) -> String {
        "\(what): not shown, a group of 1 to \(minimumCell - 1) trips could be told from it; --internal shows it"
    }
}
