import DisclosureAudit
import KPIContract

/// The cells that an honest release has, computed from the trips by going through all groups for every cell.
struct HonestCells {
    let release: SyntheticRelease
    private let shown: [String]
    private let groupsByMonth: [String: [SyntheticRelease.Group]]

    init(release: SyntheticRelease) {
        self.release = release
        shown = release.months.filter { release.selection.months?.contains($0) ?? true }
        groupsByMonth = Dictionary(grouping: release.groups, by: \.month)
    }

    private func holds(_ leaf: AuditedLeaf, _ region: String, _ tripType: String) -> Bool {
        (region == "All" || region == leaf.region) && (tripType == "All" || tripType == leaf.tripType)
            && (release.selection.regions?.contains(leaf.region) ?? true)
            && (release.selection.tripTypes?.contains(leaf.tripType) ?? true)
    }

    private func listed(_ names: [String], _ selected: Set<String>?, _ name: KeyPath<AuditedLeaf, String>) -> [String] {
        let groups = release.groups.filter { $0.population == .completed && shown.contains($0.month) }
        let isUnassigned = groups.contains { $0.leaves.contains { $0[keyPath: name] == "Unassigned" } }
        return names.filter { $0 != "Unassigned" || isUnassigned }.filter { selected?.contains($0) ?? true }
    }

    var regions: [String] { listed(release.regions, release.selection.regions, \.region) }
    var tripTypes: [String] { listed(release.tripTypes, release.selection.tripTypes, \.tripType) }

    var all: [KPISummaryV1.Cell] {
        var cells: [KPISummaryV1.Cell] = []
        for month in ["All"] + shown {
            for region in ["All"] + regions {
                for tripType in ["All"] + tripTypes { cells.append(published(cell(month, region, tripType))) }
            }
        }
        return cells
    }

    private func published(_ cell: KPISummaryV1.Cell) -> KPISummaryV1.Cell {
        var cell = cell
        if let place = release.placeWithoutMean { cell[interval: place].mean = nil }
        guard release.omitsMissingCounts else { return cell }
        func percentiles(_ own: KPISummaryV1.Interval) -> KPISummaryV1.Interval {
            .init(used: nil, excluded: nil, mean: nil, p50: own.p50, p90: own.p90)
        }
        cell.costedTrips = nil
        cell.costPerTrip = nil
        cell.duration = percentiles(cell.duration)
        cell.response = percentiles(cell.response)
        cell.turnout = percentiles(cell.turnout)
        cell.scene = percentiles(cell.scene)
        cell.transport = percentiles(cell.transport)
        cell.turnaround = percentiles(cell.turnaround)
        return cell
    }

    private func enough(_ count: Int) -> Bool { count == 0 || count >= 11 }

    private func part(_ trips: [SyntheticTrip]) -> Bool {
        trips.isEmpty || (trips.count >= 11 && (!release.namesPatients || Set(trips.compactMap(\.patient)).count >= 11))
    }

    /// 1: undivided; 2: in-house and others; 3: in three.
    private func parts(_ group: SyntheticRelease.Group) -> Int {
        let inHouse = group.trips.filter { $0.sourcing == .inHouse }
        let contracted = group.trips.filter { $0.sourcing == .contracted }
        let unclassified = group.trips.filter { $0.sourcing == .unclassified }
        guard part(inHouse) else { return 1 }
        if part(contracted) && part(unclassified) { return 3 }
        return part(group.trips.filter { $0.sourcing != .inHouse }) ? 2 : 1
    }

    private func splitsCost(_ group: SyntheticRelease.Group) -> Bool {
        let costed = group.trips.filter { $0.costCents != nil }
        let counts = SyntheticTrip.Sourcing.allCases.map { sourcing in costed.filter { $0.sourcing == sourcing }.count }
        guard enough(costed.count), enough(counts[0]) else { return false }
        switch parts(group) {
        case 3: return enough(counts[1]) && enough(counts[2])
        case 2: return enough(counts[1] + counts[2])
        default: return false
        }
    }

    /// Trips of a population, whether a group of it reaches out of the cell, and whether there is a group inside.
    private func count(
        _ population: AuditedPopulation, _ months: [String], _ region: String, _ tripType: String
    ) -> (trips: Int?, isComplete: Bool) {
        let hidden = months.contains { release.unpublished.contains(.init(month: $0, population: population)) }
        let touching = months.flatMap { groupsByMonth[$0] ?? [] }.filter { group in
            group.population == population && group.leaves.contains { holds($0, region, tripType) }
        }
        let inside = touching.filter { $0.leaves.allSatisfy { holds($0, region, tripType) } }
        let isComplete = !hidden && inside.count == touching.count
        let trips = inside.reduce(0) { $0 + $1.trips.count }
        return (inside.isEmpty && !isComplete ? nil : trips, isComplete)
    }

    func patients(_ cell: KPISummaryV1.Cell) -> String {
        if cell.suppressed { return "" }
        return cell.trips == 0 ? "0" : release.namesPatients ? "11+" : ""
    }

    func cell(_ month: String, _ region: String, _ tripType: String) -> KPISummaryV1.Cell {
        let months = month == "All" ? shown : [month]
        let touching = months.flatMap { groupsByMonth[$0] ?? [] }.filter { group in
            group.population == .completed && group.leaves.contains { holds($0, region, tripType) }
        }
        let inside = touching.filter { $0.leaves.allSatisfy { holds($0, region, tripType) } }
        let isPending =
            months.flatMap { groupsByMonth[$0] ?? [] }.contains { group in
                group.isPending && group.leaves.contains { holds($0, region, tripType) }
            } || region == "All" && tripType == "All" && months.contains(where: release.pendingMonths.contains)
        var cell = KPISummaryV1.Cell(
            month: month, region: region, tripType: tripType, suppressed: inside.isEmpty && !touching.isEmpty,
            complete: inside.count == touching.count, revisionPending: isPending, sourcingSuppressed: true,
            sourcingBasis: "classified", incompleteMeasures: [])
        if cell.suppressed { return cell }
        let cancelled = count(.cancelled, months, region, tripType), noShow = count(.noShow, months, region, tripType)
        cell.trips = inside.reduce(0) { $0 + $1.trips.count }
        cell.cancelled = cancelled.trips
        cell.noShow = noShow.trips
        var incomplete = (cancelled.isComplete ? [] : ["cancelled"]) + (noShow.isComplete ? [] : ["noShow"])
        incomplete += fillSourcing(&cell, inside)
        incomplete += fillCosts(&cell, inside)
        incomplete += fillTimes(&cell, inside)
        cell.incompleteMeasures = incomplete
        return cell
    }

    private func half(_ value: Int, _ scale: Int, _ by: Int) -> Int? {
        by == 0 ? nil : (value * scale * 2 + by) / (by * 2)
    }

    private func fillSourcing(_ cell: inout KPISummaryV1.Cell, _ inside: [SyntheticRelease.Group]) -> [String] {
        let divided = inside.filter { parts($0) > 1 }
        if divided.contains(where: { parts($0) == 2 }) { cell.sourcingBasis = "all" }
        if inside.isEmpty || !divided.isEmpty {
            let trips = divided.flatMap(\.trips)
            let inHouse = trips.filter { $0.sourcing == .inHouse }.count
            let unclassified = trips.filter { $0.sourcing == .unclassified }.count
            let isAll = cell.sourcingBasis == "all"
            let others = trips.count - inHouse - (isAll ? 0 : unclassified)
            cell.sourcingSuppressed = false
            cell.inHouse = inHouse
            cell.contracted = others
            cell.unclassified = isAll ? nil : unclassified
            cell.inHousePercent = half(inHouse, 100, inHouse + others)
            cell.inHouseShare = half(inHouse, 10_000, inHouse + others).map(Share.init(tenThousandths:))
        }
        return divided.count == inside.count ? [] : ["sourcing"]
    }

    private func fillCosts(_ cell: inout KPISummaryV1.Cell, _ inside: [SyntheticRelease.Group]) -> [String] {
        let isAll = cell.sourcingBasis == "all"
        let costed = inside.filter { enough($0.trips.compactMap(\.costCents).count) }
        let split = inside.filter(splitsCost)
        let loaded = inside.filter { enough($0.trips.compactMap(\.loadedHundredths).count) }
        let unloaded = inside.filter { enough($0.trips.compactMap(\.unloadedHundredths).count) }
        let costs = costed.flatMap { $0.trips.compactMap(\.costCents) }
        let loadedSum = loaded.flatMap { $0.trips.compactMap(\.loadedHundredths) }.reduce(0, +)
        let unloadedSum = unloaded.flatMap { $0.trips.compactMap(\.unloadedHundredths) }.reduce(0, +)
        let total = costs.reduce(0, +)
        if inside.isEmpty || !costed.isEmpty {
            cell.costedTrips = costs.count
            cell.totalCost = Cents(cents: total)
            cell.costPerTrip = half(total, 1, costs.count).map(Cents.init(cents:))
        }
        if inside.isEmpty || !split.isEmpty {
            let trips = split.flatMap(\.trips)
            let sum = { (keep: (SyntheticTrip.Sourcing) -> Bool) in
                trips.filter { keep($0.sourcing) }.compactMap(\.costCents).reduce(0, +)
            }
            cell.inHouseCost = Cents(cents: sum { $0 == .inHouse })
            cell.contractedCost = Cents(cents: sum { $0 == .contracted || (isAll && $0 == .unclassified) })
        }
        if inside.isEmpty || !loaded.isEmpty { cell.loadedMiles = half(loadedSum, 1, 10).map(Tenths.init(tenths:)) }
        if inside.isEmpty || !unloaded.isEmpty {
            cell.unloadedMiles = half(unloadedSum, 1, 10).map(Tenths.init(tenths:))
        }
        if costed.count == inside.count, loaded.count == inside.count {
            cell.costPerLoadedMile = half(total, 100, loadedSum).map(Cents.init(cents:))
        }
        if unloaded.count == inside.count, loaded.count == inside.count {
            cell.loadedMileRatio = half(loadedSum, 10_000, loadedSum + unloadedSum).map(Share.init(tenThousandths:))
        }
        let lacking = [
            ("cost", costed), ("costBySourcing", split), ("loadedMiles", loaded), ("unloadedMiles", unloaded),
        ]
        return lacking.filter { $0.1.count < inside.count }.map(\.0)
    }

    private func fillTimes(_ cell: inout KPISummaryV1.Cell, _ inside: [SyntheticRelease.Group]) -> [String] {
        let keys: [(String, WritableKeyPath<KPISummaryV1.Cell, KPISummaryV1.Interval>)] = [
            ("duration", \.duration), ("response", \.response), ("turnout", \.turnout), ("scene", \.scene),
            ("transport", \.transport), ("turnaround", \.turnaround),
        ]
        var incomplete: [String] = []
        for (place, (name, key)) in keys.enumerated() {
            let timed = inside.filter { group in enough(group.trips.compactMap { $0.times[place] }.count) }
            if timed.count < inside.count { incomplete.append(name) }
            guard inside.isEmpty || !timed.isEmpty else { continue }
            let trips = timed.flatMap(\.trips)
            let seconds = trips.compactMap { $0.times[place] }.sorted()
            let rank = { (percent: Int) -> Int? in
                guard !seconds.isEmpty else { return nil }
                return (seconds[(seconds.count * percent + 99) / 100 - 1] + 5) / 10 * 10
            }
            cell[keyPath: key] = KPISummaryV1.Interval(
                used: seconds.count, excluded: trips.count - seconds.count,
                mean: half(seconds.reduce(0, +), 10, seconds.count).map(Tenths.init(tenths:)), p50: rank(50),
                p90: rank(90))
        }
        return incomplete
    }
}
