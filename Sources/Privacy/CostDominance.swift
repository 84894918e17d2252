import KPIs
import Trips

/// The rule that no cost is shown which is nearly one provider's: contract prices are trade secrets.
///
/// It looks at what is not in-house. A cost is hidden where one provider has `percent` of it or more, and where one or
/// two providers have all of it. Who has a cell's costs must be known: where it is not, they are hidden.
package struct CostDominance: Sendable, Hashable {
    package let percent: Int

    package init(percent: Int) {
        self.percent = percent
    }

    /// What of a cell the rule hides, looking at that cell alone.
    func parts(of cell: KPICell) -> HiddenParts {
        guard Self.hasCosts(cell) else { return [] }
        guard canTell(cell), let contributors = cell.costContributors else { return .costs }
        if isAbout(contributors.all) { return .costs }
        var parts: HiddenParts = []
        // With the total, the costs of two classes tell those of the third.
        if isAbout(contributors.contracted) || isAbout(contributors.unclassified) { parts.insert(.costSplit) }
        if isAbout(contributors.withLoadedMiles) { parts.insert(.costPerLoadedMile) }
        return parts
    }

    func isAbout(_ costs: ProviderCosts) -> Bool { costs.isDominated(percent: percent) }

    /// Whether the cell has costs that the rule is about.
    static func hasCosts(_ cell: KPICell) -> Bool {
        let costed = cell.sums.costedTripsBySourcing
        return costed.contracted + costed.unclassified > 0
    }

    /// Whether it is known who has the cell's costs, if it has any: those of the same trips.
    func canTell(_ cell: KPICell) -> Bool {
        guard Self.hasCosts(cell) else { return true }
        let cents = cell.sums.costCentsBySourcing
        return cell.costContributors?.contracted.totalCents == cents.contracted
            && cell.costContributors?.unclassified.totalCents == cents.unclassified
    }

    /// How far from a hidden cost another possible one must be: a tenth of it, and as much as the rule asks others to
    /// have beside one who has the rest (a quarter at 80 per cent).
    func leastDifference(of cost: Int) -> Int {
        max((cost + 9) / 10, (cost * (100 - percent) + percent - 1) / percent)
    }
}
