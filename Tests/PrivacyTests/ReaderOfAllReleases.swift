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
            let own = trips.filter { $0.facts.month == month.index }
            let populations: [(String, [[LeafScope]]?, [ReleaseHistory.Trip])] = [
                ("completed", partition.completed.groups, own.filter { $0.status == .completed }),
                ("cancelled", partition.cancelled.groups, own.filter { $0.status == .cancelled }),
                ("no-show", partition.noShow.groups, own.filter { $0.status == .noShow }),
            ]
            for (name, groups, members) in populations {
                for group in groups ?? [] {
                    let trips = members.filter { group.contains(LeafScope(region: $0.region, tripType: $0.tripType)) }
                    read(
                        trips, "\(month) \(name) \(group[0])", isDivisible: name == "completed",
                        partition.divisionLimit(of: group))
                }
            }
        }
    }

    private static func isEnough(_ trips: [ReleaseHistory.Trip]) -> Bool {
        let patients = Set(trips.map(\.patient)).subtracting([0])
        return trips.isEmpty || trips.count >= 11 && (patients.isEmpty || patients.count >= 11)
    }

    private static func parts(_ trips: [ReleaseHistory.Trip], most: Int) -> [[ReleaseHistory.Trip]] {
        func of(_ sourcing: Sourcing...) -> [ReleaseHistory.Trip] { trips.filter { sourcing.contains($0.sourcing) } }
        let three = [of(.inHouse), of(.contracted), of(.unclassified)]
        if most >= 3, three.allSatisfy(isEnough) { return three }
        let two = [of(.inHouse), of(.contracted, .unclassified)]
        return most >= 2 && two.allSatisfy(isEnough) ? two : [trips]
    }

    private mutating func read(
        _ trips: [ReleaseHistory.Trip], _ group: String, isDivisible: Bool, _ limit: DivisionLimit?
    ) {
        guard !trips.isEmpty else { return }
        let parts = isDivisible ? Self.parts(trips, most: limit?.parts ?? 3) : [trips]
        for (index, part) in parts.enumerated() {
            for trip in part { add(trip.key, "trips", 1, "\(group) \(parts.count)/\(index)") }
        }
        guard isDivisible else { return }
        func costed(_ trips: [ReleaseHistory.Trip]) -> [ReleaseHistory.Trip] { trips.filter { $0.costCents != nil } }
        func isShown(_ count: Int) -> Bool { count == 0 || count >= 11 }
        if isShown(costed(trips).count) {
            let isDivided = limit?.isCostDivided ?? true && parts.allSatisfy { isShown(costed($0).count) }
            let shown = isDivided ? parts : [trips]
            for (index, part) in shown.enumerated() {
                for trip in costed(part) { add(trip.key, "cost", trip.costCents ?? 0, "\(group) \(index)") }
            }
        }
        let values: [(String, (ReleaseHistory.Trip) -> Int?)] = [
            ("response", { $0.responseSeconds.map(Int.init) }), ("duration", { $0.durationSeconds.map(Int.init) }),
            ("scene", { $0.sceneSeconds.map(Int.init) }), ("loaded miles", { $0.loadedHundredths }),
            ("unloaded miles", { $0.unloadedHundredths }),
        ]
        for (quantity, value) in values {
            let known = trips.compactMap { trip in value(trip).map { (trip.key, $0) } }
            guard isShown(known.count) else { continue }
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
