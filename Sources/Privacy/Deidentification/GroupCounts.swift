/// Counts the trips of each group, then admits a multiple of `minimum` of each.
///
/// A count of rows therefore discloses only a range of `minimum` numbers of trips, which never lies inside 1 to
/// `minimum - 1`, and a group with fewer trips has no rows. Trips that were shown before are admitted first, then those with
/// the first random ids: so the rows of all nights together are a multiple too, as long as no trip leaves the group.
package struct GroupCounts: Sendable {
    private struct Group {
        var trips = 0
        var shown = 0
    }

    private let minimum: Int
    private var groups: [DeidentifiedTrip.Group: Group] = [:]

    /// - Parameter minimum: 1 admits all.
    package init(minimum: Int) {
        self.minimum = max(1, minimum)
    }

    package mutating func count(_ trip: DeidentifiedTrip, wasShown: Bool = false) {
        groups[trip.group, default: Group()].trips += 1
        if wasShown { groups[trip.group]?.shown += 1 }
    }

    /// How many trips of each group are admitted.
    package var quota: Quota {
        Quota(
            left: groups.mapValues { group in
                let all = group.trips - group.trips % minimum
                let shown = min(group.shown, all)
                return Quota.Places(shown: shown, new: all - shown)
            })
    }

    /// How many more trips are admitted.
    package struct Quota: Sendable {
        fileprivate struct Places {
            var shown: Int
            var new: Int
        }

        fileprivate var left: [DeidentifiedTrip.Group: Places]

        /// Call it once a trip, in the order of the ids.
        package mutating func admits(_ trip: DeidentifiedTrip, wasShown: Bool = false) -> Bool {
            let places: WritableKeyPath<Places, Int> = wasShown ? \.shown : \.new
            guard let free = left[trip.group]?[keyPath: places], free > 0 else { return false }
            left[trip.group]?[keyPath: places] -= 1
            return true
        }
    }
}
