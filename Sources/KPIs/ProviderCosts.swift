/// Cents by provider.
package struct ProviderCosts: Sendable, Hashable {
    /// By any number that is one provider's.
    package private(set) var centsByProvider: [Int32: Int] = [:]
    /// Nobody knows whose.
    package private(set) var unknownCents = 0

    package init() {}

    package var totalCents: Int { centsByProvider.values.reduce(unknownCents, +) }

    package mutating func add(_ provider: Int32?, _ cents: Int) {
        guard cents != 0 else { return }
        if let provider {
            centsByProvider[provider, default: 0] += cents
        } else {
            unknownCents += cents
        }
    }

    package mutating func merge(_ other: ProviderCosts) {
        for (provider, cents) in other.centsByProvider { centsByProvider[provider, default: 0] += cents }
        unknownCents += other.unknownCents
    }

    /// Whether one provider has this share of the costs or more, or one or two have them all: who is one of two knows
    /// the other's. Credits count as large as bills. What is not known whose may be the largest provider's, and makes
    /// nobody third.
    package func isDominated(percent: Int) -> Bool {
        let sizes = centsByProvider.values.map(abs).filter { $0 > 0 }, unknown = abs(unknownCents)
        let sum = sizes.reduce(unknown, +)
        guard sum > 0 else { return false }
        guard sizes.count > 2, let largest = sizes.max() else { return true }
        return (largest + unknown) * 100 >= sum * percent
    }
}
