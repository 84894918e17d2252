import KPIs
import Trips

/// The changes that a revision takes up: all but those in sets that are too small (`RevisionRule`).
struct RevisionChoice {
    /// Places in `ChangedTrips.trips`.
    private(set) var taken: Set<Int>

    private let changes: ChangedTrips
    /// Of the candidates, what the release counts before and after.
    private let before: [Int: TripValues]
    private let after: [Int: TripValues]
    /// The same of all candidates' quantities, those too that no release has published yet.
    private let places: [Int: TripValues]
    /// What the releases so far publish.
    private let published: [ReleasedGroup: PublishedDetail]
    /// Of trips that no revision has taken up, as they are released.
    private let untouched: [Month: KPITally]

    /// - Parameters:
    ///   - published: by the releases so far.
    ///   - detail: by these or by this revision.
    ///   - closed: groups that must not change.
    init(
        _ changes: ChangedTrips, published: [ReleasedGroup: PublishedDetail],
        _ detail: [ReleasedGroup: PublishedDetail], without closed: Set<ReleasedGroup>
    ) throws(TripOutsideTally) {
        self.changes = changes
        self.published = published
        let candidates = changes.trips.filter(\.isCandidate)
        taken = Set(
            candidates.filter { trip in
                [trip.released, trip.current].allSatisfy { facts in
                    facts.flatMap { changes.group(of: $0)?.group }.map { !closed.contains($0) } ?? true
                }
            }.map(\.index))
        func values(_ facts: (ChangedTrips.Trip) -> TripFacts?) -> [Int: TripValues] {
            Dictionary(
                candidates.map { ($0.index, changes.values(of: facts($0), detail)) },
                uniquingKeysWith: { first, _ in first })
        }
        let isFirst = { (quantity: ReleasedQuantity, place: ReleasedPlace) in
            Self.isFirst(quantity, place, published)
        }
        places = values(\.released)
        before = places.mapValues { $0.filter { !isFirst($0.key, $0.value.place) } }
        after = values(\.current)
        untouched = try changes.tallies { $0.isRevised ? nil : $0.released }
        while true {
            if dropSmallSets() || dropRenumbered() { continue }
            guard try dropSmallRests() else { break }
        }
    }

    /// Whether the revision would be the first to publish the quantity of a group.
    private static func isFirst(
        _ quantity: ReleasedQuantity, _ place: ReleasedPlace, _ published: [ReleasedGroup: PublishedDetail]
    ) -> Bool {
        quantity != .trips && !(published[place.group]?.publishes(quantity) ?? false)
    }

    /// Whether the change is in no published figure.
    func isInvisible(_ index: Int) -> Bool { before[index] == after[index] }

    /// Trips of a quantity that are in the same published figures in every release.
    private enum Way: Hashable {
        case comes(ReleasedQuantity, ReleasedPlace)
        case leaves(ReleasedQuantity, ReleasedPlace)
        case moves(ReleasedQuantity, ReleasedPlace, ReleasedPlace)

        var month: Month {
            switch self {
            case .comes(_, let place), .leaves(_, let place), .moves(_, let place, _): place.group.month
            }
        }
    }

    /// A value that stays in its place is in no set: its trip is one of those that stay behind.
    private func ways(of index: Int) -> [Way] {
        let before = before[index] ?? [:], after = after[index] ?? [:]
        return Set(before.keys).union(after.keys).flatMap { quantity -> [Way] in
            switch (before[quantity], after[quantity]) {
            case (let old?, let new?) where old == new: []
            case (let old?, let new?) where old.value == new.value: [.moves(quantity, old.place, new.place)]
            case (let old, let new):
                (old.map { [.leaves(quantity, $0.place)] } ?? []) + (new.map { [.comes(quantity, $0.place)] } ?? [])
            }
        }
    }

    /// - Returns: whether some were dropped.
    private mutating func dropSmallSets() -> Bool {
        var sets: [Way: [Int]] = [:]
        for index in taken {
            for way in ways(of: index) { sets[way, default: []].append(index) }
        }
        let small = sets.filter { way, trips in
            // What is published for the first time is published together with what was there before.
            if case .comes(let quantity, let place) = way, Self.isFirst(quantity, place, published) { return false }
            return !isEnough(trips, changes.minimumCell(way.month))
        }
        taken.subtract(small.values.joined())
        return !small.isEmpty
    }

    private func isEnough(_ set: [Int], _ minimumCell: Int) -> Bool {
        func areEnough(_ patients: [UInt64]) -> Bool {
            let named = Set(patients).subtracting([0])
            return named.isEmpty || named.count >= minimumCell
        }
        let trips = set.map { changes.trips[$0] }
        return trips.count >= minimumCell && areEnough(trips.compactMap { $0.released?.patient })
            && areEnough(trips.compactMap { $0.current?.patient })
    }

    /// Drops trips that are gone and trips that are new where they may be the same under other ids: where some values are
    /// equal, and 1 to `minimumCell` - 1 are left over. Looks at each figure, at each month and at all of them.
    private mutating func dropRenumbered() -> Bool {
        struct Scope: Hashable {
            var quantity: ReleasedQuantity
            var month: Month?
            var place: ReleasedPlace?
        }
        var gone: [Scope: [Int: Int]] = [:], new: [Scope: [Int: Int]] = [:]
        var members: [Scope: [Int]] = [:]
        for index in taken {
            let old = before[index] ?? [:], current = after[index] ?? [:]
            guard old.isEmpty != current.isEmpty else { continue }
            for (quantity, value) in old.isEmpty ? current : old {
                let month = value.place.group.month
                for scope in [
                    Scope(quantity: quantity, month: month, place: value.place),
                    Scope(quantity: quantity, month: month), Scope(quantity: quantity),
                ] {
                    members[scope, default: []].append(index)
                    if old.isEmpty {
                        new[scope, default: [:]][value.value, default: 0] += 1
                    } else {
                        gone[scope, default: [:]][value.value, default: 0] += 1
                    }
                }
            }
        }
        let minimum = changes.months.keys.map(changes.minimumCell).max() ?? 0
        let dropped = members.filter { scope, _ in
            guard let gone = gone[scope], let new = new[scope] else { return false }
            let equal = gone.reduce(0) { $0 + min($1.value, new[$1.key] ?? 0) }
            guard equal > 0 else { return false }
            return [gone, new].contains { values in
                1..<minimum ~= values.values.reduce(0, +) - equal
            }
        }
        taken.subtract(dropped.values.joined())
        return !dropped.isEmpty
    }

    /// Drops what leaves too few trips behind.
    private mutating func dropSmallRests() throws(TripOutsideTally) -> Bool {
        var leaving: [ReleasedQuantity: [ReleasedPlace: [Int]]] = [:]
        for index in taken {
            for (quantity, value) in before[index] ?? [:] where after[index]?[quantity] != value {
                leaving[quantity, default: [:]][value.place, default: []].append(index)
            }
        }
        let leavingTrips = taken.filter { before[$0]?[.trips] != after[$0]?[.trips] }
        let rests = try changes.tallies { $0.isRevised || leavingTrips.contains($0.index) ? nil : $0.released }
        var dropped: Set<Int> = []
        for (quantity, places) in leaving {
            for (place, trips) in places where !isRestEnough(quantity, place, without: trips.count, rests) {
                dropped.formUnion(trips)
            }
        }
        for (quantity, places) in firstArrivals() {
            for (place, trips) in places where !isFirstEnough(quantity, place, trips) { dropped.formUnion(trips) }
        }
        taken.subtract(dropped)
        return !dropped.isEmpty
    }

    /// Trips that come to figures which the revision would be the first to publish.
    private func firstArrivals() -> [ReleasedQuantity: [ReleasedPlace: [Int]]] {
        var arrivals: [ReleasedQuantity: [ReleasedPlace: [Int]]] = [:]
        for index in taken {
            for (quantity, value) in after[index] ?? [:] where Self.isFirst(quantity, value.place, published) {
                arrivals[quantity, default: [:]][value.place, default: []].append(index)
            }
        }
        return arrivals
    }

    /// Whether enough values are published for the first time there: those that were in the group, and those that come and
    /// were published nowhere else.
    private func isFirstEnough(_ quantity: ReleasedQuantity, _ place: ReleasedPlace, _ arrivals: [Int]) -> Bool {
        let month = place.group.month
        guard let untouched = untouched[month] else { return false }
        let known = Self.trips(
            with: quantity, place.part.populations(of: place.group), in: place.group.leaves, of: month, untouched)
        let taken = taken.count { places[$0]?[quantity]?.place == place }
        let new = arrivals.count { before[$0]?[quantity]?.value != after[$0]?[quantity]?.value }
        let count = known - taken + new
        return count == 0 || count >= changes.minimumCell(month)
    }

    private func isRestEnough(
        _ quantity: ReleasedQuantity, _ place: ReleasedPlace, without count: Int, _ rests: [Month: KPITally]
    ) -> Bool {
        let month = place.group.month, leaves = place.group.leaves
        guard let untouched = untouched[month], let rest = rests[month] else { return false }
        let minimum = changes.minimumCell(month)
        let populations = place.part.populations(of: place.group)
        let left = Self.trips(with: quantity, populations, in: leaves, of: month, untouched) - count
        guard left != 0 else { return true }
        guard left >= minimum else { return false }
        guard quantity == .trips else { return true }
        switch rest.patientCount(of: leaves, in: month, populations) {
        case .unknown: return true
        case .exactly(let patients): return patients >= minimum
        case .atLeastCap: return minimum <= PatientCount.cap
        case nil: return false
        }
    }

    private static func trips(
        with quantity: ReleasedQuantity, _ populations: [TripPopulation], in leaves: [LeafScope], of month: Month,
        _ tally: KPITally
    ) -> Int {
        let sums = tally.sums(of: leaves, in: month)
        return switch quantity {
        case .trips: populations.reduce(0) { $0 + sums.trips(of: $1) }
        case .cost:
            populations.compactMap { Sourcing(rawValue: UInt8($0.rawValue)) }
                .reduce(0) { $0 + sums.costedTripsBySourcing[$1] }
        case .loadedMiles: sums.tripsWithLoadedMiles
        case .unloadedMiles: sums.tripsWithUnloadedMiles
        case .interval(let interval): tally.intervalTotals(interval, of: leaves, in: month).used
        }
    }
}
