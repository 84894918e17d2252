import Basics
import Privacy
import Reporting
import Store
import Trips

/// The store's trips for `TripRowFeed`.
struct StoredTripRows: TripSource {
    private let store: TripStore
    private let months: ClosedRange<Month>?
    private let withheld: Set<Int32>
    private let regions: NamedList
    private let tripTypes: NamedList
    private let texts: [Int32: String]

    /// Gives public ids to the trips that have none.
    ///
    /// - Parameters:
    ///   - store: opened to write.
    ///   - withheld: months of which nothing is shown.
    init(
        _ store: TripStore, months: ClosedRange<Month>?, withholding withheld: Set<Month> = [],
        random: inout some RandomNumberGenerator
    ) throws {
        self.withheld = Set(withheld.map(\.index))
        try store.assignPublicIDs(months: months, random: &random)
        self.store = store
        self.months = months
        (regions, tripTypes) = try store.lists()
        texts = store.texts.all
    }

    func forEach(_ body: (SourceTrip) throws -> Void) throws {
        try store.forEachPublicTrip(months: months) { id, facts, wasShown in
            guard !withheld.contains(facts.month) else { return }
            var trip = trip(id, facts)
            trip.wasShown = wasShown
            try body(trip)
        }
    }

    func noteShown(_ ids: [PublicTripID]) throws { try store.noteShown(ids) }

    private func trip(_ id: PublicTripID, _ facts: TripFacts) -> SourceTrip {
        var trip = SourceTrip(
            id: id, status: TripStatus(rawValue: facts.status) ?? .void, day: CivilDay(daysSince1970: facts.day))
        trip.tripType = tripTypes.name(of: facts.tripType)
        trip.region = regions.name(of: facts.region)
        trip.sourcing = Sourcing(rawValue: facts.sourcing) ?? .unclassified
        trip.providerID = texts[facts[.providerID]] ?? ""
        trip.providerName = texts[facts[.providerName]] ?? ""
        trip.intervals = TripInterval.allCases.map { interval in
            let seconds = facts.intervals[interval.rawValue]
            return seconds < 0 ? nil : Int(seconds)
        }
        trip.costCents = facts.costCents == AmountState.absent ? nil : facts.costCents
        trip.loadedHundredths = facts.loadedHundredths == AmountState.absent ? nil : facts.loadedHundredths
        trip.unloadedHundredths = facts.unloadedHundredths == AmountState.absent ? nil : facts.unloadedHundredths
        return trip
    }
}
