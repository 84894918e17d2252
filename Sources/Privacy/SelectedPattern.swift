import KPIs
import Trips

/// What the cells of a part of a table hide, so that many reports of many parts say no more than the whole.
///
/// A cell of the part is one of the whole's, or, where the part has some of the months, regions or types, a sum of
/// several. It shows only what all of these show: so whoever has the whole could have made the part.
struct SelectedPattern {
    /// By cell of the part.
    let parts: [HiddenParts]

    /// - Parameters:
    ///   - part: of the trips that `selection` holds.
    ///   - whole: of all trips, with the same months withheld.
    ///   - pattern: of the whole.
    init(_ part: KPITable, of whole: KPITable, _ selection: KPISelection, _ pattern: SuppressionPattern) {
        let places = Dictionary(
            zip(whole.cells.map(\.scope), whole.cells.indices), uniquingKeysWith: { first, _ in first })
        let primary = PrimarySuppression(minimumCell: pattern.minimumCell)
        // Where an axis is whole, its "All" is that of the whole table.
        let months: [Month?] = selection.months == nil ? [nil] : part.months
        let regions: [UInt8?] = selection.regions.map { part.regionCodes.filter($0.contains) } ?? [nil]
        let tripTypes: [UInt8?] = selection.tripTypes.map { part.tripTypeCodes.filter($0.contains) } ?? [nil]
        parts = part.cells.map { cell in
            var parts = primary.parts(of: cell)
            var summands = 0
            for month in cell.scope.month.map({ [$0] }) ?? months {
                for region in cell.scope.region.map({ [$0] }) ?? regions {
                    for tripType in cell.scope.tripType.map({ [$0] }) ?? tripTypes {
                        summands += 1
                        let place = places[CellScope(month: month, region: region, tripType: tripType)]
                        parts.formUnion(place.map { pattern.parts[$0] } ?? .whole)
                    }
                }
            }
            if summands > 1 { parts.hideMeansOfHiddenCounts() }
            return parts
        }
    }
}

extension HiddenParts {
    /// A mean that was not looked at together with all others says something of its count.
    fileprivate mutating func hideMeansOfHiddenCounts() {
        if !isDisjoint(with: [.costedTrips, .totalCost]) { formUnion([.costPerTrip, .costPerLoadedMile]) }
        for interval in TripInterval.allCases where contains(.counts(of: interval)) { insert(.mean(of: interval)) }
    }
}
