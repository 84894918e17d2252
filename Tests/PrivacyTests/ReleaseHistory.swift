import Basics
import KPIs
import Privacy
import TestSupport
import Trips

/// Two months of made-up trips: as they are, and as each release counts them, trip by trip.
struct ReleaseHistory {
    struct Trip: Hashable {
        var key: Int
        var month = 1
        var region: UInt8 = 1
        var tripType: UInt8 = 1
        var patient: UInt64
        var status = TripStatus.completed
        var sourcing = Sourcing.inHouse
        var costCents: Int?
        var responseSeconds: Int32?
        var durationSeconds: Int32?
        var sceneSeconds: Int32?
        var loadedHundredths: Int?
        var unloadedHundredths: Int?

        var population: TripPopulation {
            switch (status, sourcing) {
            case (.cancelled, _): .cancelled
            case (.noShow, _): .noShow
            case (_, .inHouse): .inHouse
            case (_, .contracted): .contracted
            case (_, .unclassified): .unclassified
            }
        }

        var facts: TripFacts {
            var facts = TripFacts()
            facts.month = Month(year: 2026, month: month).index
            facts.day = CivilDay.days(year: 2026, month: month, day: 1)
            facts.status = status.rawValue
            facts.region = region
            facts.tripType = tripType
            facts.sourcing = sourcing.rawValue
            facts.patient = patient
            facts.intervals = SIMD8(repeating: -1)
            facts.intervals[TripInterval.response.rawValue] = responseSeconds ?? -1
            facts.intervals[TripInterval.duration.rawValue] = durationSeconds ?? -1
            facts.intervals[TripInterval.scene.rawValue] = sceneSeconds ?? -1
            facts.costCents = costCents ?? AmountState.absent
            facts.loadedHundredths = loadedHundredths ?? AmountState.absent
            facts.unloadedHundredths = unloadedHundredths ?? AmountState.absent
            return facts
        }
    }

    struct Outcome: Equatable {
        var groups: Int
        var waiting: Int
    }

    /// Over all revisions.
    private(set) var frozen = 0
    private(set) var renumbered = 0
    /// Trips of populations that a revision was the first to publish.
    private(set) var firstPublished = 0

    static let months = [Month(year: 2026, month: 1), Month(year: 2026, month: 2)]
    private static let shape = KPITally.Shape(regionCount: 4, tripTypeCount: 3, maximumIntervalSeconds: 86_400)

    /// By key.
    var current: [Int: Trip] = [:]
    /// What the release counts.
    private(set) var released: [Int: Trip] = [:]
    /// Trips that a revision has taken up.
    private(set) var revised: Set<Int> = []
    var minimumCell = 11
    private(set) var partitions: [Month: ReleasePartition] = [:]
    private(set) var reader = ReaderOfAllReleases()

    init(trips: [Trip], minimumCell: Int = 11) {
        self.minimumCell = minimumCell
        for trip in trips { current[trip.key] = trip }
    }

    init(random: inout SplitMix64) {
        let scale = [15, 60, 200].randomElement(using: &random) ?? 60
        for key in 0..<Int.random(in: 11...scale * 3, using: &random) { current[key] = Self.trip(key, &random) }
    }

    private static func trip(_ key: Int, _ random: inout SplitMix64) -> Trip {
        var trip = Trip(
            key: key, month: Int.random(in: 0...4, using: &random) == 0 ? 2 : 1,
            region: UInt8.random(in: 0...3, using: &random),
            tripType: UInt8.random(in: 0...2, using: &random),
            patient: Int.random(in: 0...9, using: &random) == 0 ? 0 : UInt64.random(in: 1...300, using: &random),
            status: [.completed, .completed, .completed, .cancelled, .noShow].randomElement(using: &random)
                ?? .completed,
            sourcing: Sourcing.allCases.randomElement(using: &random) ?? .inHouse,
            costCents: Bool.random(using: &random) ? Int.random(in: 1...900, using: &random) : nil,
            responseSeconds: Bool.random(using: &random) ? Int32.random(in: 1...900, using: &random) : nil)
        func value(_ most: Int) -> Int? {
            Int.random(in: 0...3, using: &random) > 0 ? Int.random(in: 0...most, using: &random) : nil
        }
        trip.durationSeconds = value(5_000).map { Int32($0) }
        trip.sceneSeconds = value(900).map { Int32($0) }
        trip.loadedHundredths = value(4_000)
        trip.unloadedHundredths = value(4_000)
        return trip
    }

    private static func tally(_ trips: some Sequence<Trip>) throws -> KPITally {
        var tally = KPITally(shape: shape)
        try tally.add(trips.map(\.facts))
        return tally
    }

    private func released(in month: Month) -> [Trip] { released.values.filter { $0.facts.month == month.index } }

    /// False if no month has enough trips.
    @discardableResult
    mutating func release() throws -> Bool {
        for month in Self.months {
            let trips = current.values.filter { $0.facts.month == month.index }
            let partition = PartitionRule(minimumCell: minimumCell).partition(of: month, in: try Self.tally(trips))
            guard partition.isPublished else { continue }
            partitions[month] = partition
            for trip in trips { released[trip.key] = trip }
        }
        reader.read(Array(released.values), partitions)
        return !partitions.isEmpty
    }

    mutating func revise() throws -> Outcome {
        let before = Dictionary(uniqueKeysWithValues: partitions.keys.map { ($0, Set(released(in: $0))) })
        let keys = Set(current.keys).union(released.keys).sorted().filter {
            released[$0] != current[$0] || revised.contains($0)
        }
        let months = try partitions.map { month, partition in
            RevisableMonth(
                month: month, partition: partition,
                unchanged: try Self.tally(released(in: month).filter { !keys.contains($0.key) }))
        }
        let revision = try RevisionRule(months, rule: PartitionRule(minimumCell: minimumCell)).revision(
            of: keys.map { key in
                TripChange(
                    released: released[key]?.facts, current: current[key]?.facts, isRevised: revised.contains(key))
            })
        for (key, change) in zip(keys, revision.changes) {
            var taken = current[key]
            taken?.patient = change.released?.patient ?? 0
            if let taken, taken.facts == change.released {
                released[key] = taken
            } else if change.released == nil {
                released[key] = nil
            }
            if change.isRevised { revised.insert(key) }
        }
        let revisedMonths = Set(revision.months.map(\.month))
        for month in partitions.keys where !revisedMonths.contains(month) {
            guard Set(released(in: month)) != before[month] else { continue }
            reader.note("\(month): its trips are others, and its release is not")
        }
        frozen += revision.frozen
        renumbered += revision.renumbered
        for month in revision.months {
            let sums = month.tally.sums(of: month.tally.allLeaves, in: month.month)
            let known = partitions[month.month]
            for (population, own) in month.partition.sortedPopulations
            where known?.groups(of: population) == nil && own.groups != nil {
                firstPublished += population.members.reduce(0) { $0 + sums.trips(of: $1) }
            }
            partitions[month.month] = month.partition
            let expected = try Self.tally(released(in: month.month))
            if !month.tally.hasSameFigures(
                as: expected, inEachLeafOf: month.month, TripPopulation.allCases.map { [$0] })
            {
                reader.note("\(month.month): the tally is not that of the released trips")
            }
        }
        reader.read(Array(released.values), partitions)
        return Outcome(groups: revision.groups, waiting: revision.waiting)
    }

    /// Some trips come again under other ids.
    private mutating func renumber(_ random: inout SplitMix64) {
        let last = current.keys.max() ?? 0
        for key in current.keys.sorted().prefix(Int.random(in: 0...60, using: &random)) {
            guard var trip = current.removeValue(forKey: key) else { continue }
            trip.key = last + 1 + key
            current[trip.key] = trip
        }
    }

    /// Changes, adds and removes trips, mostly of one region and trip type, and mostly in the same way.
    mutating func correct(_ random: inout SplitMix64) {
        if Int.random(in: 0...5, using: &random) == 0 { renumber(&random) }
        let region = UInt8.random(in: 0...3, using: &random), type = UInt8.random(in: 0...2, using: &random)
        for _ in 0..<Int.random(in: 0...40, using: &random) {
            var trip = Self.trip(Int.random(in: 1000...2000, using: &random), &random)
            (trip.region, trip.tripType) = (region, type)
            if Bool.random(using: &random) { trip.status = .completed }
            current[trip.key] = trip
        }
        let kind = Int.random(in: 0...9, using: &random), other = Self.trip(0, &random)
        // Neighbours, so that the same trips are corrected again.
        let keys = current.keys.sorted()
        let first = Int.random(in: 0...keys.count / 2, using: &random)
        for key in keys.dropFirst(first).prefix(Int.random(in: 0...120, using: &random)) {
            switch Int.random(in: 0...9, using: &random) == 0 ? Int.random(in: 0...9, using: &random) : kind {
            case 0: current[key] = nil
            case 1: current[key]?.costCents = Int.random(in: 1...900, using: &random)
            case 2: current[key]?.responseSeconds = Int32.random(in: 1...900, using: &random)
            case 3:
                current[key]?.region = other.region
                current[key]?.tripType = other.tripType
            case 4: current[key]?.sourcing = other.sourcing
            case 5: current[key]?.month = other.month
            case 6: current[key]?.costCents = other.costCents
            case 7: current[key]?.loadedHundredths = other.loadedHundredths
            case 8: current[key]?.durationSeconds = other.durationSeconds
            default: current[key] = Self.trip(key, &random)
            }
        }
    }
}
