import Basics
import Intake
import Profiles
import Store
import Trips

/// The first trips of an export, under the keys that they have as trips of another source.
struct FirstTrips: TripConsumer {
    private static let limit = 1024
    private var trips: [TripKey: ReplacedTrips.Traits] = [:]

    /// Looks whether the store has most of the first trips of a month under their ids as trips of another source. Only months are
    /// compared of which the store does not have trips of this source already.
    ///
    /// - Parameter reader: the export, opened by the request.
    static func repeated(
        _ reader: ExportReader, _ request: ExportReader.Request, in store: TripStore
    ) throws -> RepeatedTrips? {
        guard reader.profile.supplement == nil else { return nil }
        for source in try RepeatedTrips.sources(beside: reader.profile.source, in: store) {
            var request = request.leavingNoTrace()
            request.profile = reader.profile
            request.profile?.source = source
            let trips = try ExportReader(request).readFirst { FirstTrips() }
                .reduce(into: [:]) { $0.merge($1) { first, _ in first } }
            let byMonth = Dictionary(grouping: trips) { CivilDay(daysSince1970: $0.value.day).month }
            let months = try RepeatedTrips.newMonths(Set(byMonth.keys), of: reader.profile.source, in: store)
            // They are the same beside each source.
            if months.isEmpty { return nil }
            for month in months.sorted() {
                let trips = Dictionary(uniqueKeysWithValues: (byMonth[month] ?? []).map { ($0.key, $0.value) })
                if let found = try RepeatedTrips.find(trips, of: source, in: store) { return found }
            }
        }
        return nil
    }

    mutating func take(_ batch: inout TripBatch, from worker: ExportWorker) -> Bool {
        for row in 0..<batch.count {
            let key = TripKey(
                high: Int64(bitPattern: batch.keyHashes[row]), low: Int64(bitPattern: batch.versions[row].keyCheck))
            trips[key] = ReplacedTrips.Traits(batch, row: row)
        }
        return trips.count < Self.limit
    }

    mutating func finish() -> [TripKey: ReplacedTrips.Traits] { trips }
}
