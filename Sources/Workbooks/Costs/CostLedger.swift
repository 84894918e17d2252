package import Costs
package import Trips

/// What finance may see internally (`--internal`): sums by provider and contract, and what the checks found.
///
/// None of it went through disclosure control. It is made only where somebody asked for it on record, and every sheet it
/// comes to is stamped.
package struct CostLedger: Sendable {
    /// Where the trips were taken from: exports say more than a store keeps.
    package enum Origin: Sendable, Hashable {
        case store, exports
    }

    package var origin: Origin
    /// Of the period, and of the months before it that it is compared with.
    package var tally: CostTally
    /// The period: `Month.index`.
    package var months: ClosedRange<Int32>
    package var findings: CostFindings
    /// How the trips that are listed are found again: a public id, or an export and a byte of it.
    package var references: [CostTripLocation: String] = [:]
    /// By where a cost outlier is: the costs that are usual among its like.
    package var usualCents: [CostTripLocation: ClosedRange<Int>] = [:]
    /// Trips that had what a check asks for.
    package var examined: [CostCheck: Int]
    /// Providers' trip types with enough costs to look for outliers among them, and with too few.
    package var groups: (judged: Int, small: Int)
    package var texts: [Int32: String]
    package var tripTypes: NamedList

    package init(
        origin: Origin, tally: CostTally, months: ClosedRange<Int32>, findings: CostFindings,
        examined: [CostCheck: Int], groups: (judged: Int, small: Int), texts: [Int32: String], tripTypes: NamedList
    ) {
        self.origin = origin
        self.tally = tally
        self.months = months
        self.findings = findings
        self.examined = examined
        self.groups = groups
        self.texts = texts
        self.tripTypes = tripTypes
    }

    /// The sums of the period alone.
    var period: CostTally { tally.within(months) }

    package var periodTotal: CostSums { period.total }

    /// Trips that are listed and cannot be found again.
    package var unnamedExceptions: Int {
        Set(CostCheck.allCases.flatMap { findings.listed($0).map(\.place) }).count { references[$0] == nil }
    }

    func text(_ number: Int32) -> String {
        let text = texts[number] ?? ""
        return text.isEmpty ? "(none)" : text
    }

    /// Provider's id, provider, contract, trip type, sourcing.
    func words(_ key: CostKey) -> [String] {
        [
            text(key.providerID), text(key.providerName), text(key.contract), tripTypes.name(of: key.tripType),
            Self.word(key.sourcing),
        ]
    }

    static func word(_ sourcing: Sourcing) -> String {
        switch sourcing {
        case .inHouse: "In-house"
        case .contracted: "Contracted"
        case .unclassified: "Unclassified"
        }
    }
}
