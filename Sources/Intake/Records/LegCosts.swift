import ExportBytes
import Profiles
import Trips

/// Whether the legs of a trip, or its vehicles, each have the cost of the whole trip, which is then added up several times.
enum LegCosts {
    private static let firstRecords = 2048
    private static let fewestTrips = 10

    /// Nil: they have not, or it cannot be seen. Fares that are the same for all trips are the same for both ways too.
    static func note(_ reader: ExportReader) throws(ExportError) -> String? {
        guard reader.fileBytes != nil, !reader.hasParentAmounts, reader.plan.legID != nil, reader.inventory.has(.cost)
        else { return nil }
        var request = reader.request.leavingNoTrace()
        request.profile = reader.profile
        // The incident is the trip's id where nothing else is.
        if reader.profile.records == .units, reader.profile.columns[.tripID] == nil {
            request.profile?.columns[.tripID] = reader.profile.columns[.incidentID]
        }
        request.profile?.records = .versions
        request.profile?.columns[.legID] = nil
        request.profile?.constants[.legID] = nil
        let read = try ExportReader(request).readTrips(workers: 1, hasVersions: true) { _ in
            FirstCosts(limit: firstRecords)
        }
        let trips = read.outcomes.flatMap(\.values).filter { $0.count > 1 }
        let repeated = trips.filter { costs in Set(costs).count == 1 && costs[0] > 0 }
        guard repeated.count >= fewestTrips, repeated.count * 2 > trips.count,
            Set(repeated.map { $0[0] }).count * 2 > repeated.count
        else { return nil }
        return
            "\(repeated.count) of the first \(trips.count) trips with several legs or vehicles have the same cost in each of them, and "
            + "all are added up: if it is the cost of the whole trip, have it exported in one of its records"
    }
}

/// The costs of the first records, by the hash of the trip.
private struct FirstCosts: TripConsumer {
    let limit: Int
    private var costs: [UInt64: [Int]] = [:]
    private var records = 0

    init(limit: Int) { self.limit = limit }

    mutating func take(_ batch: inout TripBatch, from worker: ExportWorker) -> Bool {
        for row in 0..<batch.count where batch.costCents[row] != AmountState.absent {
            costs[batch.keyHashes[row], default: []].append(batch.costCents[row])
        }
        records += batch.count
        return records < limit
    }

    mutating func finish() -> [UInt64: [Int]] { costs }
}
