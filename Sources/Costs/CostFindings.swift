/// What the checks found: all of it counted, the dearest of each check listed.
package struct CostFindings: Sendable {
    package struct Total: Sendable, Hashable {
        package var trips = 0
        package var costCents = 0
    }

    package struct Listed: Sendable {
        package var trip: CostTrip
        package var place: CostPlace
        /// Trips of one check that belong together; 0: it stands alone.
        package var group: Int32
    }

    package let most: Int
    package private(set) var totals: [CostCheck: Total] = [:]
    private var lists: [CostCheck: [Listed]] = [:]

    /// - Parameter most: trips of each check that are listed.
    package init(most: Int = 1000) {
        self.most = most
    }

    package mutating func add(
        _ trip: CostTrip, flags: CostFlags, at place: CostPlace, group: (CostCheck) -> Int32 = { _ in 0 }
    ) {
        for check in flags.checks {
            totals[check, default: Total()].trips += 1
            totals[check, default: Total()].costCents += trip.costCents ?? 0
            lists[check, default: []].append(Listed(trip: trip, place: place, group: group(check)))
            if lists[check, default: []].count >= 2 * most { shorten(check) }
        }
    }

    private mutating func shorten(_ check: CostCheck) {
        lists[check] = Array(lists[check, default: []].sorted(by: Self.isDearer).prefix(most))
    }

    private static func isDearer(_ a: Listed, _ b: Listed) -> Bool {
        let left = a.trip.costCents ?? .min, right = b.trip.costCents ?? .min
        return left != right ? left > right : (a.place.high, a.place.low) < (b.place.high, b.place.low)
    }

    /// At most `most`, the dearest; those of one group together, in the order of its dearest.
    package func listed(_ check: CostCheck) -> [Listed] {
        let dearest = (lists[check] ?? []).sorted(by: Self.isDearer).prefix(most)
        guard check.needsExports else { return Array(dearest) }
        var ranks: [Int32: Int] = [:]
        for listed in dearest where ranks[listed.group] == nil { ranks[listed.group] = ranks.count }
        return dearest.enumerated().sorted {
            (ranks[$0.element.group] ?? 0, $0.offset) < (ranks[$1.element.group] ?? 0, $1.offset)
        }.map(\.element)
    }
}

/// Where a trip is found again: of a store its internal key, of exports the number of the file and the byte at which the
/// record begins.
package struct CostPlace: Sendable, Hashable {
    package var high: Int64
    package var low: Int64

    package init(high: Int64, low: Int64) {
        self.high = high
        self.low = low
    }
}
