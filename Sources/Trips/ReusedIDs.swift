/// Trips of one export that have the id of another export's trip and are no version of it: an id that comes again a year later, or in
/// another region. If they were taken for corrections, the earlier trips would vanish.
///
/// Only records that say nothing of their version are compared: with `updated_at` or `sequence` the systems vouch for it.
package struct ReusedIDs: Sendable, Hashable {
    /// Records that replace one of another export, or are replaced by one.
    package var compared = 0
    /// Of those, the ones that are of another trip.
    package var others = 0

    /// Corrections of dates are of days.
    private static let mostDaysCorrected: Int32 = 7
    /// One or two may be slips.
    private static let fewestOthers = 3

    package init() {}

    package mutating func compare(
        day: Int32, region: UInt8, with otherDay: Int32, _ otherRegion: UInt8
    ) {
        compared += 1
        let days = (day - otherDay).magnitude
        let differsInRegion = region != 0 && otherRegion != 0 && region != otherRegion
        if days > Self.mostDaysCorrected.magnitude || days > 0 && differsInRegion { others += 1 }
    }

    package mutating func merge(_ other: ReusedIDs) {
        compared += other.compared
        others += other.others
    }

    /// Whether more than one in a hundred is of another trip.
    package var areDoubtful: Bool { others >= Self.fewestOthers && others * 100 > compared }

    package var problem: String {
        "\(others) of \(compared) trips that come again in another export are more than a week apart, or on other days in other "
            + "regions: the ids are not unique, and one of each two trips would vanish"
    }

    package static let remedy =
        "map another column, or add one as leg_id, so that each trip has an id of its own (or give each year or region a `source:` "
        + "of its own); if the later records are corrections, write `records: versions` into the profile"
}
