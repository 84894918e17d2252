package import KPIContract
package import Privacy
package import Trips

extension SummaryReport {
    /// Shares in whole per cent for the release, where counts of records are not published.
    ///
    /// - Parameter cells: those of the document; shares of trips are quotients of what they show.
    package static func qualityShares(
        _ publishable: Publishable, _ counts: ReadCounts, _ cells: [KPISummaryV1.Cell]
    ) -> KPISummaryV1.QualityShares? {
        guard publishable.audience == .release, counts.read >= KPISummaryV1.QualityShares.minimumRecords else {
            return nil
        }
        let others = counts.read - counts.rejected
        let isTold = min(counts.rejected, others) >= publishable.minimumCell
        return KPISummaryV1.QualityShares(
            rejectedRecords: isTold ? HalfUp.quotient(counts.rejected, times: 100, by: counts.read) : nil,
            tripsWithCost: shareWithCost(cells),
            tripsWithoutRegion: share(of: \.region, cells), tripsWithoutType: share(of: \.tripType, cells))
    }

    private static func shareWithCost(_ cells: [KPISummaryV1.Cell]) -> Int? {
        guard let overall = cells.first, let trips = overall.trips, let costed = overall.costedTrips,
            let kpi = KPICatalog.description(named: "costedTrips"), !kpi.coverage(overall).isIncomplete
        else { return nil }
        return HalfUp.quotient(costed, times: 100, by: trips)
    }

    /// Of trips that have no such name; nil unless both cells are of all their trips.
    private static func share(of name: WritableKeyPath<KPISummaryV1.Cell, String>, _ cells: [KPISummaryV1.Cell]) -> Int?
    {
        guard let overall = cells.first, overall.complete == true, let trips = overall.trips else { return nil }
        let unassigned = cells.first { cell in
            var cell = cell
            guard cell[keyPath: name] == NamedList.unassigned else { return false }
            cell[keyPath: name] = all
            return [cell.month, cell.region, cell.tripType] == [all, all, all]
        }
        // Without a cell no group can hold such trips.
        guard let unassigned else { return HalfUp.quotient(0, times: 100, by: trips) }
        guard unassigned.complete == true, let count = unassigned.trips else { return nil }
        return HalfUp.quotient(count, times: 100, by: trips)
    }
}
