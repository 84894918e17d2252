import KPIs
import Privacy
import TestSupport
import Trips

/// One month of made-up trips: as they are, and as the release counts them, trip by trip.
struct ReleaseHistory {
    struct Trip: Hashable {
        var key: Int
        var region: UInt8 = 1
        var tripType: UInt8 = 1
        var patient: UInt64
        var status = TripStatus.completed
        var sourcing = Sourcing.inHouse
        var costCents: Int?
        var responseSeconds: Int32?

        var contribution: TripContribution {
            let population: TripPopulation =
                switch (status, sourcing) {
                case (.cancelled, _): .cancelled
                case (.noShow, _), (.void, _): .noShow
                case (.completed, .inHouse): .inHouse
                case (.completed, .contracted): .contracted
                case (.completed, .unclassified): .unclassified
                }
            var seconds = SIMD8<Int32>(repeating: -1)
            seconds[TripInterval.response.rawValue] = responseSeconds ?? -1
            return TripContribution(
                leaf: LeafScope(region: region, tripType: tripType), population: population, patient: patient,
                costCents: costCents, intervalSeconds: seconds)
        }
    }

    struct Outcome: Equatable {
        var groups: Int
        var pending: Int
    }

    static let month = Month(year: 2026, month: 1)
    static let minimumCell = 11
    private static let shape = KPITally.Shape(regionCount: 4, tripTypeCount: 3, maximumIntervalSeconds: 86_400)

    /// By key.
    var current: [Int: Trip] = [:]
    private(set) var released: [Int: [Trip]] = [:]
    private(set) var partition: ReleasePartition?

    init(trips: [Trip]) {
        for trip in trips { current[trip.key] = trip }
    }

    init(random: inout SplitMix64) {
        let scale = [15, 60, 200].randomElement(using: &random) ?? 60
        for key in 0..<Int.random(in: 11...scale * 3, using: &random) { current[key] = Self.trip(key, &random) }
    }

    private static func trip(_ key: Int, _ random: inout SplitMix64) -> Trip {
        Trip(
            key: key, region: UInt8.random(in: 0...3, using: &random),
            tripType: UInt8.random(in: 0...2, using: &random),
            patient: UInt64.random(in: 1...300, using: &random),
            status: [.completed, .completed, .completed, .cancelled, .noShow].randomElement(using: &random)
                ?? .completed,
            sourcing: Sourcing.allCases.randomElement(using: &random) ?? .inHouse,
            costCents: Bool.random(using: &random) ? Int.random(in: 1...900, using: &random) : nil,
            responseSeconds: Bool.random(using: &random) ? Int32.random(in: 1...900, using: &random) : nil)
    }

    var releasedTrips: Int { released.values.reduce(0) { $0 + $1.count } }

    private static func tally(_ trips: some Sequence<Trip>) -> KPITally {
        var tally = KPITally(shape: shape)
        let trips = Array(trips)
        var batch = TripBatch(capacity: max(1, trips.count), textFields: [])
        batch.count = trips.count
        for (row, trip) in trips.enumerated() {
            batch.status[row] = trip.status.rawValue
            batch.month[row] = month.index
            batch.day[row] = CivilDay.days(year: month.year, month: month.month, day: 1)
            batch.region[row] = trip.region
            batch.tripType[row] = trip.tripType
            batch.sourcing[row] = trip.sourcing.rawValue
            batch.patientHashes[row] = trip.patient
            batch.costCents[row] = trip.costCents ?? TripBatch.absent
            batch.loadedHundredths[row] = TripBatch.absent
            batch.unloadedHundredths[row] = TripBatch.absent
            for interval in TripInterval.allCases { batch.intervals[interval.rawValue][row] = -1 }
            batch.intervals[TripInterval.response.rawValue][row] = trip.responseSeconds ?? -1
        }
        tally.add(batch)
        return tally
    }

    var currentTally: KPITally { Self.tally(current.values) }
    var releasedTally: KPITally { Self.tally(released.values.joined()) }

    /// False if there are too few trips.
    @discardableResult
    mutating func release() -> Bool {
        let partition = PartitionRule(minimumCell: Self.minimumCell).partition(of: Self.month, in: currentTally)
        guard partition.completed.groups != nil else { return false }
        self.partition = partition
        released = current.mapValues { [$0] }
        return true
    }

    mutating func revise() -> Outcome {
        guard let partition else { return Outcome(groups: 0, pending: 0) }
        let rule = RevisionRule(
            partition, of: Self.month, released: releasedTally, current: currentTally)
        let keys = Set(released.keys).union(current.keys).filter { released[$0] != current[$0].map { [$0] } }
        let revision = rule.revision(for: keys.map(change))
        for key in keys {
            let kept = (released[key] ?? []).filter { !revision.takesUp($0.contribution) }
            let new = [current[key]].compactMap(\.self).filter { revision.takesUp($0.contribution) }
            released[key] = kept + new == [] ? nil : kept + new
        }
        self.partition = revision.partition
        return Outcome(groups: revision.groups, pending: revision.pending)
    }

    private func change(_ key: Int) -> ContributionChange {
        ContributionChange(released: (released[key] ?? []).map(\.contribution), current: current[key]?.contribution)
    }

    /// Changes, adds and removes trips, mostly of one region and trip type.
    mutating func correct(_ random: inout SplitMix64) {
        let region = UInt8.random(in: 0...3, using: &random), type = UInt8.random(in: 0...2, using: &random)
        for _ in 0..<Int.random(in: 0...40, using: &random) {
            var trip = Self.trip(Int.random(in: 1000...2000, using: &random), &random)
            (trip.region, trip.tripType) = (region, type)
            if Bool.random(using: &random) { trip.status = .completed }
            current[trip.key] = trip
        }
        let removed = Int.random(in: 0...3, using: &random) == 0
        for key in current.keys.sorted().shuffled(using: &random).prefix(Int.random(in: 0...60, using: &random)) {
            switch Int.random(in: 0...3, using: &random) {
            case 0 where removed: current[key] = nil
            case 1: current[key]?.costCents = Int.random(in: 1...900, using: &random)
            case 2: current[key]?.responseSeconds = Int32.random(in: 1...900, using: &random)
            default: current[key] = Self.trip(key, &random)
            }
        }
    }

    /// What must not be: groups that are divided, too small or change by the figures of too few trips.
    func problems(since before: ReleaseHistory) -> [String] {
        guard let old = before.partition, let new = partition else { return ["no partition"] }
        var problems: [String] = []
        for (name, oldGroups, newGroups, populations) in [
            ("completed", old.completed.groups, new.completed.groups, TripPopulation.completed),
            ("cancelled", old.cancelled.groups, new.cancelled.groups, [.cancelled]),
            ("no-show", old.noShow.groups, new.noShow.groups, [.noShow]),
        ] {
            if let oldGroups, !oldGroups.allSatisfy((newGroups ?? []).contains) { problems.append("\(name): divided") }
            for group in newGroups ?? [] {
                let trips = of(group, populations)
                if trips.count < Self.minimumCell || Set(trips.map(\.patient)).count < Self.minimumCell {
                    problems.append("\(name): a group is too small")
                }
                guard oldGroups?.contains(group) ?? false else { continue }
                for changed in changed(group, populations, since: before) where !changed.isEmpty {
                    if changed.count < Self.minimumCell || Set(changed).count < Self.minimumCell {
                        problems.append("\(name): \(changed.count) trips have changed")
                    }
                }
            }
            // Whoever is in no group is not counted.
            guard let newGroups else { continue }
            let inGroups = Set(newGroups.joined())
            let all = released.values.joined().filter { populations.contains($0.contribution.population) }
            if !all.allSatisfy({ inGroups.contains($0.contribution.leaf) }) { problems.append("\(name): no group") }
        }
        return problems
    }

    private func of(_ group: [LeafScope], _ populations: [TripPopulation]) -> [Trip] {
        released.values.joined().filter {
            populations.contains($0.contribution.population) && group.contains($0.contribution.leaf)
        }
    }

    /// Whether the release publishes the number of trips, the cost and the response times of parts of a group.
    private func publishes(_ part: [TripPopulation], of group: [LeafScope]) -> [Bool] {
        func isEnough(_ populations: [TripPopulation], _ value: (Trip) -> Bool = { _ in true }) -> Bool {
            let trips = of(group, populations), count = trips.count(where: value)
            return count == 0 || count >= Self.minimumCell
        }
        func isPart(_ populations: [TripPopulation]) -> Bool {
            let trips = of(group, populations)
            return trips.isEmpty
                || trips.count >= Self.minimumCell && Set(trips.map(\.patient)).count >= Self.minimumCell
        }
        let hasCost: (Trip) -> Bool = { $0.costCents != nil }
        let isInThree = [[TripPopulation.inHouse], [.contracted], [.unclassified]].allSatisfy(isPart)
        let isDivided = isInThree || isPart([.inHouse]) && isPart([.contracted, .unclassified])
        switch part.count {
        case 3: return [true, isEnough(part, hasCost), isEnough(part) { $0.responseSeconds != nil }]
        case 1 where part != [.inHouse]: return [isInThree, isInThree && isEnough(part, hasCost)]
        default: return [isDivided, isDivided && isEnough(part, hasCost)]
        }
    }

    /// The patients of the trips that have changed in a group: by trips, by each part, by cost, by cost of each part, by
    /// response time.
    private func changed(
        _ group: [LeafScope], _ populations: [TripPopulation], since before: ReleaseHistory
    ) -> [[UInt64]] {
        let parts: [[TripPopulation]] =
            populations.count == 1
            ? [populations]
            : [populations, [.inHouse], [.contracted], [.unclassified], [.contracted, .unclassified]]
        typealias Value = (Trip) -> [Int]
        let measures: [Value] = [
            { _ in [1] }, { $0.costCents.map { [1, $0] } ?? [] }, { [$0.responseSeconds.map(Int.init) ?? -1] },
        ]
        return parts.flatMap { part in
            // Of cancelled trips and no-shows their number alone is published.
            let isPublished = populations.count == 1 ? [true] : publishes(part, of: group)
            let wasPublished = populations.count == 1 ? [true] : before.publishes(part, of: group)
            return zip(measures, zip(isPublished, wasPublished)).filter { $1 == (true, true) }.map { value, _ in
                let keys = Set(released.keys).union(before.released.keys)
                return keys.compactMap { key -> UInt64? in
                    func values(_ history: ReleaseHistory) -> [[Int]] {
                        (history.released[key] ?? []).filter {
                            part.contains($0.contribution.population) && group.contains($0.contribution.leaf)
                        }.map(value).filter { !$0.isEmpty }
                    }
                    func patient(_ history: ReleaseHistory) -> UInt64? {
                        (history.released[key] ?? []).last {
                            part.contains($0.contribution.population) && group.contains($0.contribution.leaf)
                        }?.patient
                    }
                    guard values(self) != values(before) else { return nil }
                    return patient(self) ?? patient(before)
                }
            }
        }
    }
}
