package import Trips

/// A sample of the pairs of records of which one replaced the other: the same for any number of workers.
///
/// A pair has a level by the hash of its trip: half of all pairs have level 0, a quarter level 1 and so on. Of many pairs those of the
/// lower levels are left out: of how many levels depends on the number of all pairs alone. A worker drops levels that its own pairs,
/// which are not more, would drop already.
package struct ReplacedSample: Sendable {
    /// So many pairs at most are wanted, in the long run.
    private static let most = 1024
    private static let levels = 40
    /// All, whether sampled or not.
    private var pairs = 0
    private var byLevel = Array(repeating: ReplacedTrips(), count: ReplacedSample.levels)

    package init() {}

    /// - Parameter key: the hash of a trip.
    static func level(of key: UInt64) -> Int {
        min(((key &* 0x9E37_79B9_7F4A_7C15) >> 20).trailingZeroBitCount, levels - 1)
    }

    /// The lowest level that is wanted of so many pairs.
    static func lowestLevel(of pairs: Int) -> Int {
        var level = 0
        while pairs >> level > most { level += 1 }
        return level
    }

    mutating func count(_ pairs: Int) { self.pairs += pairs }

    mutating func compare(
        _ trip: ReplacedTrips.Traits, replacing other: ReplacedTrips.Traits, versions: ReplacedTrips.Versions,
        at place: RecordPair, level: Int
    ) {
        byLevel[level].compare(trip, replacing: other, versions: versions, at: place)
    }

    package mutating func merge(_ other: ReplacedSample) {
        pairs += other.pairs
        for level in byLevel.indices { byLevel[level].merge(other.byLevel[level]) }
    }

    /// What the pairs of the wanted levels show.
    package var trips: ReplacedTrips {
        byLevel[Self.lowestLevel(of: pairs)...].reduce(into: ReplacedTrips()) { $0.merge($1) }
    }
}
