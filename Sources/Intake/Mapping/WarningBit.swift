package import Trips

/// `1 << WarningCode.index`, as numbers: the hot loops use them. `WarningBitTests` compares them with the codes.
package enum WarningBit {
    static var badTime: UInt32 { 1 << 0 }
    static var skippedLocalTime: UInt32 { 1 << 1 }
    static var ambiguousLocalTime: UInt32 { 1 << 2 }
    static var badVersion: UInt32 { 1 << 3 }
    static var badCost: UInt32 { 1 << 4 }
    static var badMiles: UInt32 { 1 << 5 }
    static var negativeMiles: UInt32 { 1 << 6 }
    static var odometerReversed: UInt32 { 1 << 7 }
    static var intervalMissing: UInt32 { 1 << 8 }
    static var intervalNegative: UInt32 { 1 << 9 }
    static var intervalTooLong: UInt32 { 1 << 10 }
    static var unmappedRegion: UInt32 { 1 << 11 }
    static var unmappedTripType: UInt32 { 1 << 12 }
    static var costOnUncompletedTrip: UInt32 { 1 << 13 }
    static var implausibleMiles: UInt32 { 1 << 14 }

    /// By code, for the test.
    package static let byCode: [WarningCode: UInt32] = [
        .badTime: badTime,
        .skippedLocalTime: skippedLocalTime,
        .ambiguousLocalTime: ambiguousLocalTime,
        .badVersion: badVersion,
        .badCost: badCost,
        .badMiles: badMiles,
        .negativeMiles: negativeMiles,
        .odometerReversed: odometerReversed,
        .intervalMissing: intervalMissing,
        .intervalNegative: intervalNegative,
        .intervalTooLong: intervalTooLong,
        .unmappedRegion: unmappedRegion,
        .unmappedTripType: unmappedTripType,
        .costOnUncompletedTrip: costOnUncompletedTrip,
        .implausibleMiles: implausibleMiles,
    ]
}
