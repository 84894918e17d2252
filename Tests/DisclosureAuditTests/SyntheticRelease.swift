import DisclosureAudit
import KPIContract
import TestSupport

/// A small made-up release: trips, their division into groups, and what the auditor is told of them.
struct SyntheticRelease {
    /// A group with its trips.
    struct Group {
        var month: String
        var population: AuditedPopulation
        /// In the order of the lists.
        var leaves: [AuditedLeaf]
        var trips: [SyntheticTrip]
        var isPending: Bool
        var isRevised: Bool
    }

    /// Which population of a month has few trips or none.
    private enum MonthKind: CaseIterable { case usual, fewContracted, fewUnclassified, noUnclassified }

    private(set) var months: [String] = []
    private(set) var withheldMonths: [String]
    let regions: [String]
    let tripTypes: [String]
    let namesPatients: Bool
    /// Fewest trips of a group; what the auditor requires is 11.
    let threshold: Int
    private(set) var groups: [Group] = []
    private(set) var unpublished: Set<AuditedRelease.MonthPopulation> = []
    private(set) var unpublishedMeasures: [AuditedRelease.MonthPopulation: Set<AuditedMeasure>] = [:]
    /// Months with trips now where none were released: every third release has one.
    private(set) var pendingMonths: Set<String> = []
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
        namesPatients: Bool = true, withheldMonths: [String] = [], threshold: Int = 11
    ) {
        self.withheldMonths = withheldMonths
        self.regions = ["Unassigned"] + regions
        self.tripTypes = ["Unassigned"] + tripTypes
        self.namesPatients = namesPatients
        self.threshold = threshold
        var random = SplitMix64(seed: seed)
        for month in months { add(month, tripsPerLeaf, &random) }
        self.withheldMonths = (withheldMonths + months.filter { !self.months.contains($0) }).sorted()
        pendingMonths = seed % 3 == 0 ? Set(self.months.prefix(1)) : []
    }

    static func example(seed: UInt64) -> SyntheticRelease {
        SyntheticRelease(
            seed: seed, months: ["2026-01", "2026-02", "2026-03"], regions: ["North", "South", "West & <East>"],
            tripTypes: ["Emergency", "Routine"], tripsPerLeaf: 0...70, withheldMonths: ["2026-04"])
    }

    /// Whether the completed trips of a month are one population.
    func isJoined(_ month: String) -> Bool {
        groups.contains { $0.month == month && $0.population == .completed }
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
}

// How a month's trips are made and divided.
extension SyntheticRelease {
    private typealias TripsByLeaf = [AuditedLeaf: [SyntheticTrip]]

    private var leaves: [AuditedLeaf] {
        regions.flatMap { region in tripTypes.map { AuditedLeaf(region: region, tripType: $0) } }
    }

    private mutating func add(_ month: String, _ size: ClosedRange<Int>, _ random: inout SplitMix64) {
        let kind = MonthKind.allCases.randomElement(using: &random) ?? .usual
        var trips: [AuditedPopulation: TripsByLeaf] = [:]
        for population in AuditedPopulation.allCases where population != .completed {
            let isFew =
                switch population {
                case .contracted: kind == .fewContracted
                case .unclassified: kind == .fewUnclassified
                case .cancelled, .noShow: Int.random(in: 0..<5, using: &random) == 0
                case .inHouse, .completed: false
                }
            let most =
                [.inHouse: size.upperBound, .unclassified: size.upperBound / 4][population] ?? size.upperBound / 2
            trips[population] = leaves.reduce(into: [:]) { trips, leaf in
                let isUnassigned = leaf.region == "Unassigned" || leaf.tripType == "Unassigned"
                let drawn = Int.random(in: 0...(isUnassigned ? 2 : most), using: &random)
                var count = isUnassigned ? drawn : max(drawn, size.lowerBound)
                if isFew { count = leaf == leaves.last ? 1 + drawn % 8 : 0 }
                if kind == .noUnclassified, population == .unclassified { count = 0 }
                trips[leaf] = self.trips(count, population, leaf, &random)
            }
        }
        guard divideCompleted(month, trips, &random) else { return }
        months.append(month)
        for population in [AuditedPopulation.cancelled, .noShow] {
            let own = trips[population] ?? [:]
            if let divided = divided(own, &random), !divided.isEmpty {
                add(divided, month, population, own, &random)
            } else {
                unpublished.insert(.init(month: month, population: population))
            }
        }
        hideMeasures(month, &random)
    }

    /// - Returns: false if the month has too few trips.
    private mutating func divideCompleted(
        _ month: String, _ trips: [AuditedPopulation: TripsByLeaf], _ random: inout SplitMix64
    ) -> Bool {
        let bySourcing = [AuditedPopulation.inHouse, .contracted, .unclassified].map { ($0, trips[$0] ?? [:]) }
        let parts = bySourcing.map { divided($0.1, &random) }
        if parts[0] != nil, parts[1] != nil, parts.contains(where: { $0?.isEmpty == false }) {
            for ((population, own), groups) in zip(bySourcing, parts) {
                if let groups {
                    add(groups, month, population, own, &random)
                } else {
                    unpublished.insert(.init(month: month, population: population))
                }
            }
            return true
        }
        let all = bySourcing.reduce(into: TripsByLeaf()) { $0.merge($1.1) { $0 + $1 } }
        guard let groups = divided(all, &random), !groups.isEmpty else { return false }
        add(groups, month, .completed, all, &random)
        return true
    }

    /// A leaf with twice the threshold is a group; the others are one together, joined by leaves until they are nearly
    /// three times the threshold. Nil: there are trips, and too few.
    private func divided(_ trips: TripsByLeaf, _ random: inout SplitMix64) -> [[AuditedLeaf]]? {
        let count = { (leaves: [AuditedLeaf]) in leaves.reduce(0) { $0 + (trips[$1]?.count ?? 0) } }
        // Whether readers learn which leaves are empty does not matter here: both are met.
        let mayHoldEmpty = Bool.random(using: &random)
        var alone = leaves.filter { count([$0]) >= 2 * threshold }
        var pool = leaves.filter { leaf in
            !alone.contains(leaf) && (mayHoldEmpty || count([leaf]) > 0)
        }
        while count(pool) > 0, count(pool) < 3 * threshold - 3, !alone.isEmpty { pool.append(alone.removeLast()) }
        if count(pool) == 0 { return alone.map { [$0] } }
        guard count(pool) >= 3 * threshold - 3 else { return nil }
        return ([pool] + alone.map { [$0] }).map { group in leaves.filter(group.contains) }
            .sorted { (leaves.firstIndex(of: $0[0]) ?? 0) < (leaves.firstIndex(of: $1[0]) ?? 0) }
    }

    private mutating func add(
        _ divided: [[AuditedLeaf]], _ month: String, _ population: AuditedPopulation, _ trips: TripsByLeaf,
        _ random: inout SplitMix64
    ) {
        for leaves in divided {
            let isRevised = Int.random(in: 0..<9, using: &random) == 0
            var own = leaves.flatMap { trips[$0] ?? [] }
            // A revision may leave a few values, or no trip.
            if isRevised, Bool.random(using: &random) {
                own = []
            } else if isRevised {
                for place in own.indices.dropFirst(5) { own[place].costCents = nil }
            }
            groups.append(
                Group(
                    month: month, population: population, leaves: leaves, trips: own,
                    isPending: Int.random(in: 0..<8, using: &random) == 0, isRevised: isRevised))
        }
    }

    /// Measures that fewer than half of the trips have are not published, and sometimes another one.
    private mutating func hideMeasures(_ month: String, _ random: inout SplitMix64) {
        for population in AuditedPopulation.allCases where population.isCompleted {
            let trips = groups.filter { $0.month == month && $0.population == population }.flatMap(\.trips)
            var hidden = Set(
                AuditedMeasure.allCases.filter { measure in
                    let values = trips.count { $0.has(measure) }
                    return values > 0 && (values < 11 || 2 * values < trips.count)
                })
            if Int.random(in: 0..<6, using: &random) == 0 { hidden.insert(.scene) }
            if !hidden.isEmpty { unpublishedMeasures[.init(month: month, population: population)] = hidden }
        }
    }

    private func trips(
        _ count: Int, _ population: AuditedPopulation, _ leaf: AuditedLeaf, _ random: inout SplitMix64
    ) -> [SyntheticTrip] {
        // Of a leaf, each value is missing seldom, often or always, so that each rule of what is published is met.
        let chances = (0..<9).map { _ in [0, 30, 70, 100, 100, 100, 100, 100].randomElement(using: &random) ?? 100 }
        func value(_ chance: Int, _ range: ClosedRange<Int>) -> Int? {
            let isThere = Int.random(in: 0..<100, using: &random) < chances[chance]
            return isThere ? Int.random(in: range, using: &random) : nil
        }
        return (0..<count).map { _ in
            let patient = Int.random(in: 100...9_999, using: &random)
            return SyntheticTrip(
                population: population, leaf: leaf, patient: namesPatients ? patient : nil,
                costCents: value(0, -10_000...250_000), loadedHundredths: value(1, 0...9_999),
                unloadedHundredths: value(2, 0...9_999), times: (3..<9).map { value($0, 1...9_000) })
        }
    }
}

// What the auditor is told.
extension SyntheticRelease {
    var audited: AuditedRelease {
        var release = AuditedRelease(
            groups: groups.map(audited), months: months, regions: regions, tripTypes: tripTypes, minimum: 11)
        release.withheldMonths = withheldMonths
        release.unpublished = unpublished
        release.unpublishedMeasures = unpublishedMeasures
        release.pendingMonths = pendingMonths
        release.omitsMissingCounts = omitsMissingCounts
        release.selection = selection
        release.events = HonestEvents(release: self).audited
        release.eventKinds = HonestEvents.kinds
        for events in intervalEvents ?? [] { release.intervalEvents.append((events.start, events.end)) }
        return release
    }

    private func audited(_ group: Group) -> AuditedGroup {
        let trips = group.trips
        var audited = AuditedGroup(
            month: group.month, population: group.population, leaves: group.leaves, trips: trips.count,
            namesPatients: namesPatients, patients: min(11, Set(trips.compactMap(\.patient)).count),
            isRevisionPending: group.isPending, isRevised: group.isRevised)
        guard group.population.isCompleted else { return audited }
        for trip in trips {
            let loaded = trip.loadedHundredths ?? 0
            audited.costCents += trip.costCents ?? 0
            audited.costedTrips += trip.costCents == nil ? 0 : 1
            audited.loadedHundredths += loaded
            audited.tripsWithLoadedMiles += trip.loadedHundredths == nil ? 0 : 1
            audited.unloadedHundredths += trip.unloadedHundredths ?? 0
            audited.tripsWithUnloadedMiles += trip.unloadedHundredths == nil ? 0 : 1
            audited.costedTripsWithLoadedMiles += trip.costCents != nil && loaded > 0 ? 1 : 0
            audited.loadedHundredthsWithCost += trip.costCents == nil ? 0 : loaded
        }
        audited.intervals = (0..<6).map { interval in
            let times = trips.compactMap { $0.times[interval] }
            return AuditedInterval(
                used: times.count, excluded: trips.count - times.count, sumSeconds: times.reduce(0, +)
            ) { times.map { ($0, 1) } }
        }
        return audited
    }
}
