package import Costs
import Reports
import Trips

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
    /// How the trips that are listed are found again.
    package var references: [CostTripLocation: TripReference] = [:]
    /// By where a cost outlier is: the costs that are usual among its like.
    package var usualCents: [CostTripLocation: ClosedRange<Int>] = [:]
    /// Trips that had what a check asks for.
    package var examined: [CostCheck: Int]
    /// Providers' trip types with enough costs to look for outliers among them, and with too few.
    package var groups: (judged: Int, small: Int)
    package var words: CostWords

    package init(
        origin: Origin, tally: CostTally, months: ClosedRange<Int32>, findings: CostFindings,
        examined: [CostCheck: Int], groups: (judged: Int, small: Int), words: CostWords
    ) {
        self.origin = origin
        self.tally = tally
        self.months = months
        self.findings = findings
        self.examined = examined
        self.groups = groups
        self.words = words
    }

    /// The sums of the period alone.
    var period: CostTally { tally.within(months) }

    /// The invoice numbers that are listed.
    package var listedInvoices: [String] { references.values.compactMap(\.invoice) }

    package var periodTotal: CostSums { period.total }

    /// Trips that are listed without a public id.
    package var unnamedExceptions: Int { findings.listedPlaces.count { references[$0]?.publicID == nil } }
}
