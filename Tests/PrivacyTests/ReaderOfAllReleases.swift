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
    private var releases = 0
    private var notes: [String] = []

    mutating func note(_ problem: String) { notes.append(problem) }

    mutating func read(_ trips: [ReleaseHistory.Trip], _ partitions: [Month: ReleasePartition]) {
        releases += 1
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
        let timed = trips.filter { $0.responseSeconds != nil }
        if isShown(timed.count) {
            for trip in timed { add(trip.key, "response", Int(trip.responseSeconds ?? 0), group) }
        }
    }

    private mutating func add(_ trip: Int, _ quantity: String, _ value: Int, _ figure: String) {
        figures[Value(trip: trip, quantity: quantity, value: value), default: []].append("\(releases): \(figure)")
    }

    /// Sets of fewer than 11 trips whose sum the reader may be able to compute.
    var problems: [String] {
        notes
            + Dictionary(grouping: figures, by: { "\($0.key.quantity) in \($0.value)" })
            .filter { Set($0.value.map(\.key.trip)).count < 11 }
            .map { "\($0.value.count) values of \($0.key)" }
    }
}
