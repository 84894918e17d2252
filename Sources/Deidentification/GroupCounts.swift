/// Counts the trips of each group, then admits a multiple of `minimum` of each.
///
/// A count of rows therefore discloses only a range of `minimum` numbers of trips, which never lies inside 1 to
/// `minimum - 1`, and a group with fewer trips has no rows. Chance decides which trips are left out: those with the last
/// random ids.
package struct GroupCounts: Sendable {
    private let minimum: Int
    private var trips: [DeidentifiedTrip.Group: Int] = [:]

    /// - Parameter minimum: 1 admits all.
    package init(minimum: Int) {
        self.minimum = max(1, minimum)
    }

    package mutating func count(_ trip: DeidentifiedTrip) { trips[trip.group, default: 0] += 1 }

    /// How many trips of each group are admitted.
    package var quota: Quota { Quota(left: trips.mapValues { $0 - $0 % minimum }) }
    /// How many more trips are admitted.
    package struct Quota: Sendable {
        fileprivate var left: [DeidentifiedTrip.Group: Int]

        /// Call it once a trip, in the order of the ids.
        package mutating func admits(_ trip: DeidentifiedTrip) -> Bool {
            guard let left = left[trip.group], left > 0 else { return false }
            self.left[trip.group] = left - 1
            return true
        }
    }
}
