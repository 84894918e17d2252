package import KPIContract
import KPIs
package import Privacy
import Trips

extension SummaryReport {
    /// The cells as the contract has them.
    package static func cells(of publishable: Publishable) -> [KPISummaryV1.Cell] {
        publishable.cells.map { contractCell($0, of: publishable) }
    }

    static func contractCell(_ cell: PublishedCell, of publishable: Publishable) -> KPISummaryV1.Cell {
        KPISummaryV1.Cell(
            month: cell.scope.month?.description ?? all,
            region: cell.scope.region.map { publishable.regions.name(of: $0) } ?? all,
            tripType: cell.scope.tripType.map { publishable.tripTypes.name(of: $0) } ?? all,
            suppressed: cell.suppressed,
            complete: cell.complete,
            revisionPending: cell.revisionPending,
            sourcingSuppressed: cell.sourcingSuppressed,
            sourcingBasis: cell.sourcingBasis.rawValue,
            incompleteMeasures: cell.incompleteMeasures.map(\.name),
            trips: cell.trips,
            cancelled: cell.cancelled,
            noShow: cell.noShow,
            inHouse: cell.inHouse,
            contracted: cell.contracted,
            unclassified: cell.unclassified,
            inHousePercent: cell.inHousePercent,
            inHouseShare: cell.inHouseTenThousandths.map(Share.init(tenThousandths:)),
            totalCost: cell.totalCostCents.map(Cents.init(cents:)),
            inHouseCost: cell.inHouseCostCents.map(Cents.init(cents:)),
            contractedCost: cell.contractedCostCents.map(Cents.init(cents:)),
            costedTrips: cell.costedTrips,
            costPerTrip: cell.costPerTripCents.map(Cents.init(cents:)),
            loadedMiles: cell.loadedTenths.map(Tenths.init(tenths:)),
            unloadedMiles: cell.unloadedTenths.map(Tenths.init(tenths:)),
            costPerLoadedMile: cell.costPerLoadedMileCents.map(Cents.init(cents:)),
            loadedMileRatio: cell.loadedTenThousandths.map(Share.init(tenThousandths:)),
            duration: contractInterval(cell.interval(.duration)),
            response: contractInterval(cell.interval(.response)),
            turnout: contractInterval(cell.interval(.turnout)),
            scene: contractInterval(cell.interval(.scene)),
            transport: contractInterval(cell.interval(.transport)),
            turnaround: contractInterval(cell.interval(.turnaround)))
    }

    static func contractGroup(_ group: MergedGroup, of publishable: Publishable) -> KPISummaryV1.MergedGroup {
        KPISummaryV1.MergedGroup(
            month: group.month.description, regions: group.leaves.map { publishable.regions.name(of: $0.region) },
            tripTypes: group.leaves.map { publishable.tripTypes.name(of: $0.tripType) }, trips: group.trips)
    }

    private static func contractInterval(_ interval: PublishedInterval) -> KPISummaryV1.Interval {
        KPISummaryV1.Interval(
            used: interval.used, excluded: interval.excluded, mean: interval.meanTenths.map(Tenths.init(tenths:)),
            p50: interval.p50Seconds, p90: interval.p90Seconds)
    }
}
