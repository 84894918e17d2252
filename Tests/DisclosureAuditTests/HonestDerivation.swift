import Basics
import KPIContract
import TestSupport

/// What an honest release derives from its cells, by the contract library.
struct HonestDerivation {
    let release: SyntheticRelease

    func document(_ document: KPISummaryV1, _ everyMonth: [KPISummaryV1.Cell]) -> KPISummaryV1? {
        let derived = DerivedFigures(
            document.cells, lastClosed: release.months.last, partialMonths: [], isRelease: true,
            intervalEvents: release.intervalEvents ?? [])
        let charts = charts(everyMonth)
        let regions = document.filters.regions, tripTypes = document.filters.tripTypes
        var document = document
        document.totalTrips = derived.totalTrips
        document.avgDuration = derived.avgDuration
        document.inHousePercent = derived.inHousePercent
        document.cost = derived.cost
        document.months = derived.months
        document.chartData = derived.chartData
        document.withheldMonths = (derived.hiddenMonths + release.withheldMonths).sorted()
        document.withheldHeadlines = derived.withheldHeadlines
        document.controlCharts = charts
        document.kpiCards = derived.cards(charts)
        document.headline = derived.headline(charts, regions: Array(regions.dropFirst()))
        document.comparisons = derived.comparisons(
            everyMonth.filter { $0.region == CellKey.all && $0.tripType == CellKey.all })
        document.targets = derived.targets(regions: regions, tripTypes: tripTypes) { measure, region, tripType in
            measure == "costPerTrip" && region == "All" && tripType == "All" ? 110_000 : nil
        }
        document.qualityShares?.tripsWithCost = derived.percentWithCost
        document.qualityShares?.tripsWithoutRegion = derived.percentWithoutRegion
        document.qualityShares?.tripsWithoutType = derived.percentWithoutType
        document.privacy.suppressedCells = derived.suppressedCells
        return document
    }

    /// Stands for control charts: the trips and the response p90 of all months, whichever the document shows.
    private func charts(_ everyMonth: [KPISummaryV1.Cell]) -> [KPISummaryV1.ControlChart] {
        let cells = everyMonth.filter { $0.region == CellKey.all }
        return Dictionary(grouping: cells, by: \.tripType).sorted { $0.key < $1.key }.flatMap { tripType, cells in
            [Measure.trips, .responseP90].compactMap { measure -> KPISummaryV1.ControlChart? in
                let months = cells.filter { $0[measure] != nil && $0.complete == true }
                guard let first = months.first, let last = months.last else { return nil }
                let figures = months.compactMap { $0[measure] }
                return KPISummaryV1.ControlChart(
                    measure: measure.name, region: CellKey.all, tripType: tripType, lastMonth: last.month,
                    monthCount: months.count, monthsLeftOut: [], mean: Double(figures.reduce(0, +) / figures.count),
                    lowerLimit: Double(figures.min() ?? 0), upperLimit: Double(figures.max() ?? 0),
                    signals: [.init(month: first.month, rule: "shift", direction: "high", isBetter: nil)])
            }
        }
    }
}
