internal import KPIContract

/// A measure as a column of a sheet: where its figure comes from and how its total may be computed.
struct KPIColumn: Sendable {
    enum Total: Sendable {
        /// The sum of the column.
        case sum
        /// `100 * part / (part + other)` percent, of columns by title.
        case percent(part: String, other: String)
        /// Dollars over a count, of columns by title.
        case costPer(cost: String, count: String)
        /// Not computable from what is shown; the published figure stands.
        case published
    }

    let title: String
    let total: Total
    let figure: @Sendable (KPISummaryV1.Cell) -> Figure

    static let trips = KPIColumn(title: "Trips", total: .sum) { .sum($0.trips, .count) }
    static let cancelled = KPIColumn(title: "Cancelled", total: .sum) { .sum($0.cancelled, .count) }
    static let noShow = KPIColumn(title: "No-show", total: .sum) { .sum($0.noShow, .count) }
    static let inHouse = KPIColumn(title: "In-house", total: .sum) { .sum($0.inHouse, .count) }
    static let contracted = KPIColumn(title: "Contracted", total: .sum) { .sum($0.contracted, .count) }
    static let unclassified = KPIColumn(title: "Unclassified", total: .sum) { .sum($0.unclassified, .count) }
    static let inHousePercent = KPIColumn(
        title: "In-house %", total: .percent(part: "In-house", other: "Contracted")
    ) { .ratio($0.inHousePercent, .percent, over: classified($0)) }
    static let totalCost = KPIColumn(title: "Total cost", total: .sum) { .sum($0.totalCost?.cents, .cents) }
    static let inHouseCost = KPIColumn(title: "In-house cost", total: .sum) { .sum($0.inHouseCost?.cents, .cents) }
    static let contractedCost = KPIColumn(title: "Contracted cost", total: .sum) {
        .sum($0.contractedCost?.cents, .cents)
    }
    static let costedTrips = KPIColumn(title: "Costed trips", total: .sum) { .sum($0.costedTrips, .count) }
    static let costPerTrip = KPIColumn(
        title: "Cost per trip", total: .costPer(cost: "Total cost", count: "Costed trips")
    ) { .ratio($0.costPerTrip?.cents, .cents, over: $0.costedTrips) }
    static let loadedMiles = KPIColumn(title: "Loaded miles", total: .sum) {
        .sum($0.loadedMiles?.tenths, .tenthsOfMiles)
    }
    static let unloadedMiles = KPIColumn(title: "Unloaded miles", total: .sum) {
        .sum($0.unloadedMiles?.tenths, .tenthsOfMiles)
    }
    static let costPerLoadedMile = KPIColumn(title: "Cost per loaded mile", total: .published) {
        .ratio($0.costPerLoadedMile?.cents, .cents, over: $0.loadedMiles?.tenths)
    }
    static let loadedMileRatio = KPIColumn(title: "Loaded-mile ratio", total: .published) {
        .ratio($0.loadedMileRatio?.tenThousandths, .share, over: miles($0))
    }
    static let meanDuration = KPIColumn(title: "Mean duration", total: .published) {
        .ratio($0.duration.mean?.tenths, .tenthsOfSeconds, over: $0.duration.used)
    }
    static let medianDuration = KPIColumn(title: "Median duration", total: .published) {
        .ratio($0.duration.p50, .seconds, over: $0.duration.used)
    }
    static let p90Duration = KPIColumn(title: "P90 duration", total: .published) {
        .ratio($0.duration.p90, .seconds, over: $0.duration.used)
    }
    static let meanResponse = KPIColumn(title: "Mean response", total: .published) {
        .ratio($0.response.mean?.tenths, .tenthsOfSeconds, over: $0.response.used)
    }
    static let p90Response = KPIColumn(title: "P90 response", total: .published) {
        .ratio($0.response.p90, .seconds, over: $0.response.used)
    }

    private static func classified(_ cell: KPISummaryV1.Cell) -> Int? {
        guard let inHouse = cell.inHouse, let contracted = cell.contracted else { return nil }
        return inHouse + contracted
    }

    private static func miles(_ cell: KPISummaryV1.Cell) -> Int? {
        guard let loaded = cell.loadedMiles, let unloaded = cell.unloadedMiles else { return nil }
        return loaded.tenths + unloaded.tenths
    }
}
