/// A measure of a cell, which figures are indexed by. Its number is its place in the contract's order and in
/// `KPICatalog.all`, which describes it.
package enum Measure: Int, CaseIterable, Sendable {
    case trips, cancelled, noShow
    case inHouse, contracted, unclassified, inHousePercent, inHouseShare
    case totalCost, inHouseCost, contractedCost, costedTrips, costPerTrip, costNotRun
    case loadedMiles, unloadedMiles, costPerLoadedMile, loadedMileRatio
    // Of each interval every statistic, as `IntervalStatistic` has them.
    case durationUsed, durationExcluded, durationMean, durationP50, durationP90
    case responseUsed, responseExcluded, responseMean, responseP50, responseP90
    case turnoutUsed, turnoutExcluded, turnoutMean, turnoutP50, turnoutP90
    case sceneUsed, sceneExcluded, sceneMean, sceneP50, sceneP90
    case transportUsed, transportExcluded, transportMean, transportP50, transportP90
    case turnaroundUsed, turnaroundExcluded, turnaroundMean, turnaroundP50, turnaroundP90

    /// - Parameter interval: its place in the contract's order.
    package init(ofInterval interval: Int, _ statistic: IntervalStatistic) {
        self = Self.allCases[KPICatalog.places(ofInterval: interval).lowerBound + statistic.place]
    }

    /// - Parameter name: the key in the contract, such as `trips` or `response.p90`; nil for a name that no measure has.
    package init?(name: String) {
        guard let measure = KPICatalog.measures[name] else { return nil }
        self = measure
    }

    package var kpi: KPIDescription { KPICatalog.all[rawValue] }
    package var name: String { kpi.name }
}
