import KPIContract

/// One member of a cell: its key in the contract, its column in CSV, and how to read it.
struct CellMeasure: Sendable {
    enum Value: Hashable, Sendable {
        case flag(Bool?)
        case names([String]?)
        case word(String?)
        /// In the smallest unit.
        case figure(Int?, decimals: Int)
    }

    let key: String
    let column: String
    let value: @Sendable (KPISummaryV1.Cell) -> Value

    static let intervalNames = ["duration", "response", "turnout", "scene", "transport", "turnaround"]

    static let intervals: [@Sendable (KPISummaryV1.Cell) -> KPISummaryV1.Interval] = [
        { $0.duration }, { $0.response }, { $0.turnout }, { $0.scene }, { $0.transport }, { $0.turnaround },
    ]

    /// Every member but the names of the cell.
    static let all: [CellMeasure] =
        flags + counts + money + zip(intervalNames, intervals).flatMap(interval)

    static func named(_ column: String) -> CellMeasure? { byColumn[column] }

    private static let byColumn = Dictionary(all.map { ($0.column, $0) }, uniquingKeysWith: { first, _ in first })

    private static let flags: [CellMeasure] = [
        CellMeasure(key: "suppressed", column: "suppressed") { .flag($0.suppressed) },
        CellMeasure(key: "complete", column: "complete") { .flag($0.complete) },
        CellMeasure(key: "revisionPending", column: "revision_pending") { .flag($0.revisionPending) },
        CellMeasure(key: "sourcingSuppressed", column: "sourcing_suppressed") { .flag($0.sourcingSuppressed) },
        CellMeasure(key: "sourcingBasis", column: "sourcing_basis") { .word($0.sourcingBasis) },
        CellMeasure(key: "incompleteMeasures", column: "incomplete_measures") { .names($0.incompleteMeasures) },
    ]

    private static let counts: [CellMeasure] = [
        count("trips", "trips") { $0.trips }, count("cancelled", "cancelled") { $0.cancelled },
        count("noShow", "no_show") { $0.noShow }, count("inHouse", "in_house") { $0.inHouse },
        count("contracted", "contracted") { $0.contracted }, count("unclassified", "unclassified") { $0.unclassified },
        count("inHousePercent", "in_house_percent") { $0.inHousePercent },
        count("costedTrips", "costed_trips") { $0.costedTrips },
    ]

    private static let money: [CellMeasure] = [
        fixed("inHouseShare", "in_house_share") { $0.inHouseShare },
        fixed("totalCost", "total_cost_dollars") { $0.totalCost },
        fixed("inHouseCost", "in_house_cost_dollars") { $0.inHouseCost },
        fixed("contractedCost", "contracted_cost_dollars") { $0.contractedCost },
        fixed("costPerTrip", "cost_per_trip_dollars") { $0.costPerTrip },
        fixed("loadedMiles", "loaded_miles") { $0.loadedMiles },
        fixed("unloadedMiles", "unloaded_miles") { $0.unloadedMiles },
        fixed("costPerLoadedMile", "cost_per_loaded_mile_dollars") { $0.costPerLoadedMile },
        fixed("loadedMileRatio", "loaded_mile_ratio") { $0.loadedMileRatio },
    ]

    private static func interval(
        _ name: String, _ of: @escaping @Sendable (KPISummaryV1.Cell) -> KPISummaryV1.Interval
    ) -> [CellMeasure] {
        [
            count("\(name).used", "\(name)_used") { of($0).used },
            count("\(name).excluded", "\(name)_excluded") { of($0).excluded },
            fixed("\(name).mean", "\(name)_mean_seconds") { of($0).mean },
            count("\(name).p50", "\(name)_p50_seconds") { of($0).p50 },
            count("\(name).p90", "\(name)_p90_seconds") { of($0).p90 },
        ]
    }

    private static func count(
        _ key: String, _ column: String, _ figure: @escaping @Sendable (KPISummaryV1.Cell) -> Int?
    ) -> CellMeasure {
        CellMeasure(key: key, column: column) { .figure(figure($0), decimals: 0) }
    }

    private static func fixed<Number: FixedDecimal>(
        _ key: String, _ column: String, _ figure: @escaping @Sendable (KPISummaryV1.Cell) -> Number?
    ) -> CellMeasure {
        CellMeasure(key: key, column: column) { .figure(figure($0)?.units, decimals: Number.decimals) }
    }
}

extension CellMeasure.Value {
    /// As a field of CSV; empty where there is none.
    var field: String {
        switch self {
        case .flag(let flag): flag.map { $0 ? "true" : "false" } ?? ""
        case .names(let names): names?.joined(separator: " ") ?? ""
        case .word(let word): word ?? ""
        case .figure(nil, _): ""
        case .figure(let units?, let decimals): Self.text(units, decimals)
        }
    }

    private static func text(_ units: Int, _ decimals: Int) -> String {
        guard decimals > 0 else { return String(units) }
        let digits = String(units.magnitude)
        let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
        return (units < 0 ? "-" : "") + padded.dropLast(decimals) + "." + padded.suffix(decimals)
    }
}
