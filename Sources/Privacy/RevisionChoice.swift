import Basics
import KPIs
import Trips

/// The changes that a revision takes up: all but those in sets that are too small (`RevisionRule`).
struct RevisionChoice {
    /// Indices of `ChangedTrips.trips`.
    private(set) var taken: Set<Int>
    /// How many changes were dropped because a removed and an added trip may be the same.
    private(set) var renumbered = 0

    private let changes: ChangedTrips
    /// Of the candidates, what the release counts before and after.
    private let before: [Int: TripValues]
    private let after: [Int: TripValues]
    /// The values before of all quantities, including those that no release has published yet.
    private let released: [Int: TripValues]
    /// What the releases so far publish.
    private let published: [ReleasedGroup: PublishedDetail]
    /// Trips that no revision has taken up, as they are released.
    private let unrevised: [Month: KPITally]

    /// - Parameters:
    ///   - published: by the releases so far.
    ///   - detail: by these or by this revision.
    ///   - frozen: groups that must not change.
    ///   - unrevised: tallies of the trips that no revision has taken up.
    init(
        _ changes: ChangedTrips, published: [ReleasedGroup: PublishedDetail],
        _ detail: [ReleasedGroup: PublishedDetail], frozen: Set<ReleasedGroup>, unrevised: [Month: KPITally]
    ) throws(TripOutsideTally) {
        self.changes = changes
        self.published = published
        self.unrevised = unrevised
        let candidates = changes.trips.filter(\.isCandidate)
        func isFrozen(_ facts: TripFacts?) -> Bool {
            facts.flatMap { changes.group(of: $0) }.map(frozen.contains) ?? false
        }
        taken = Set(candidates.filter { !isFrozen($0.released) && !isFrozen($0.current) }.map(\.index))
        func values(_ facts: (ChangedTrips.ChangedTrip) -> TripFacts?) -> [Int: TripValues] {
            Dictionary(
                candidates.map { ($0.index, changes.values(of: facts($0), detail)) },
                uniquingKeysWith: { first, _ in first })
        }
        released = values(\.released)
        after = values(\.current)
        before = released.mapValues { values in
            values.filter { !Self.isFirstPublished($0.key, $0.value.group, published) }
        }
        while true {
            if dropSmallSets() || dropRenumbered() { continue }
            guard try dropSmallRemainders() else { break }
        }
    }

    /// Whether the revision would be the first to publish the quantity of a group.
    private static func isFirstPublished(
        _ quantity: ReleasedQuantity, _ group: ReleasedGroup, _ published: [ReleasedGroup: PublishedDetail]
    ) -> Bool {
        quantity != .trips && !(published[group]?.publishes(quantity) ?? false)
    }

    /// Whether the change is in no published figure.
    func isInvisible(_ index: Int) -> Bool { before[index] == after[index] }

    /// How a value of a trip changes: values with the same change are in the same published figures in every release.
    private enum ValueChange: Hashable {
        case added(ReleasedQuantity, ReleasedGroup)
        case removed(ReleasedQuantity, ReleasedGroup)
        case moved(ReleasedQuantity, ReleasedGroup, ReleasedGroup)

        var month: Month {
            switch self {
            case .added(_, let group), .removed(_, let group), .moved(_, let group, _): group.month
            }
        }
    }

    /// A value that does not change is in no set: its trip is one of those that remain.
    private func valueChanges(of index: Int) -> [ValueChange] {
        let before = before[index] ?? [:], after = after[index] ?? [:]
        return Set(before.keys).union(after.keys).flatMap { quantity -> [ValueChange] in
            switch (before[quantity], after[quantity]) {
            case (let old?, let new?) where old == new: []
            case (let old?, let new?) where old.value == new.value: [.moved(quantity, old.group, new.group)]
            case (let old, let new):
                (old.map { [.removed(quantity, $0.group)] } ?? []) + (new.map { [.added(quantity, $0.group)] } ?? [])
            }
        }
    }

    /// - Returns: whether some were dropped.
    private mutating func dropSmallSets() -> Bool {
        var sets: [ValueChange: [Int]] = [:]
        for index in taken {
            for change in valueChanges(of: index) { sets[change, default: []].append(index) }
        }
        let small = sets.filter { change, trips in
            // What is published for the first time is published together with what was there before.
            if case .added(let quantity, let group) = change, Self.isFirstPublished(quantity, group, published) {
                return false
            }
            return !isEnough(trips, changes.minimumCell(change.month))
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

    /// Drops removed trips and added trips that may be the same under other ids: where some values are equal, and 1 to
    /// `minimumCell` - 1 are left over. Looks at each figure, at each month and at all of them.
    private mutating func dropRenumbered() -> Bool {
        struct Scope: Hashable {
            var quantity: ReleasedQuantity
            var month: Month?
            var group: ReleasedGroup?
        }
        /// How many trips have each value.
        struct EqualValues {
            var removed: [Int: Int] = [:]
            var added: [Int: Int] = [:]
            var trips: [Int] = []
        }
        var scopes: [Scope: EqualValues] = [:]
        for index in taken {
            let old = before[index] ?? [:], new = after[index] ?? [:]
            guard old.isEmpty != new.isEmpty else { continue }
            for (quantity, value) in old.isEmpty ? new : old {
                let month = value.group.month
                for scope in [
                    Scope(quantity: quantity, month: month, group: value.group),
                    Scope(quantity: quantity, month: month),
                    Scope(quantity: quantity),
                ] {
                    scopes[scope, default: EqualValues()].trips.append(index)
                    if old.isEmpty {
                        scopes[scope, default: EqualValues()].added[value.value, default: 0] += 1
                    } else {
                        scopes[scope, default: EqualValues()].removed[value.value, default: 0] += 1
                    }
                }
            }
        }
        let minimum = changes.months.keys.map(changes.minimumCell).max() ?? 0
        let dropped = scopes.values.filter { values in
            let equal = values.removed.reduce(0) { $0 + min($1.value, values.added[$1.key] ?? 0) }
            guard equal > 0 else { return false }
            return [values.removed, values.added].contains { trips in
                let leftOver = trips.values.reduce(0, +) - equal
                return leftOver > 0 && leftOver < minimum
            }
        }
        let count = taken.count
        taken.subtract(dropped.flatMap(\.trips))
        renumbered += count - taken.count
        return !dropped.isEmpty
    }

    /// Drops changes that leave too few trips behind in a figure, or with which too few are published for the first time.
    private mutating func dropSmallRemainders() throws(TripOutsideTally) -> Bool {
        var leaving: [ReleasedQuantity: [ReleasedGroup: [Int]]] = [:]
        var firstPublished: [ReleasedQuantity: [ReleasedGroup: [Int]]] = [:]
        for index in taken {
            for (quantity, value) in before[index] ?? [:] where after[index]?[quantity] != value {
                leaving[quantity, default: [:]][value.group, default: []].append(index)
            }
            for (quantity, value) in after[index] ?? [:]
            where Self.isFirstPublished(quantity, value.group, published) {
                firstPublished[quantity, default: [:]][value.group, default: []].append(index)
            }
        }
        let leavingTrips = taken.filter { before[$0]?[.trips] != after[$0]?[.trips] }
        let remaining = try changes.tallies { $0.isRevised || leavingTrips.contains($0.index) ? nil : $0.released }
        var dropped: Set<Int> = []
        for (quantity, groups) in leaving {
            for (group, trips) in groups where !isRemainderEnough(quantity, group, without: trips.count, remaining) {
                dropped.formUnion(trips)
            }
        }
        for (quantity, groups) in firstPublished {
            for (group, trips) in groups where !isFirstPublicationEnough(quantity, group, trips) {
                dropped.formUnion(trips)
            }
        }
        taken.subtract(dropped)
        return !dropped.isEmpty
    }

    /// Whether enough values are published for the first time there: those that were in the group, and those that come and
    /// were published nowhere else.
    private func isFirstPublicationEnough(_ quantity: ReleasedQuantity, _ group: ReleasedGroup, _ arrivals: [Int])
        -> Bool
    {
        let month = group.month
        guard let unrevised = unrevised[month] else { return false }
        let known = Self.trips(with: quantity, in: group, unrevised)
        let taken = taken.count { released[$0]?[quantity]?.group == group }
        let new = arrivals.count { before[$0]?[quantity]?.value != after[$0]?[quantity]?.value }
        let count = known - taken + new
        return count == 0 || count >= changes.minimumCell(month)
    }

    private func isRemainderEnough(
        _ quantity: ReleasedQuantity, _ group: ReleasedGroup, without count: Int, _ remaining: [Month: KPITally]
    ) -> Bool {
        let month = group.month
        guard let unrevised = unrevised[month], let remaining = remaining[month] else { return false }
        let minimum = changes.minimumCell(month)
        let left = Self.trips(with: quantity, in: group, unrevised) - count
        guard left != 0 else { return true }
        guard left >= minimum else { return false }
        guard quantity == .trips else { return true }
        switch remaining.patientCount(of: group.leaves, in: month, group.population.members) {
        case .unknown: return true
        case .exactly(let patients): return patients >= minimum
        case .atLeastCap: return minimum <= PatientCount.cap
        case nil: return false
        }
    }

    private static func trips(with quantity: ReleasedQuantity, in group: ReleasedGroup, _ tally: KPITally) -> Int {
        let figures = GroupFigures(group.leaves, group.population, of: group.month, in: tally)
        return switch quantity {
        case .trips: figures.trips
        case .measure(let measure): figures.values(of: measure)
        }
    }
}
