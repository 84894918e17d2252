import Trips

extension ReplacedTrips.Traits {
    init(_ trip: StoredTrip) {
        let facts = trip.facts
        self.init(
            day: facts.day, region: facts.region, status: facts.status, costCents: facts.costCents,
            loadedHundredths: facts.loadedHundredths, durationSeconds: facts.intervals[TripInterval.duration.rawValue],
            responseSeconds: facts.intervals[TripInterval.response.rawValue])
    }
}
