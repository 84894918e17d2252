import KPIs
package import Trips

/// What a cell does not show.
package struct HiddenParts: OptionSet, Sendable, Hashable {
    package let rawValue: UInt64

    package init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// All of it.
    package static let whole = HiddenParts(rawValue: 1 << 0)
    package static let cancelled = HiddenParts(rawValue: 1 << 1)
    package static let noShow = HiddenParts(rawValue: 1 << 2)
    /// The trips of the three classes, and their share.
    package static let sourcing = HiddenParts(rawValue: 1 << 3)
    package static let totalCost = HiddenParts(rawValue: 1 << 4)
    /// The costs of the classes.
    package static let costSplit = HiddenParts(rawValue: 1 << 5)
    package static let costedTrips = HiddenParts(rawValue: 1 << 6)
    package static let loadedMiles = HiddenParts(rawValue: 1 << 7)
    package static let unloadedMiles = HiddenParts(rawValue: 1 << 8)
    package static let costPerLoadedMile = HiddenParts(rawValue: 1 << 9)
    package static let costPerTrip = HiddenParts(rawValue: 1 << 10)

    /// Of what `sourcing` hides, the share in whole per cent is shown all the same.
    static let percentStays = HiddenParts(rawValue: 1 << 11)
    /// The mean is shown to two dollars, not to one.
    static let coarseCostPerTrip = HiddenParts(rawValue: 1 << 12)

    /// All that tells of costs.
    static let costs: HiddenParts = [.totalCost, .costSplit, .costPerTrip, .costPerLoadedMile]

    private static let firstCounts = 13
    private static let firstPercentiles = firstCounts + TripInterval.allCases.count
    private static let firstMean = firstPercentiles + TripInterval.allCases.count
    private static let firstCoarseMean = firstMean + TripInterval.allCases.count

    /// `used` and `excluded`.
    package static func counts(of interval: TripInterval) -> HiddenParts {
        HiddenParts(rawValue: 1 << (firstCounts + interval.rawValue))
    }

    package static func mean(of interval: TripInterval) -> HiddenParts {
        HiddenParts(rawValue: 1 << (firstMean + interval.rawValue))
    }

    /// The mean is shown to 20 seconds, not to 10.
    static func coarseMean(of interval: TripInterval) -> HiddenParts {
        HiddenParts(rawValue: 1 << (firstCoarseMean + interval.rawValue))
    }

    /// The median and the 90th percentile: times of single trips where there are few.
    package static func percentiles(of interval: TripInterval) -> HiddenParts {
        HiddenParts(rawValue: 1 << (firstPercentiles + interval.rawValue))
    }
}

extension PublishedCell {
    /// The cell without what is hidden, and without what would give that away inside the cell.
    init(_ cell: KPICell, hiding parts: HiddenParts) {
        if parts.contains(.whole) {
            self.init(hidden: cell)
            return
        }
        self.init(unmasked: cell)
        if parts.contains(.cancelled) { cancelled = nil }
        if parts.contains(.noShow) { noShow = nil }
        if parts.contains(.sourcing) {
            sourcingSuppressed = true
            inHouse = nil
            contracted = nil
            unclassified = nil
            if !parts.contains(.percentStays) { inHousePercent = nil }
            inHouseTenThousandths = nil
        }
        if parts.contains(.totalCost) { totalCostCents = nil }
        if !parts.isDisjoint(with: [.totalCost, .costSplit, .sourcing]) {
            inHouseCostCents = nil
            contractedCostCents = nil
        }
        if parts.contains(.costedTrips) { costedTrips = nil }
        if parts.contains(.costPerTrip) { costPerTripCents = nil }
        if parts.contains(.costedTrips) {
            let rounding = MeanRounding(isCoarse: parts.contains(.coarseCostPerTrip))
            costPerTripCents = costPerTripCents.map(rounding.costCents)
        }
        if parts.contains(.loadedMiles) { loadedTenths = nil }
        if parts.contains(.unloadedMiles) { unloadedTenths = nil }
        if !parts.isDisjoint(with: [.loadedMiles, .unloadedMiles]) { loadedTenThousandths = nil }
        if !parts.isDisjoint(with: [.costPerLoadedMile, .loadedMiles]) { costPerLoadedMileCents = nil }
        for interval in TripInterval.allCases {
            if parts.contains(.counts(of: interval)) {
                intervals[interval.rawValue].used = nil
                intervals[interval.rawValue].excluded = nil
                let rounding = MeanRounding(isCoarse: parts.contains(.coarseMean(of: interval)))
                intervals[interval.rawValue].meanTenths = intervals[interval.rawValue].meanTenths.map(rounding.tenths)
            }
            if parts.contains(.mean(of: interval)) { intervals[interval.rawValue].meanTenths = nil }
            if parts.contains(.percentiles(of: interval)) {
                intervals[interval.rawValue].p50Seconds = nil
                intervals[interval.rawValue].p90Seconds = nil
            }
        }
    }
}
