import DisclosureAudit
import KPIContract
import TestSupport

/// A small made-up release: trips, their division into groups, and what the auditor is told of them.
struct SyntheticRelease {
    /// A group with its trips.
    struct Group {
        var month: String
        var population: AuditedPopulation
        var leaves: [AuditedLeaf]
        var trips: [SyntheticTrip]
        var isPending: Bool
    }

    let months: [String]
    let withheldMonths: [String]
    let regions: [String]
    let tripTypes: [String]
    let namesPatients: Bool
    private(set) var groups: [Group] = []
    private(set) var unpublished: Set<AuditedRelease.MonthPopulation> = []
    /// Months with trips now where none were released: every third release has one.
    let pendingMonths: Set<String>
    var selection = AuditedSelection()
    /// Whether the release leaves out counts of missing values.
    var omitsMissingCounts = false
    /// The place of an interval whose mean the release leaves out, as other means add up to it.
    var placeWithoutMean: Int?

    /// The same release under the stricter policy.
    var omitting: SyntheticRelease {
        var release = self
        release.omitsMissingCounts = true
        return release
    }

    init(
        seed: UInt64, months: [String], regions: [String], tripTypes: [String], tripsPerLeaf: ClosedRange<Int>,
        namesPatients: Bool = true, withheldMonths: [String] = []
    ) {
        self.months = months
        pendingMonths = seed % 3 == 0 ? Set(months.prefix(1)) : []
        self.withheldMonths = withheldMonths
        self.regions = regions + ["Unassigned"]
        self.tripTypes = tripTypes + ["Unassigned"]
        self.namesPatients = namesPatients
        var random = SplitMix64(seed: seed)
        for month in months {
            for population in AuditedPopulation.allCases {
                divide(month, population, tripsPerLeaf, &random)
            }
        }
    }

    var audited: AuditedRelease {
        var release = AuditedRelease(
            groups: groups.map { audited($0) }, months: months, regions: regions, tripTypes: tripTypes,
            minimum: 11)
        release.withheldMonths = withheldMonths
        release.unpublished = unpublished
        release.pendingMonths = pendingMonths
        release.omitsMissingCounts = omitsMissingCounts
        release.selection = selection
        release.events = HonestEvents(release: self).audited
        release.eventKinds = HonestEvents.kinds
        for events in intervalEvents ?? [] { release.intervalEvents.append((events.start, events.end)) }
        return release
    }

    /// Of the interval whose mean is left out start and end are the same.
    var intervalEvents: [KPISummaryV1.IntervalEvents]? {
        placeWithoutMean.map { without in
            ["duration", "response", "turnout", "scene", "transport", "turnaround"].enumerated().map { place, name in
                KPISummaryV1.IntervalEvents(
                    interval: name, start: "start \(place)", end: place == without ? "start \(place)" : "end \(place)")
            }
        }
    }

    /// A leaf with 22 trips or more is a group; the others are one together, joined by leaves until they are 30.
    private mutating func divide(
        _ month: String, _ population: AuditedPopulation, _ size: ClosedRange<Int>, _ random: inout SplitMix64
    ) {
        var byLeaf: [(leaf: AuditedLeaf, trips: [SyntheticTrip])] = []
        for region in regions {
            for tripType in tripTypes {
                let leaf = AuditedLeaf(region: region, tripType: tripType)
                let isUnassigned = region == "Unassigned" || tripType == "Unassigned"
                let most = population == .completed ? size.upperBound : size.upperBound / 2
                let drawn = Int.random(in: 0...(isUnassigned ? 2 : most), using: &random)
                let count = isUnassigned ? drawn : max(drawn, size.lowerBound)
                byLeaf.append((leaf, trips(count, month, population, leaf, &random)))
            }
        }
        let large = byLeaf.filter { $0.trips.count >= 22 }
        // Whether readers learn which leaves are empty does not matter here: both are met.
        let mayHoldEmpty = Bool.random(using: &random)
        var pool = byLeaf.filter { $0.trips.count < 22 && (mayHoldEmpty || !$0.trips.isEmpty) }
        var alone = large
        while pool.contains(where: { !$0.trips.isEmpty }), pool.reduce(0, { $0 + $1.trips.count }) < 30, !alone.isEmpty
        {
            pool.append(alone.removeLast())
        }
        let pooled = pool.flatMap(\.trips)
        if alone.isEmpty && pooled.count < 30 {
            unpublished.insert(.init(month: month, population: population))
            return
        }
        if !pooled.isEmpty { add(month, population, pool.map(\.leaf), pooled, &random) }
        for group in alone { add(month, population, [group.leaf], group.trips, &random) }
    }

    private mutating func add(
        _ month: String, _ population: AuditedPopulation, _ leaves: [AuditedLeaf], _ trips: [SyntheticTrip],
        _ random: inout SplitMix64
    ) {
        groups.append(
            Group(
                month: month, population: population, leaves: leaves, trips: trips,
                isPending: Int.random(in: 0..<8, using: &random) == 0))
    }

    private func trips(
        _ count: Int, _ month: String, _ population: AuditedPopulation, _ leaf: AuditedLeaf,
        _ random: inout SplitMix64
    ) -> [SyntheticTrip] {
        // Of a leaf, each value is missing seldom, often or always, so that each rule of what is published is met.
        let chances = (0..<9).map { _ in [0, 30, 70, 100, 100, 100].randomElement(using: &random) ?? 100 }
        let mix =
            [[100, 0, 0], [60, 40, 0], [55, 43, 2], [40, 30, 30], [95, 5, 0]].randomElement(using: &random) ?? []
        // Where the contracted trips of a leaf are of a few patients, they cannot be shown by themselves.
        let isOfFew = Int.random(in: 0..<4, using: &random) == 0
        func value(_ chance: Int, _ range: ClosedRange<Int>) -> Int? {
            let isThere = Int.random(in: 0..<100, using: &random) < chances[chance]
            return isThere ? Int.random(in: range, using: &random) : nil
        }
        return (0..<count).map { _ in
            let draw = Int.random(in: 0..<100, using: &random)
            let sourcing: SyntheticTrip.Sourcing =
                draw < mix[0] ? .inHouse : draw < mix[0] + mix[1] ? .contracted : .unclassified
            let patients = isOfFew && sourcing == .contracted ? 0...5 : 100...9_999
            let patient = Int.random(in: patients, using: &random)
            return SyntheticTrip(
                month: month, population: population, leaf: leaf, patient: namesPatients ? patient : nil,
                sourcing: sourcing, costCents: value(0, 10_000...250_000), loadedHundredths: value(1, 0...9_999),
                unloadedHundredths: value(2, 0...9_999), times: (3..<9).map { value($0, 1...9_000) })
        }
    }

    private func audited(_ group: Group) -> AuditedGroup {
        let trips = group.trips
        func bySourcing(_ value: (SyntheticTrip) -> Int) -> AuditedGroup.BySourcing {
            func sum(_ sourcing: SyntheticTrip.Sourcing) -> Int {
                trips.filter { $0.sourcing == sourcing }.reduce(0) { $0 + value($1) }
            }
            return .init(inHouse: sum(.inHouse), contracted: sum(.contracted), unclassified: sum(.unclassified))
        }
        func patients(_ sourcings: [SyntheticTrip.Sourcing]) -> Int {
            min(11, Set(trips.filter { sourcings.contains($0.sourcing) }.compactMap(\.patient)).count)
        }
        var audited = AuditedGroup(
            month: group.month, population: group.population, leaves: group.leaves, trips: trips.count,
            namesPatients: namesPatients, patients: patients(SyntheticTrip.Sourcing.allCases),
            isRevisionPending: group.isPending)
        audited.tripsBySourcing = bySourcing { _ in 1 }
        audited.patientsBySourcing = .init(
            inHouse: patients([.inHouse]), contracted: patients([.contracted]),
            unclassified: patients([.unclassified]),
            contractedOrUnclassified: patients([.contracted, .unclassified]))
        audited.costCentsBySourcing = bySourcing { $0.costCents ?? 0 }
        audited.costedTripsBySourcing = bySourcing { $0.costCents == nil ? 0 : 1 }
        audited.loadedHundredths = trips.compactMap(\.loadedHundredths).reduce(0, +)
        audited.tripsWithLoadedMiles = trips.compactMap(\.loadedHundredths).count
        audited.unloadedHundredths = trips.compactMap(\.unloadedHundredths).reduce(0, +)
        audited.tripsWithUnloadedMiles = trips.compactMap(\.unloadedHundredths).count
        audited.intervals = (0..<6).map { interval in
            let times = trips.compactMap { $0.times[interval] }
            return AuditedInterval(
                used: times.count, excluded: trips.count - times.count, sumSeconds: times.reduce(0, +)
            ) { times.map { ($0, 1) } }
        }
        return audited
    }
}
