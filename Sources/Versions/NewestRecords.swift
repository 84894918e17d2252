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

    private var newest: [TripKey: (rank: RecordRank<Int>, place: Int)] = [:]
    private var count = 0
    private let isUnique: Bool
    /// Records that are not the newest of their trip.
    package private(set) var superseded = 0

    /// - Parameter isUnique: whether no trip comes twice: then nothing is compared or held.
    package init(isUnique: Bool = false) { self.isUnique = isUnique }

    /// - Parameter batch: with versions and keys.
    package mutating func add(_ batch: borrowing TripBatch, row: Int) -> Decision {
        if isUnique { return .firstOfTrip }
        let stamp = batch.versions[row]
        let key = TripKey(high: Int64(bitPattern: batch.keyHashes[row]), low: Int64(bitPattern: stamp.keyCheck))
        let rank = RecordRank(stamp.version, at: RecordLocation(batch.offsets[row]))
        guard let known = newest[key] else {
            newest[key] = (rank, count)
            count += 1
            return .firstOfTrip
        }
        superseded += 1
        guard known.rank < rank else { return .older }
        newest[key] = (rank, known.place)
        return .newer(place: known.place)
    }
}
