/// Counts the trips of each group, then lets a multiple of `minimum` of each through.
///
/// So a count of rows says no more of how many trips there are than a range of `minimum` numbers, which never lies
/// inside 1 to `minimum - 1`; and a group with fewer trips than that is not there at all. Which trips stay out is left to
/// chance: the ones with the last random ids.
package struct GroupCounts: Sendable {
    private let minimum: Int
    private var trips: [DeidentifiedTrip.Group: Int] = [:]

    /// - Parameter minimum: 1 lets all through.
    package init(minimum: Int) {
        self.minimum = max(1, minimum)
    }

    package mutating func count(_ trip: DeidentifiedTrip) { trips[trip.group, default: 0] += 1 }

    /// How many trips of each group go through.
    package var quota: Quota { Quota(left: trips.mapValues { $0 - $0 % minimum }) }

    /// What is still to go through.
    package struct Quota: Sendable {
        fileprivate var left: [DeidentifiedTrip.Group: Int]

        /// Asked once a trip, in the order of the ids.
        package mutating func admits(_ trip: DeidentifiedTrip) -> Bool {
            guard let left = left[trip.group], left > 0 else { return false }
            self.left[trip.group] = left - 1
            return true
        }
    }
}
