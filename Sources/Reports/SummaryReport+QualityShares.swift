import Basics
package import KPIContract
package import Privacy
package import Trips

extension SummaryReport {
    /// Shares in whole per cent for the release, where counts of records are not published.
    /// Shares of trips follow from the cells (`DocumentDerivation`).
    package static func qualityShares(
        _ publishable: Publishable, _ counts: ReadCounts
    ) -> KPISummaryV1.QualityShares? {
        guard publishable.audience == .release, counts.read >= KPISummaryV1.QualityShares.minimumRecords else {
            return nil
        }
        let others = counts.read - counts.rejected
        let isTold = min(counts.rejected, others) >= publishable.minimumCell
        return KPISummaryV1.QualityShares(
            rejectedRecords: isTold ? HalfUp.quotient(counts.rejected, times: 100, by: counts.read) : nil,
            tripsWithCost: nil, tripsWithoutRegion: nil, tripsWithoutType: nil)
    }
}
