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
            return TripContribution(
                leaf: LeafScope(region: region, tripType: tripType), population: population, patient: patient,
                hasCost: costCents != nil, intervals: responseSeconds == nil ? [] : [.response])
        }
    }

    struct Outcome: Equatable {
        var groups: Int
        var waiting: Int
    }

    static let month = Month(year: 2026, month: 1)
    private static let shape = KPITally.Shape(regionCount: 4, tripTypeCount: 3, maximumIntervalSeconds: 86_400)

    /// By key.
    var current: [Int: Trip] = [:]
    private(set) var released: [Int: Trip] = [:]
    var minimumCell = 11
    private(set) var partition: ReleasePartition?

    init(trips: [Trip], minimumCell: Int = 11) {
        self.minimumCell = minimumCell
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

    /// False if there are too few trips.
    @discardableResult
    mutating func release() -> Bool {
        let partition = PartitionRule(minimumCell: minimumCell).partition(
            of: Self.month, in: Self.tally(current.values))
        guard partition.completed.groups != nil else { return false }
        self.partition = partition
        released = current
        return true
    }

    mutating func revise() -> Outcome {
        guard let partition else { return Outcome(groups: 0, waiting: 0) }
        let late = current.filter { released[$0.key] == nil }
        let rule = RevisionRule(
            partition, of: Self.month, released: Self.tally(released.values),
            withLateTrips: Self.tally(Array(released.values) + late.values),
            rule: PartitionRule(minimumCell: minimumCell))
        let revision = rule.revision(adding: late.values.map(\.contribution))
        released.merge(late.filter { revision.adds($0.value.contribution) }) { old, _ in old }
        self.partition = revision.partition
        return Outcome(groups: revision.groups, waiting: revision.waiting)
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

    /// What must not be: released trips that change, divided groups, and blocks of late trips that are too small.
    func problems(since before: ReleaseHistory) -> [String] {
        guard let old = before.partition, let new = partition else { return ["no partition"] }
        var problems =
            before.released.allSatisfy { released[$0.key] == $0.value } ? [] : ["a released trip has changed"]
        for (name, oldGroups, newGroups, populations) in [
            ("completed", old.completed.groups, new.completed.groups, TripPopulation.completed),
            ("cancelled", old.cancelled.groups, new.cancelled.groups, [.cancelled]),
            ("no-show", old.noShow.groups, new.noShow.groups, [.noShow]),
        ] {
            if let oldGroups, !oldGroups.allSatisfy((newGroups ?? []).contains) { problems.append("\(name): divided") }
            guard let newGroups else { continue }
            let all = released.values.filter { populations.contains($0.contribution.population) }
            let inGroups = Set(newGroups.joined())
            if !all.allSatisfy({ inGroups.contains($0.contribution.leaf) }) { problems.append("\(name): no group") }
            for group in newGroups {
                let own = all.filter { group.contains($0.contribution.leaf) }
                let late = oldGroups == nil ? own : own.filter { before.released[$0.key] == nil }
                if !late.isEmpty, !isEnough(late) { problems.append("\(name): a block is too small") }
                guard populations.count > 1, oldGroups?.contains(group) ?? false else { continue }
                let earlier = own.filter { before.released[$0.key] != nil }
                problems += smallFigures(ofBlock: late, earlier: earlier, all: own).map { "\(name): \($0)" }
            }
        }
        return problems
    }

    private func isEnough(_ trips: [Trip]) -> Bool { trips.count >= 11 && Set(trips.map(\.patient)).count >= 11 }

    /// Figures of a block that a reader could subtract, over fewer than 11 trips.
    private func smallFigures(ofBlock late: [Trip], earlier: [Trip], all: [Trip]) -> [String] {
        func isPart(_ trips: [Trip]) -> Bool { trips.isEmpty || isEnough(trips) }
        func has(_ count: Int) -> Bool { count == 0 || count >= 11 }
        func of(_ trips: [Trip], _ sourcing: [Sourcing]) -> [Trip] { trips.filter { sourcing.contains($0.sourcing) } }
        let costs: ([Trip]) -> Int = { $0.count { $0.costCents != nil } }
        let times: ([Trip]) -> Int = { $0.count { $0.responseSeconds != nil } }
        var problems: [String] = []
        if has(costs(earlier)), has(costs(all)), !has(costs(late)) { problems.append("cost") }
        if has(times(earlier)), has(times(all)), !has(times(late)) { problems.append("response") }
        let classes = Sourcing.allCases.map { [$0] }
        func isInThree(_ trips: [Trip]) -> Bool { classes.allSatisfy { isPart(of(trips, $0)) } }
        func isInTwo(_ trips: [Trip]) -> Bool {
            isPart(of(trips, [.inHouse])) && isPart(of(trips, [.contracted, .unclassified]))
        }
        if isInThree(earlier), isInThree(all), !isInThree(late) { problems.append("parts") }
        if isInTwo(earlier), isInTwo(all), !isInTwo(late) { problems.append("two parts") }
        return problems
    }
}
