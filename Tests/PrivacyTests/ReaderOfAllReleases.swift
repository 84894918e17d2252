import Basics
import KPIs
import Privacy
import Trips

/// Somebody who keeps every release and subtracts them from each other.
///
/// For each value of each trip it knows in which smallest published figures the value is, release by release. Values with
/// the same figures everywhere cannot be told apart, and whatever is computed from the releases is a sum over such sets.
/// Which figures are published is worked out here anew, from the rule as docs/privacy.md says it.
struct ReaderOfAllReleases {
    private struct Value: Hashable {
        var trip: Int
        var quantity: String
        var value: Int
    }

    private var figures: [Value: [String]] = [:]
    /// The patient that a trip is released with.
    private var patients: [Int: UInt64] = [:]
    private var releases = 0
    private var notes: [String] = []

    mutating func note(_ problem: String) { notes.append(problem) }

    mutating func read(_ trips: [ReleaseHistory.Trip], _ partitions: [Month: ReleasePartition]) {
        releases += 1
        for trip in trips { patients[trip.key] = trip.patient }
        for (month, partition) in partitions {
            for (population, own) in partition.sortedPopulations {
                let members = trips.filter { trip in
                    trip.facts.month == month.index && population.members.contains(trip.population)
                }
                for group in own.groups ?? [] {
                    read(
                        members.filter { group.contains(LeafScope(region: $0.region, tripType: $0.tripType)) },
                        "\(month) \(population) \(group[0])", population,
                        without: Set(own.unpublishedMeasures.map(\.name)))
                }
            }
        }
    }

    /// - Parameter unpublished: measures of which the group shows nothing.
    private mutating func read(
        _ trips: [ReleaseHistory.Trip], _ group: String, _ population: ReleasedPopulation,
        without unpublished: Set<String>
    ) {
        for trip in trips { add(trip.key, "trips", 1, group) }
        guard population.isCompleted else { return }
        let values: [(String, (ReleaseHistory.Trip) -> Int?)] = [
            ("cost", { $0.costCents }), ("loadedMiles", { $0.loadedHundredths }),
            ("unloadedMiles", { $0.unloadedHundredths }), ("response", { $0.responseSeconds.map(Int.init) }),
            ("duration", { $0.durationSeconds.map(Int.init) }), ("scene", { $0.sceneSeconds.map(Int.init) }),
        ]
        for (quantity, value) in values where !unpublished.contains(quantity) {
            let known = trips.compactMap { trip in value(trip).map { (trip.key, $0) } }
            guard known.count >= 11 else { continue }
            for (key, value) in known { add(key, quantity, value, group) }
        }
    }

    private mutating func add(_ trip: Int, _ quantity: String, _ value: Int, _ figure: String) {
        figures[Value(trip: trip, quantity: quantity, value: value), default: []].append("\(releases): \(figure)")
    }

    /// Sets of fewer than 11 trips, or of 1 to 10 patients, whose sum the reader may be able to compute.
    var problems: [String] {
        let sets = Dictionary(grouping: figures, by: { "\($0.key.quantity) in \($0.value)" })
            .mapValues { values in Set(values.map(\.key.trip)) }
        let small = sets.filter { $0.value.count < 11 }.map { "\($0.value.count) trips with \($0.key)" }
        let ofFew = sets.filter { name, trips in
            let named = Set(trips.compactMap { patients[$0] }).subtracting([0])
            return name.hasPrefix("trips in") && (1..<11).contains(named.count)
        }
        return notes + small + ofFew.map { "few patients with \($0.key)" }
    }
}
