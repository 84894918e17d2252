package import Trips

extension KPITally {
    /// Adds trips; if it throws, the tally is as it was.
    package mutating func add(_ trips: [TripFacts]) throws(TripOutsideTally) {
        guard !trips.isEmpty else { return }
        var batch = TripBatch(capacity: trips.count, textFields: [])
        for trip in trips { try batch.append(trip, for: shape) }
        add(batch)
    }
}

extension TripBatch {
    /// Adds a trip as a row, for tallies: its texts stay behind.
    package mutating func append(_ trip: TripFacts, for shape: KPITally.Shape) throws(TripOutsideTally) {
        guard trip.region < shape.regionCount, trip.tripType < shape.tripTypeCount,
            Int(trip.intervals.max()) <= shape.maximumIntervalSeconds
        else { throw TripOutsideTally() }
        let row = count
        month[row] = trip.month
        day[row] = trip.day
        status[row] = trip.status
        region[row] = trip.region
        tripType[row] = trip.tripType
        sourcing[row] = trip.sourcing
        warnings[row] = trip.warnings
        for interval in intervals.indices { intervals[interval][row] = trip.intervals[interval] }
        costCents[row] = trip.costCents
        loadedHundredths[row] = trip.loadedHundredths
        unloadedHundredths[row] = trip.unloadedHundredths
        patientHashes[row] = trip.patient
        count += 1
    }
}

/// A trip has a region, trip type or interval that is not among those of a tally.
package struct TripOutsideTally: Error, Sendable, Hashable, CustomStringConvertible {
    package init() {}

    package var description: String { "a trip has a region, type or interval that is not in the store's lists" }
}
