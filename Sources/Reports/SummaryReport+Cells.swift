package import KPIContract
import KPIs
package import Privacy
package import Trips

extension SummaryReport {
    /// The cells as the contract has them.
    package static func cells(of publishable: Publishable) -> [KPISummaryV1.Cell] {
        publishable.cells.map { contractCell($0, of: publishable) }
    }

    package static func contractCell(_ cell: PublishedCell, of publishable: Publishable) -> KPISummaryV1.Cell {
        var written = KPISummaryV1.Cell(
            month: cell.scope.month?.description ?? all,
            region: cell.scope.region.map { publishable.regions.name(of: $0) } ?? all,
            tripType: cell.scope.tripType.map { publishable.tripTypes.name(of: $0) } ?? all,
            suppressed: cell.suppressed, complete: cell.complete, revisionPending: cell.revisionPending,
            sourcingSuppressed: cell.sourcingSuppressed, sourcingBasis: cell.sourcingBasis.rawValue,
            incompleteMeasures: cell.incompleteMeasures)
        written.figures = cell.figures.map(\.value)
        return written
    }

    package static func contractGroup(_ group: MergedLeaves, of publishable: Publishable) -> KPISummaryV1.MergedGroup {
        KPISummaryV1.MergedGroup(
            month: group.month.description, regions: group.leaves.map { publishable.regions.name(of: $0.region) },
            tripTypes: group.leaves.map { publishable.tripTypes.name(of: $0.tripType) }, trips: group.trips)
    }
}

extension KPISummaryV1.Cell {
    package subscript(interval: TripInterval) -> KPISummaryV1.Interval { self[interval: interval.rawValue] }
}
