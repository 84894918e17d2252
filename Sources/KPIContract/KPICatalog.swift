/// Every measure of a cell, in the contract's order: the one description that all outputs share.
///
/// To add a measure that is a quotient of others: add it to `Measure`, an entry here, and name it in `FigureNames`, in
/// `data/contract/kpi-summary.v1.schema.json` and in `docs/kpis.md`. A measure that is a sum is also counted in `CellSums` and
/// in `queries/marts/kpi_cells.sql`. JSON, CSV, NDJSON, the workbook, the page, the terminal, the definitions and the check
/// against SQL follow. The measure is published to staff. It is suppressed in each release, and the auditor requires that,
/// until `Privacy` and `DisclosureAudit` have a rule for it.
package enum KPICatalog {
    package static let all = plain + MeasuredInterval.all.enumerated().flatMap(interval)

    /// Those that are not inside an interval.
    package static let plain: [KPIDescription] = counts + sourcing + costs + miles

    /// Those that the page and the terminal show.
    package static let onScreen = all.filter(\.isOnScreen)

    /// Nil for a name that no measure has.
    package static func description(named name: String) -> KPIDescription? { measures[name]?.kpi }

    package static func measures(_ measures: [Measure]) -> [KPIDescription] { measures.map(\.kpi) }

    /// Where the statistics of an interval are in `all`.
    ///
    /// - Parameter place: of the interval in the contract's order.
    package static func places(ofInterval place: Int) -> Range<Int> {
        let first = plain.count + place * IntervalStatistic.allCases.count
        return first..<first + IntervalStatistic.allCases.count
    }

    /// By name.
    static let measures = Dictionary(
        Measure.allCases.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })

    private static let counts = [
        KPIDescription(
            .trips, "trips", "trips", "Trips", .count, sql: "COUNT(*) FILTER (WHERE status = 'completed')",
            partial: ["trips"],
            isOnScreen: true, "Completed trips."),
        KPIDescription(
            .cancelled, "cancelled", "cancelled", "Cancelled", .count, better: .lower, of: .cancelled,
            sql: "COUNT(*) FILTER (WHERE status = 'cancelled')", partial: ["cancelled"],
            isOnScreen: true, "Cancelled trips; in no other figure."),
        KPIDescription(
            .noShow, "noShow", "no_show", "No-show", .count, better: .lower, of: .noShow,
            sql: "COUNT(*) FILTER (WHERE status = 'no_show')", partial: ["noShow"],
            isOnScreen: true, "Trips without a patient; in no other figure."),
    ]

    private static let sourcing = [
        KPIDescription(
            .inHouse, "inHouse", "in_house", "In-house", .count,
            sql: "COUNT(*) FILTER (WHERE status = 'completed' AND sourcing = 'inHouse')", partial: ["inHouse"],
            isOnScreen: true, "Trips that the health system ran itself."),
        KPIDescription(
            .contracted, "contracted", "contracted", "Contracted", .count,
            sql: "COUNT(*) FILTER (WHERE status = 'completed' AND sourcing = 'contracted')", partial: ["contracted"],
            isOnScreen: true, "Trips that a contractor ran."),
        KPIDescription(
            .unclassified, "unclassified", "unclassified", "Unclassified", .count, better: .lower,
            sql: "COUNT(*) FILTER (WHERE status = 'completed' AND sourcing = 'unclassified')",
            partial: ["unclassified"],
            isOnScreen: true, "Trips that no rule sorted."),
        KPIDescription(
            .inHousePercent, "inHousePercent", "in_house_percent", "In-house share", .percent, better: .higher,
            .ratio(of: .inHouse, over: [.inHouse, .contracted]), partial: ["inHouse", "contracted"],
            "In-house of in-house and contracted trips, rounded half up."),
        KPIDescription(
            .inHouseShare, "inHouseShare", "in_house_share", "In-house share", .share, better: .higher,
            .ratio(of: .inHouse, over: [.inHouse, .contracted]), partial: ["inHouse", "contracted"],
            isOnScreen: true, "In-house of in-house and contracted trips."),
    ]

    private static let costs = [
        KPIDescription(
            .totalCost, "totalCost", "total_cost_dollars", "Total cost", .dollars,
            sql: "COALESCE(SUM(cost_cents) FILTER (WHERE status = 'completed'), 0)", partial: ["cost"],
            isOnScreen: true, "What was paid or is payable."),
        KPIDescription(
            .inHouseCost, "inHouseCost", "in_house_cost_dollars", "In-house cost", .dollars,
            sql: "COALESCE(SUM(cost_cents) FILTER (WHERE status = 'completed' AND sourcing = 'inHouse'), 0)",
            partial: ["inHouseCost"], "Cost of the in-house trips."),
        KPIDescription(
            .contractedCost, "contractedCost", "contracted_cost_dollars", "Contracted cost", .dollars,
            sql: "COALESCE(SUM(cost_cents) FILTER (WHERE status = 'completed' AND sourcing = 'contracted'), 0)",
            partial: ["contractedCost"], "Cost of the contracted trips."),
        KPIDescription(
            .costedTrips, "costedTrips", "costed_trips", "Costed trips", .count,
            sql: "COUNT(cost_cents) FILTER (WHERE status = 'completed')", partial: ["cost"],
            "Trips that have a cost."),
        KPIDescription(
            .costPerTrip, "costPerTrip", "cost_per_trip_dollars", "Cost per trip", .dollars, better: .lower,
            .ratio(of: .totalCost, over: [.costedTrips]), partial: ["cost"], isOnScreen: true,
            "Total cost over the costed trips."),
        KPIDescription(
            .costNotRun, "costNotRun", "cost_not_run_dollars", "Cost of trips not run", .dollars, better: .lower,
            of: .notRun,
            sql: "COALESCE(SUM(cost_cents) FILTER (WHERE status IN ('cancelled', 'no_show')), 0)", partial: [],
            "Cost of cancelled trips and no-shows; in no other figure. For staff only."),
    ]

    private static let miles = [
        KPIDescription(
            .loadedMiles, "loadedMiles", "loaded_miles", "Loaded miles", .miles,
            sql: "COALESCE(SUM(loaded_hundredths) FILTER (WHERE status = 'completed'), 0)", partial: ["loadedMiles"],
            "Miles with a patient on board."),
        KPIDescription(
            .unloadedMiles, "unloadedMiles", "unloaded_miles", "Unloaded miles", .miles,
            sql: "COALESCE(SUM(unloaded_hundredths) FILTER (WHERE status = 'completed'), 0)",
            partial: ["unloadedMiles"], "Miles without a patient."),
        KPIDescription(
            .costPerLoadedMile, "costPerLoadedMile", "cost_per_loaded_mile_dollars", "Cost per loaded mile", .dollars,
            better: .lower,
            .ratioOfTripsWithBoth(of: .totalCost, over: .loadedMiles),
            partial: ["cost", "loadedMiles", "costPerLoadedMile"], isOnScreen: true,
            "Cost over loaded miles, of the trips that have both. Release: only where every trip that has one has both."
        ),
        KPIDescription(
            .loadedMileRatio, "loadedMileRatio", "loaded_mile_ratio", "Loaded share of miles", .share, better: .higher,
            .ratio(of: .loadedMiles, over: [.loadedMiles, .unloadedMiles]),
            partial: ["loadedMiles", "unloadedMiles"], "Loaded miles of all miles."),
    ]

    private static func interval(_ place: Int, _ interval: MeasuredInterval) -> [KPIDescription] {
        let name = interval.name
        let pair = "from \(interval.start) to \(interval.end)"
        return IntervalStatistic.allCases.map { statistic in
            let measure = Measure(ofInterval: place, statistic)
            func described(
                _ column: String, _ title: String, _ format: FigureFormat, better: KPIDescription.Direction,
                _ definition: String
            ) -> KPIDescription {
                KPIDescription(
                    measure, "\(name).\(statistic.rawValue)", "\(name)_\(column)", title, format, better: better,
                    statistic.isCount ? .sum : .statistic(of: Measure(ofInterval: place, .used)),
                    percent: statistic.percent, partial: [name],
                    isOnScreen: measure == .durationMean || measure == .responseP90, definition)
            }
            return switch statistic {
            case .used:
                described("used", "\(name) used", .count, better: .neither, "\(statistic.meaning) \(pair) counts.")
            case .excluded:
                described(
                    "excluded", "\(name) excluded", .count, better: .lower,
                    "Trips where it is missing, negative or too long.")
            case .mean:
                described(
                    "mean_seconds", "Average \(name)", .tenthsOfSeconds, better: interval.better,
                    "\(statistic.meaning) \(pair).")
            default:
                described(
                    "\(statistic.rawValue)_seconds",
                    statistic.percent == 50 ? "Median \(name)" : "\(name) \(statistic.rawValue)", .seconds,
                    better: interval.better, "\(statistic.meaning) \(pair), nearest rank.")
            }
        }
    }
}
