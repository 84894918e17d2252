package import KPIs
import Reports
import Trips

/// What finance may see internally (`--internal`): totals by provider and contract, and exceptions to review.
///
/// None of it went through disclosure control. It is made only where somebody asked for it on record, and every sheet it
/// comes to is stamped.
package struct CostLedger: Sendable {
    /// Where the trips were taken from: exports say more than a store keeps.
    package enum Origin: Sendable, Hashable {
        case store, exports
    }

    package let origin: Origin
    /// Of all months: the period is compared with others, and belongs to a fiscal year.
    package let tally: CostTally
    /// The months of the period: `Month.index`.
    package let months: ClosedRange<Int32>
    /// The totals of the period alone.
    package let period: CostTally
    /// Nil: the exceptions are not listed.
    package var review: CostReview?
    package let words: CostWords

    package init(
        origin: Origin, tally: CostTally, months: ClosedRange<Int32>, review: CostReview?, words: CostWords
    ) {
        self.origin = origin
        self.tally = tally
        self.months = months
        period = tally.within(months)
        self.review = review
        self.words = words
    }

    package var periodTotal: CostSums { period.total }
}
