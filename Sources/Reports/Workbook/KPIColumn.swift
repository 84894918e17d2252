internal import KPIContract

/// A measure as a column of a sheet: where its figure comes from and how its total may be computed.
struct KPIColumn: Sendable {
    enum Total: Sendable {
        /// The sum of the column.
        case sum
        /// `100 * part / (part + other)` percent, of columns by name.
        case percent(part: String, other: String)
        /// Dollars over a count, of columns by name.
        case costPer(cost: String, count: String)
        /// Not computable from what is shown; the published figure stands.
        case published
    }

    /// The key in the dashboard contract and in `KPICatalog`.
    let name: String
    let total: Total
    private let own: @Sendable (KPISummaryV1.Cell) -> Figure

    private init(name: String, total: Total, figure: @escaping @Sendable (KPISummaryV1.Cell) -> Figure) {
        self.name = name
        self.total = total
        own = figure
    }

    /// The figure of a cell, with the mark of trips that it leaves out.
    func figure(_ cell: KPISummaryV1.Cell) -> Figure {
        own(cell).of(KPICatalog.description(named: name)?.coverage(cell) ?? .all)
    }

    /// The name all outputs share.
    var title: String { KPICatalog.description(named: name)?.title ?? name }

    static let trips = KPIColumn(name: "trips", total: .sum) { .sum($0.trips, .count) }
    static let cancelled = KPIColumn(name: "cancelled", total: .sum) { .sum($0.cancelled, .count) }
    static let noShow = KPIColumn(name: "noShow", total: .sum) { .sum($0.noShow, .count) }
    static let inHouse = KPIColumn(name: "inHouse", total: .sum) { .sum($0.inHouse, .count) }
    static let contracted = KPIColumn(name: "contracted", total: .sum) { .sum($0.contracted, .count) }
    static let unclassified = KPIColumn(name: "unclassified", total: .sum) { .sum($0.unclassified, .count) }
    static let inHousePercent = KPIColumn(
        name: "inHousePercent", total: .percent(part: "inHouse", other: "contracted")
    ) { .ratio($0.inHousePercent, .percent, over: classified($0)) }
    static let totalCost = KPIColumn(name: "totalCost", total: .sum) { .sum($0.totalCost?.cents, .cents) }
    static let inHouseCost = KPIColumn(name: "inHouseCost", total: .sum) { .sum($0.inHouseCost?.cents, .cents) }
    static let contractedCost = KPIColumn(name: "contractedCost", total: .sum) {
        .sum($0.contractedCost?.cents, .cents)
    }
    static let costedTrips = KPIColumn(name: "costedTrips", total: .sum) { .sum($0.costedTrips, .count) }
    static let costPerTrip = KPIColumn(
        name: "costPerTrip", total: .costPer(cost: "totalCost", count: "costedTrips")
    ) { .ratio($0.costPerTrip?.cents, .cents, over: $0.costedTrips) }
    static let loadedMiles = KPIColumn(name: "loadedMiles", total: .sum) {
        .sum($0.loadedMiles?.tenths, .tenthsOfMiles)
    }
    static let unloadedMiles = KPIColumn(name: "unloadedMiles", total: .sum) {
        .sum($0.unloadedMiles?.tenths, .tenthsOfMiles)
    }
    static let costPerLoadedMile = KPIColumn(name: "costPerLoadedMile", total: .published) {
        .ratio($0.costPerLoadedMile?.cents, .cents, over: shownCostAndMiles($0))
    }
    static let loadedMileRatio = KPIColumn(name: "loadedMileRatio", total: .published) {
        .ratio($0.loadedMileRatio?.tenThousandths, .share, over: miles($0))
    }
    static let meanDuration = KPIColumn(name: "duration.mean", total: .published) {
        .ratio($0.duration.mean?.tenths, .tenthsOfSeconds, over: $0.duration.used)
    }
    static let medianDuration = KPIColumn(name: "duration.p50", total: .published) {
        .ratio($0.duration.p50, .seconds, over: $0.duration.used)
    }
    static let p90Duration = KPIColumn(name: "duration.p90", total: .published) {
        .ratio($0.duration.p90, .seconds, over: $0.duration.used)
    }
    static let meanResponse = KPIColumn(name: "response.mean", total: .published) {
        .ratio($0.response.mean?.tenths, .tenthsOfSeconds, over: $0.response.used)
    }
    static let p90Response = KPIColumn(name: "response.p90", total: .published) {
        .ratio($0.response.p90, .seconds, over: $0.response.used)
    }

    private static func classified(_ cell: KPISummaryV1.Cell) -> Int? {
        guard let inHouse = cell.inHouse, let contracted = cell.contracted else { return nil }
        return inHouse + contracted
    }

    /// Where both sums are shown and their ratio is not, no trip has both a cost and miles.
    private static func shownCostAndMiles(_ cell: KPISummaryV1.Cell) -> Int? {
        // Of different trips there is no quotient to show.
        let isOfAll = (cell.incompleteMeasures ?? []).allSatisfy { $0 != "cost" && $0 != "loadedMiles" }
        return cell.totalCost != nil && cell.loadedMiles != nil && isOfAll ? 0 : nil
    }

    private static func miles(_ cell: KPISummaryV1.Cell) -> Int? {
        let isOfAll = (cell.incompleteMeasures ?? []).allSatisfy { $0 != "loadedMiles" && $0 != "unloadedMiles" }
        guard let loaded = cell.loadedMiles, let unloaded = cell.unloadedMiles, isOfAll else { return nil }
        return loaded.tenths + unloaded.tenths
    }
}
