import KPIContract
import Trips

extension SummaryReport {
    /// How each target was met, for the regions and trip types of the document; nil without targets.
    ///
    /// - Parameters:
    ///   - cells: of the contract.
    ///   - latest: the latest complete month; nil: there is none.
    ///   - types: as the document's filters name them, `All` included.
    static func targets(
        _ targets: [MeasureTarget], _ cells: [KPISummaryV1.Cell], latest: Month?, regions: [String], types: [String]
    ) -> [KPISummaryV1.Target]? {
        guard !targets.isEmpty else { return nil }
        var complete: [CellKey: [KPISummaryV1.Cell]] = [:]
        for cell in cells {
            guard let latest, let month = Month(cell.month), month <= latest else { continue }
            complete[CellKey(region: cell.region, tripType: cell.tripType), default: []].append(cell)
        }
        return MeasureTarget.measures.compactMap(KPICatalog.description(named:)).flatMap { kpi in
            regions.flatMap { region in
                types.compactMap { type in
                    targets.target(of: kpi.name, region: region, tripType: type).map { target in
                        met(
                            target.figure, kpi, complete[CellKey(region: region, tripType: type)] ?? [],
                            latest: latest?.description, region: region, tripType: type)
                    }
                }
            }
        }
    }

    private static func met(
        _ target: Int, _ kpi: KPIDescription, _ cells: [KPISummaryV1.Cell], latest: String?, region: String,
        tripType: String
    ) -> KPISummaryV1.Target {
        let figures = cells.compactMap { cell -> (month: String, figure: Int)? in
            guard kpi.coverage(cell) == .all, hasEnoughTrips(kpi, cell) else { return nil }
            return kpi.figure(cell).map { (cell.month, $0) }
        }
        let written = { (figure: Int) in Double(figure) / Double(kpi.format.unitsPerOne) }
        return KPISummaryV1.Target(
            measure: kpi.name, region: region, tripType: tripType, target: written(target),
            monthCount: figures.count,
            monthsMet: figures.count { kpi.better == .higher ? $0.figure >= target : $0.figure <= target },
            gap: figures.first { $0.month == latest }.map { written($0.figure - target) })
    }
}
