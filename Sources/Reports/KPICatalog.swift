package import KPIContract
package import Trips

/// What each KPI is called, counted in and made of: the one description that all outputs share.
package enum KPICatalog {
    package static let all: [KPIDescription] =
        counts + sourcing + costs + miles + TripInterval.allCases.flatMap(interval)

    package static func description(named name: String) -> KPIDescription? {
        all.first { $0.name == name }
    }

    static let counts = [
        KPIDescription("trips", "trips", "Trips", .trips, "Completed trips.") { $0.trips?.description },
        KPIDescription("cancelled", "cancelled", "Cancelled", .trips, "Cancelled trips; in no other figure.") {
            $0.cancelled?.description
        },
        KPIDescription("noShow", "no_show", "No-show", .trips, "Trips without a patient; in no other figure.") {
            $0.noShow?.description
        },
    ]

    static let sourcing = [
        KPIDescription("inHouse", "in_house", "In-house", .trips, "Trips that the health system ran itself.") {
            $0.inHouse?.description
        },
        KPIDescription("contracted", "contracted", "Contracted", .trips, "Trips that a contractor ran.") {
            $0.contracted?.description
        },
        KPIDescription("unclassified", "unclassified", "Unclassified", .trips, "Trips that no rule sorted.") {
            $0.unclassified?.description
        },
        KPIDescription(
            "inHousePercent", "in_house_percent", "In-house share", .percent,
            "In-house of in-house and contracted trips, rounded half up."
        ) { $0.inHousePercent?.description },
        KPIDescription(
            "inHouseShare", "in_house_share", "In-house share", .share, "In-house of in-house and contracted trips."
        ) { $0.inHouseShare?.description },
    ]

    static let costs = [
        KPIDescription("totalCost", "total_cost_dollars", "Total cost", .dollars, "What was paid or is payable.") {
            $0.totalCost?.description
        },
        KPIDescription(
            "inHouseCost", "in_house_cost_dollars", "In-house cost", .dollars, "Cost of the in-house trips."
        ) { $0.inHouseCost?.description },
        KPIDescription(
            "contractedCost", "contracted_cost_dollars", "Contracted cost", .dollars, "Cost of the contracted trips."
        ) { $0.contractedCost?.description },
        KPIDescription("costedTrips", "costed_trips", "Costed trips", .trips, "Trips that have a cost.") {
            $0.costedTrips?.description
        },
        KPIDescription(
            "costPerTrip", "cost_per_trip_dollars", "Cost per trip", .dollars, "Total cost over the costed trips."
        ) { $0.costPerTrip?.description },
    ]

    static let miles = [
        KPIDescription("loadedMiles", "loaded_miles", "Loaded miles", .miles, "Miles with a patient on board.") {
            $0.loadedMiles?.description
        },
        KPIDescription("unloadedMiles", "unloaded_miles", "Unloaded miles", .miles, "Miles without a patient.") {
            $0.unloadedMiles?.description
        },
        KPIDescription(
            "costPerLoadedMile", "cost_per_loaded_mile_dollars", "Cost per loaded mile", .dollars,
            "Cost over loaded miles, of the trips that have both."
        ) { $0.costPerLoadedMile?.description },
        KPIDescription(
            "loadedMileRatio", "loaded_mile_ratio", "Loaded share of miles", .share, "Loaded miles of all miles."
        ) { $0.loadedMileRatio?.description },
    ]

    static func interval(_ interval: TripInterval) -> [KPIDescription] {
        let name = interval.name
        let pair = "from \(interval.standardPair.start.words) to \(interval.standardPair.end.words)"
        return [
            KPIDescription(
                "\(name).used", "\(name)_used", "\(name) used", .trips, "Trips whose time \(pair) counts."
            ) { $0[interval].used?.description },
            KPIDescription(
                "\(name).excluded", "\(name)_excluded", "\(name) excluded", .trips,
                "Trips where it is missing, negative or too long."
            ) { $0[interval].excluded?.description },
            KPIDescription("\(name).mean", "\(name)_mean_seconds", "Average \(name)", .seconds, "Mean time \(pair).") {
                $0[interval].mean?.description
            },
            KPIDescription(
                "\(name).p50", "\(name)_p50_seconds", "Median \(name)", .seconds, "Median time \(pair), nearest rank."
            ) { $0[interval].p50?.description },
            KPIDescription(
                "\(name).p90", "\(name)_p90_seconds", "\(name) p90", .seconds,
                "Nine in ten trips took this long or less \(pair), nearest rank."
            ) { $0[interval].p90?.description },
        ]
    }
}

/// One KPI of a cell.
package struct KPIDescription: Sendable {
    package enum Unit: String, Sendable {
        case trips, percent, share, dollars, miles, seconds
    }

    /// The key in the dashboard contract; `duration.mean` inside an interval.
    package let name: String
    /// The column in CSV, with its unit.
    package let column: String
    package let title: String
    package let unit: Unit
    package let definition: String
    /// The figure as canonical text; nil where it is hidden or has no value.
    package let text: @Sendable (KPISummaryV1.Cell) -> String?

    init(
        _ name: String, _ column: String, _ title: String, _ unit: Unit, _ definition: String,
        text: @escaping @Sendable (KPISummaryV1.Cell) -> String?
    ) {
        self.name = name
        self.column = column
        self.title = title.prefix(1).uppercased() + title.dropFirst()
        self.unit = unit
        self.definition = definition
        self.text = text
    }
}

extension KPISummaryV1.Cell {
    package subscript(interval: TripInterval) -> KPISummaryV1.Interval {
        switch interval {
        case .duration: duration
        case .response: response
        case .turnout: turnout
        case .scene: scene
        case .transport: transport
        case .turnaround: turnaround
        }
    }
}

extension TripEvent {
    /// As people say it.
    var words: String {
        switch self {
        case .requested: "request"
        case .unitNotified: "unit notified"
        case .enRoute: "en route"
        case .onScene: "on scene"
        case .leftScene: "left scene"
        case .arrived: "arrived"
        case .completed: "completed"
        }
    }
}
