/// Why a measure of a trip is not counted although the trip is. The raw value is the code users see.
package enum WarningCode: String, CaseIterable, Sendable, Hashable {
    case badTime = "bad_time"
    case skippedLocalTime = "skipped_local_time"
    case ambiguousLocalTime = "ambiguous_local_time"
    case badVersion = "bad_version"
    case badCost = "bad_cost"
    case badMiles = "bad_miles"
    case negativeMiles = "negative_miles"
    case odometerReversed = "odometer_reversed"
    case intervalMissing = "interval_missing"
    case intervalNegative = "interval_negative"
    case intervalTooLong = "interval_too_long"
    case unmappedRegion = "unmapped_region"
    case unmappedTripType = "unmapped_trip_type"
    case costOnUncompletedTrip = "cost_on_uncompleted_trip"
    case implausibleMiles = "implausible_miles"

    /// The code's place in a dense array of counts.
    package var index: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    /// What it means, in one sentence.
    package var explanation: String {
        switch self {
        case .badTime: "a time is present and cannot be read"
        case .skippedLocalTime: "a local time lies in the hour that daylight saving skips"
        case .ambiguousLocalTime: "a local time lies in the repeated hour and the other times do not settle which one"
        case .badVersion: "updated_at or sequence is present and cannot be read; the record is its trip's oldest"
        case .badCost: "a cost is present and is not an exact amount of money, or is over 100 million dollars"
        case .badMiles: "a distance is present and is not a number"
        case .negativeMiles: "a distance is below zero"
        case .odometerReversed: "the odometer's end lies before its start"
        case .intervalMissing: "an interval lacks one of its two times"
        case .intervalNegative: "an interval ends before it starts"
        case .intervalTooLong: "an interval is longer than the limit (24 h unless set)"
        case .unmappedRegion: "the region is not one that the profile maps; counted as Unassigned"
        case .unmappedTripType: "the trip type is not one that the profile maps; counted as Unassigned"
        case .costOnUncompletedTrip: "a cancelled or no-show trip has a cost; it is in `costNotRun` and in no other sum"
        case .implausibleMiles: "a distance is over the limit (500 miles, by air 3000, unless set); it is in no sum"
        }
    }
}
