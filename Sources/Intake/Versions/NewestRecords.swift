package import Trips

/// Finds the newest record of each trip among keyed batches that come in any order, for callers that hold all trips.
package struct NewestRecords: Sendable {
    /// What becomes of a record. Places count up from 0, one a trip.
    package enum Decision: Sendable {
        case firstOfTrip
        /// It replaces the record that has this place.
        case newer(place: Int)
        case older
    }

    private struct Newest {
        var rank: RecordRank<Int>
        var place: Int
        var trip: ReplacedTrips.Traits
        var contentHash: UInt64
        var location: RecordLocation
    }

    private var newest: [TripKey: Newest] = [:]
    private var count = 0
    private let isUnique: Bool
    /// Records that are not the newest of their trip.
    package private(set) var superseded = 0
    package private(set) var replacedTrips = ReplacedTrips()

    /// - Parameter isUnique: whether no trip comes twice: then nothing is compared or held.
    package init(isUnique: Bool = false) { self.isUnique = isUnique }

    /// - Parameter batch: with versions and keys.
    package mutating func add(_ batch: borrowing TripBatch, row: Int) -> Decision {
        if isUnique { return .firstOfTrip }
        let stamp = batch.versions[row]
        let key = TripKey(high: Int64(bitPattern: batch.keyHashes[row]), low: Int64(bitPattern: stamp.keyCheck))
        var record = Newest(
            rank: RecordRank(stamp.version, at: RecordLocation(batch.offsets[row])), place: count,
            trip: ReplacedTrips.Traits(batch, row: row), contentHash: stamp.contentHash,
            location: RecordLocation(batch.offsets[row]))
        guard let known = newest[key] else {
            newest[key] = record
            count += 1
            return .firstOfTrip
        }
        superseded += 1
        let isOlder = !(known.rank < record.rank)
        compare(isOlder ? known : record, replacing: isOlder ? record : known)
        if isOlder { return .older }
        record.place = known.place
        newest[key] = record
        return .newer(place: known.place)
    }

    private mutating func compare(_ later: Newest, replacing earlier: Newest) {
        guard later.contentHash != earlier.contentHash else { return }
        let isOfOther = later.rank.export != earlier.rank.export, haveVersions = later.rank.version != TripVersion()
        guard haveVersions || isOfOther else { return }
        let isStated = earlier.rank.version != TripVersion()
        replacedTrips.compare(
            later.trip, replacing: earlier.trip,
            versions: !haveVersions ? .none : !isStated && isOfOther ? .onlyOfLater : .stated,
            at: RecordPair(later: later.location, earlier: earlier.location))
    }
}
