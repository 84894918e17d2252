import Profiles

/// What shows that records are not those of one trip, or not all of them.
enum CompositionDoubt: CaseIterable {
    /// The records are of more than one vehicle.
    case severalVehicles
    /// Their days are more than a week apart.
    case farApart
    /// A base rate is charged twice.
    case repeatedBase
    /// Mileage without a base rate, or an amount taken back that is not there.
    case partOfLines

    /// The check fails if more than one in so many trips has it.
    func leastShare(in kind: RecordKind) -> Int {
        switch self {
        // The bills of a trip may name a second vehicle, such as that of an assist.
        case .severalVehicles: kind == .events ? 100 : 10
        case .farApart: 100
        // A round trip may be billed so.
        case .repeatedBase: 10
        case .partOfLines: 20
        }
    }

    func text(ofTrips count: Int) -> String {
        let trips = Self.trips(count)
        return switch self {
        case .severalVehicles: "\(trips) with records of several vehicles"
        case .farApart: "\(trips) with records more than a week apart"
        case .repeatedBase: "\(trips) with the same base rate twice"
        case .partOfLines:
            "\(trips) with only a part of the lines (mileage without a base rate, or an amount taken back that is not there)"
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
        case .partOfLines:
            "have all lines of a trip sent in one export: the lines of a later export replace all earlier lines of a trip"
        }
    }

    static func trips(_ count: Int) -> String { count == 1 ? "1 trip" : "\(count) trips" }
}
