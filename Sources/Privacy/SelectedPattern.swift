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
    ///   - part: of the trips that `selection` holds; the whole, if that is everything.
    ///   - pattern: of the whole, with the same months withheld.
    init(_ part: KPITable, _ selection: KPISelection, _ pattern: any CellPattern) {
        // Where an axis is whole, its "All" is that of the whole table.
        let areMonthsWhole = selection.months == nil && pattern.showsTotalsOverMonths
        let months: [Month?] = areMonthsWhole ? [nil] : part.months
        let regions: [UInt8?] = selection.regions.map { part.regionCodes.filter($0.contains) } ?? [nil]
        let tripTypes: [UInt8?] = selection.tripTypes.map { part.tripTypeCodes.filter($0.contains) } ?? [nil]
        parts = part.cells.map { cell in
            let scopes = (cell.scope.month.map { [$0] } ?? months).flatMap { month in
                (cell.scope.region.map { [$0] } ?? regions).flatMap { region in
                    (cell.scope.tripType.map { [$0] } ?? tripTypes).map { tripType in
                        CellScope(month: month, region: region, tripType: tripType)
                    }
                }
            }
            return pattern.parts(of: cell, summing: scopes)
        }
    }
}
