package import Trips

/// Which providers a cell's costs are paid to, the health system's own left out: what it costs in-house is its own to
/// tell, and protects nobody else's prices.
package struct CostContributors: Sendable, Hashable {
    /// Of completed trips with a cost that are not in-house.
    package private(set) var all = ProviderCosts()
    package private(set) var contracted = ProviderCosts()
    package private(set) var unclassified = ProviderCosts()
    /// Of all that have loaded miles too: what the cost of a mile is made of.
    package private(set) var withLoadedMiles = ProviderCosts()

    package init() {}

    /// - Parameters:
    ///   - provider: any number that is one provider's; nil: not known whose.
    ///   - centsWithLoadedMiles: the part of it that trips with loaded miles have.
    package mutating func add(provider: Int32?, sourcing: Sourcing, cents: Int, centsWithLoadedMiles: Int) {
        switch sourcing {
        case .inHouse: return
        case .contracted: contracted.add(provider, cents)
        case .unclassified: unclassified.add(provider, cents)
        }
        all.add(provider, cents)
        withLoadedMiles.add(provider, centsWithLoadedMiles)
    }

    package mutating func merge(_ other: CostContributors) {
        all.merge(other.all)
        contracted.merge(other.contracted)
        unclassified.merge(other.unclassified)
        withLoadedMiles.merge(other.withLoadedMiles)
    }
}
