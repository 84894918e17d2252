/// What each KPI is called, counted in, made of and good for: the one description that all outputs share.
///
/// It stands beside the contract because the outputs that read nothing but the contract need it too.
package enum KPICatalog {
    package static let all: [KPIDescription] =
        counts + sourcing + costs + miles + MeasuredInterval.all.flatMap(interval)

    package static func description(named name: String) -> KPIDescription? {
        all.first { $0.name == name }
    }

    private static let counts = [
        KPIDescription("trips", "trips", "Trips", .count, "Completed trips.") { $0.trips },
        KPIDescription(
            "cancelled", "cancelled", "Cancelled", .count, better: .lower, "Cancelled trips; in no other figure."
        ) {
            $0.cancelled
        },
        KPIDescription(
            "noShow", "no_show", "No-show", .count, better: .lower, "Trips without a patient; in no other figure."
        ) {
            $0.noShow
        },
    ]

    private static let sourcing = [
        KPIDescription("inHouse", "in_house", "In-house", .count, "Trips that the health system ran itself.") {
            $0.inHouse
        },
        KPIDescription("contracted", "contracted", "Contracted", .count, "Trips that a contractor ran.") {
            $0.contracted
        },
        KPIDescription(
            "unclassified", "unclassified", "Unclassified", .count, better: .lower, "Trips that no rule sorted."
        ) {
            $0.unclassified
        },
        KPIDescription(
            "inHousePercent", "in_house_percent", "In-house share", .percent, better: .higher,
            none: .whereSumIsZero(["inHouse", "contracted"]),
            "In-house of in-house and contracted trips, rounded half up."
        ) { $0.inHousePercent },
        KPIDescription(
            "inHouseShare", "in_house_share", "In-house share", .share, better: .higher,
            none: .whereSumIsZero(["inHouse", "contracted"]), "In-house of in-house and contracted trips."
        ) { $0.inHouseShare?.tenThousandths },
    ]

    private static let costs = [
        KPIDescription("totalCost", "total_cost_dollars", "Total cost", .dollars, "What was paid or is payable.") {
            $0.totalCost?.cents
        },
        KPIDescription(
            "inHouseCost", "in_house_cost_dollars", "In-house cost", .dollars, "Cost of the in-house trips."
        ) { $0.inHouseCost?.cents },
        KPIDescription(
            "contractedCost", "contracted_cost_dollars", "Contracted cost", .dollars, "Cost of the contracted trips."
        ) { $0.contractedCost?.cents },
        KPIDescription("costedTrips", "costed_trips", "Costed trips", .count, "Trips that have a cost.") {
            $0.costedTrips
        },
        KPIDescription(
            "costPerTrip", "cost_per_trip_dollars", "Cost per trip", .dollars, better: .lower,
            none: .whereSumIsZero(["costedTrips"]), "Total cost over the costed trips."
        ) { $0.costPerTrip?.cents },
    ]

    private static let miles = [
        KPIDescription("loadedMiles", "loaded_miles", "Loaded miles", .miles, "Miles with a patient on board.") {
            $0.loadedMiles?.tenths
        },
        KPIDescription("unloadedMiles", "unloaded_miles", "Unloaded miles", .miles, "Miles without a patient.") {
            $0.unloadedMiles?.tenths
        },
        KPIDescription(
            "costPerLoadedMile", "cost_per_loaded_mile_dollars", "Cost per loaded mile", .dollars, better: .lower,
            none: .whereShown(["totalCost", "loadedMiles"]),
            "Cost over loaded miles. Staff: of the trips that have both. Release: total cost over loaded miles, as published."
        ) { $0.costPerLoadedMile?.cents },
        KPIDescription(
            "loadedMileRatio", "loaded_mile_ratio", "Loaded share of miles", .share, better: .higher,
            none: .whereSumIsZero(["loadedMiles", "unloadedMiles"]), "Loaded miles of all miles."
        ) { $0.loadedMileRatio?.tenThousandths },
    ]

    private static func interval(_ interval: MeasuredInterval) -> [KPIDescription] {
        let name = interval.name
        let pair = "from \(interval.start) to \(interval.end)"
        let none = KPIDescription.Absence.whereSumIsZero(["\(name).used"])
        return [
            KPIDescription("\(name).used", "\(name)_used", "\(name) used", .count, "Trips whose time \(pair) counts.") {
                interval.of($0).used
            },
            KPIDescription(
                "\(name).excluded", "\(name)_excluded", "\(name) excluded", .count, better: .lower,
                "Trips where it is missing, negative or too long."
            ) { interval.of($0).excluded },
            KPIDescription(
                "\(name).mean", "\(name)_mean_seconds", "Average \(name)", .tenthsOfSeconds, better: interval.better,
                none: none,
                "Mean time \(pair)."
            ) { interval.of($0).mean?.tenths },
            KPIDescription(
                "\(name).p50", "\(name)_p50_seconds", "Median \(name)", .seconds, better: interval.better, none: none,
                "Median time \(pair), nearest rank."
            ) { interval.of($0).p50 },
            KPIDescription(
                "\(name).p90", "\(name)_p90_seconds", "\(name) p90", .seconds, better: interval.better, none: none,
                "Nine in ten trips took this long or less \(pair), nearest rank."
            ) { interval.of($0).p90 },
        ]
    }
}

/// One of the contract's six intervals, with the events it runs between unless `dateBasis` says otherwise.
struct MeasuredInterval: Sendable {
    let name: String
    let start: String
    let end: String
    /// A longer way takes longer: how long transport takes is neither good nor bad.
    var better: KPIDescription.Direction { name == "transport" ? .neither : .lower }
    let of: @Sendable (KPISummaryV1.Cell) -> KPISummaryV1.Interval

    /// In the contract's order.
    static let all = [
        MeasuredInterval(name: "duration", start: "unit notified", end: "completed") { $0.duration },
        MeasuredInterval(name: "response", start: "unit notified", end: "on scene") { $0.response },
        MeasuredInterval(name: "turnout", start: "unit notified", end: "en route") { $0.turnout },
        MeasuredInterval(name: "scene", start: "on scene", end: "left scene") { $0.scene },
        MeasuredInterval(name: "transport", start: "left scene", end: "arrived") { $0.transport },
        MeasuredInterval(name: "turnaround", start: "arrived", end: "completed") { $0.turnaround },
    ]
}
