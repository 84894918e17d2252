import Basics
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
            month: cell.scope.month?.description ?? CellKey.all,
            region: cell.scope.region.map { publishable.regions.name(of: $0) } ?? CellKey.all,
            tripType: cell.scope.tripType.map { publishable.tripTypes.name(of: $0) } ?? CellKey.all,
            suppressed: cell.suppressed, complete: cell.complete, revisionPending: cell.revisionPending,
            sourcingSuppressed: cell[.inHouse].value == nil, sourcingBasis: "classified",
            incompleteMeasures: cell.incompleteMeasures)
        written.figures = cell.figures.map(\.value)
        return written
    }

    /// The groups as the contract has them.
    package static func groups(of publishable: Publishable) -> [KPISummaryV1.Group] {
        publishable.groups.map { group in
            let figures = group.figures
            var written = KPISummaryV1.Group(
                month: figures.scope.month?.description ?? CellKey.all, population: group.population.contract,
                regions: group.leaves.map { publishable.regions.name(of: $0.region) },
                tripTypes: group.leaves.map { publishable.tripTypes.name(of: $0.tripType) },
                revisionPending: figures.revisionPending, trips: figures.trips ?? 0)
            guard written.population.isCompleted else { return written }
            for kpi in KPISummaryV1.Group.measures { written.figures[kpi.measure] = figures[kpi.measure].value }
            let cell = contractCell(figures, of: publishable)
            for interval in TripInterval.allCases { written.figures[interval: interval.rawValue] = cell[interval] }
            return written
        }
    }

    /// Those of several leaves, as documents of version 1.1 have them.
    static func mergedGroups(_ groups: [KPISummaryV1.Group]) -> [KPISummaryV1.MergedGroup] {
        groups.filter { $0.isMerged && $0.population.isCompleted }.map {
            KPISummaryV1.MergedGroup(month: $0.month, regions: $0.regions, tripTypes: $0.tripTypes, trips: $0.trips)
        }
    }
}

extension KPISummaryV1.Cell {
    package subscript(interval: TripInterval) -> KPISummaryV1.Interval { self[interval: interval.rawValue] }
}
