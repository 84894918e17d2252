import Profiles

/// What shows that records are not those of one trip, or not all of them.
enum CompositionDoubt: CaseIterable {
    /// The records are of more than one vehicle.
    case severalVehicles
    /// Their days are more than a week apart.
    case farApart
    /// A base rate is charged twice.
    case repeatedBase
    /// The total of the bill is on each of its lines, or is a line beside them.
    case repeatedCost
    /// Several mileage lines have the same loaded miles: those of the trip, on each line.
    case repeatedMiles
    /// The units of mileage lines are 1 each, beside loaded miles.
    case unitsOfOne
    /// Mileage without a base rate, an amount taken back that is not there, or a total below 0.
    case partOfLines
    /// The end of a trip without its beginning.
    case partOfEvents

    /// The check fails if more than one in so many trips has it.
    func leastShare(in kind: RecordKind) -> Int {
        switch self {
        // The bills of a trip may name a second vehicle, such as that of an assist.
        case .severalVehicles: kind == .events ? 100 : 10
        case .farApart: 100
        // A round trip may be billed so.
        case .repeatedBase, .repeatedMiles, .repeatedCost: 10
        case .unitsOfOne: 2
        case .partOfLines, .partOfEvents: 20
        }
    }

    func text(ofTrips count: Int) -> String {
        let trips = Self.trips(count)
        return switch self {
        case .severalVehicles: "\(trips) with records of several vehicles"
        case .farApart: "\(trips) with records more than a week apart"
        case .repeatedBase: "\(trips) with the same base rate twice"
        case .repeatedCost: "\(trips) with the same amount on all lines, or with a line that is the sum of the others"
        case .unitsOfOne: "\(trips) with 1 unit on each mileage line beside other loaded miles"
        case .repeatedMiles: "\(trips) with the same loaded miles on several mileage lines, which are added up"
        case .partOfLines:
            "\(trips) with only a part of the lines (mileage or extras without a base rate, an amount taken back that is not there, or a "
                + "total below 0)"
        case .partOfEvents: "\(trips) with only the end of the status changes (no notification)"
        }
    }

    var remedy: String {
        switch self {
        case .severalVehicles: "map the vehicle as leg_id, so that each vehicle has a trip of its own"
        case .farApart:
            "the id is not unique: map another column, or add one as leg_id, so that each trip has an id of its own"
        case .repeatedBase:
            "if a later record corrects the earlier, write `records: versions`; if each vehicle has a bill of its own, map it as "
                + "leg_id"
        case .repeatedCost:
            "map the amount of the line as cost, not the total of the bill; leave rows of totals out with `filter:`"
        case .unitsOfOne: "do not map units, which count lines here; the mileage lines then have their loaded_miles"
        case .repeatedMiles:
            "if each mileage line has miles of its own, map that column as units; else do not map loaded_miles: have the units of "
                + "the lines exported"
        case .partOfLines:
            "have all lines of a trip sent in one export: the lines of a later export replace all earlier lines of a trip"
        case .partOfEvents:
            "have all status changes of a trip sent in one export, chosen by the trip and not by the time of the change: a later "
                + "export replaces all that earlier ones have of a trip"
        }
    }

    static func trips(_ count: Int) -> String { count == 1 ? "1 trip" : "\(count) trips" }
}
