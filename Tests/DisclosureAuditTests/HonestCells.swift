import DisclosureAudit
import KPIContract

/// The cells that an honest release has, computed from the trips by going through all groups for every cell.
struct HonestCells {
    typealias Cell = KPISummaryV1.Cell

    /// The groups of some populations inside a cell, and whether these are all trips of the cell.
    private struct CellPart {
        var inside: [SyntheticRelease.Group]
        var isWhole: Bool
        var trips: [SyntheticTrip] { inside.flatMap(\.trips) }
        /// "At least" of the trips; nil if nothing is known.
        var count: Int? { inside.isEmpty && !isWhole ? nil : trips.count }
    }

    let release: SyntheticRelease
    private let shown: [String]
    private let groupsByMonth: [String: [SyntheticRelease.Group]]

    init(release: SyntheticRelease) {
        self.release = release
        shown = release.months.filter { release.selection.months?.contains($0) ?? true }
        groupsByMonth = Dictionary(grouping: release.groups, by: \.month)
    }

    var regions: [String] { listed(release.regions, release.selection.regions, \.region) }
    var tripTypes: [String] { listed(release.tripTypes, release.selection.tripTypes, \.tripType) }
    var all: [Cell] { cells(["All"] + shown) }
    var everyMonth: [Cell] { cells(release.months) }

    private func cells(_ months: [String]) -> [Cell] {
        var cells: [Cell] = []
        for month in months {
            for region in ["All"] + regions {
                for tripType in ["All"] + tripTypes { cells.append(cell(month, region, tripType)) }
            }
        }
        return cells
    }

    private func listed(_ names: [String], _ selected: Set<String>?, _ name: KeyPath<AuditedLeaf, String>) -> [String] {
        let isUnassigned = release.groups.contains { group in
            ![.cancelled, .noShow].contains(group.population) && shown.contains(group.month)
                && group.leaves.contains { $0[keyPath: name] == "Unassigned" }
        }
        return (names.filter { $0 != "Unassigned" } + (isUnassigned ? ["Unassigned"] : []))
            .filter { selected?.contains($0) ?? true }
    }

    func isSelected(_ leaf: AuditedLeaf) -> Bool { holds(leaf, "All", "All") }

    private func holds(_ leaf: AuditedLeaf, _ region: String, _ tripType: String) -> Bool {
        (region == "All" || region == leaf.region) && (tripType == "All" || tripType == leaf.tripType)
            && (release.selection.regions?.contains(leaf.region) ?? true)
            && (release.selection.tripTypes?.contains(leaf.tripType) ?? true)
    }

    private func part(
        _ populations: [AuditedPopulation], _ months: [String], _ region: String, _ tripType: String
    ) -> CellPart {
        let touching = months.flatMap { groupsByMonth[$0] ?? [] }.filter { group in
            populations.contains(group.population) && group.leaves.contains { holds($0, region, tripType) }
        }
        let inside = touching.filter { $0.leaves.allSatisfy { holds($0, region, tripType) } }
        let isUnpublished = months.contains { month in
            populations.contains { release.unpublished.contains(.init(month: month, population: $0)) }
        }
        return CellPart(inside: inside, isWhole: !isUnpublished && inside.count == touching.count)
    }

    func patients(_ cell: Cell) -> String {
        let months = cell.month == "All" ? shown : [cell.month]
        let completed = part([.inHouse, .contracted, .unclassified, .completed], months, cell.region, cell.tripType)
        if cell.suppressed { return "" }
        return completed.inside.isEmpty ? "0" : release.namesPatients ? "11+" : ""
    }

    func cell(_ month: String, _ region: String, _ tripType: String) -> Cell {
        let months = month == "All" ? shown : [month]
        func part(_ populations: AuditedPopulation...) -> CellPart { self.part(populations, months, region, tripType) }
        func sourcing(_ population: AuditedPopulation) -> CellPart {
            var own = part(population)
            if months.contains(where: release.isJoined) { own.isWhole = false }
            return own
        }
        let completed = part(.inHouse, .contracted, .unclassified, .completed)
        let isPending =
            months.flatMap { groupsByMonth[$0] ?? [] }.contains { group in
                group.isPending && group.leaves.contains { holds($0, region, tripType) }
            } || region == "All" && tripType == "All" && months.contains(where: release.pendingMonths.contains)
        let isSuppressed = completed.inside.isEmpty && !completed.isWhole
        var cell = Cell(
            month: month, region: region, tripType: tripType, suppressed: isSuppressed, complete: completed.isWhole,
            revisionPending: isPending, sourcingSuppressed: true, sourcingBasis: "classified", incompleteMeasures: [])
        if isSuppressed { return cell }
        let inHouse = sourcing(.inHouse), contracted = sourcing(.contracted), unclassified = sourcing(.unclassified)
        let cancelled = part(.cancelled), noShow = part(.noShow)
        cell.trips = completed.count
        cell.inHouse = inHouse.count
        cell.contracted = contracted.count
        cell.unclassified = unclassified.count
        cell.cancelled = cancelled.count
        cell.noShow = noShow.count
        cell.sourcingSuppressed = cell.inHouse == nil
        if inHouse.isWhole, contracted.isWhole {
            let count = inHouse.trips.count, all = count + contracted.trips.count
            cell.inHousePercent = half(count, 100, all)
            cell.inHouseShare = half(count, 10_000, all).map(Share.init(tenThousandths:))
        }
        let counts = [
            ("trips", completed), ("inHouse", inHouse), ("contracted", contracted), ("unclassified", unclassified),
            ("cancelled", cancelled), ("noShow", noShow),
        ]
        let names = counts.filter { !$0.1.isWhole }.map(\.0) + fill(&cell, completed, inHouse, contracted)
        cell.incompleteMeasures = names
        return cell
    }

    /// The figures of a group, as in a cell that is exactly this group.
    func figures(of group: SyntheticRelease.Group, in cell: inout Cell) {
        let part = CellPart(inside: [group], isWhole: true)
        _ = fill(&cell, part, part, part)
        cell.inHouseCost = nil
        cell.contractedCost = nil
    }

    private func publishes(_ group: SyntheticRelease.Group, _ measure: AuditedMeasure) -> Bool {
        let values = group.trips.count { $0.has(measure) }
        let hidden = release.unpublishedMeasures[.init(month: group.month, population: group.population)] ?? []
        return !hidden.contains(measure) && !(1...10).contains(values)
    }

    private func isWhole(_ part: CellPart, _ measure: AuditedMeasure) -> Bool {
        part.isWhole && part.inside.allSatisfy { publishes($0, measure) }
    }

    /// The trips of the groups that publish a measure; nil if there is no such group, and the cell is not whole.
    private func shownTrips(_ part: CellPart, _ measure: AuditedMeasure) -> [SyntheticTrip]? {
        let publishing = part.inside.filter { publishes($0, measure) }
        return publishing.isEmpty && !isWhole(part, measure) ? nil : publishing.flatMap(\.trips)
    }

    /// - Returns: the measures that are not of all trips.
    private func fill(
        _ cell: inout Cell, _ completed: CellPart, _ inHouse: CellPart, _ contracted: CellPart
    ) -> [String] {
        let sum = { (part: CellPart) in part.trips.compactMap(\.costCents).reduce(0, +) }
        let hasCost = isWhole(completed, .cost), hasLoaded = isWhole(completed, .loadedMiles)
        let counts = !release.omitsMissingCounts
        if counts { cell.costedTrips = shownTrips(completed, .cost).map { $0.count { $0.costCents != nil } } }
        if hasCost {
            let costs = completed.trips.compactMap(\.costCents)
            cell.totalCost = Cents(cents: sum(completed))
            if counts { cell.costPerTrip = half(sum(completed), 1, costs.count).map(Cents.init(cents:)) }
        }
        if isWhole(inHouse, .cost) { cell.inHouseCost = Cents(cents: sum(inHouse)) }
        if isWhole(contracted, .cost) { cell.contractedCost = Cents(cents: sum(contracted)) }
        let loaded = shownTrips(completed, .loadedMiles)?.compactMap(\.loadedHundredths).reduce(0, +)
        let unloaded = shownTrips(completed, .unloadedMiles)?.compactMap(\.unloadedHundredths).reduce(0, +)
        cell.loadedMiles = loaded.flatMap { half($0, 1, 10) }.map(Tenths.init(tenths:))
        cell.unloadedMiles = unloaded.flatMap { half($0, 1, 10) }.map(Tenths.init(tenths:))
        if hasLoaded, isWhole(completed, .unloadedMiles), let loaded, let unloaded {
            cell.loadedMileRatio = half(loaded, 10_000, loaded + unloaded).map(Share.init(tenThousandths:))
        }
        var isLeftOut = false
        if hasCost, hasLoaded, let loaded, loaded > 0 {
            let isOfBoth = completed.trips.allSatisfy { trip in
                let miles = trip.loadedHundredths ?? 0
                return trip.costCents == nil ? miles == 0 : miles > 0
            }
            isLeftOut = !isOfBoth || !counts
            if !isLeftOut { cell.costPerLoadedMile = half(sum(completed), 100, loaded).map(Cents.init(cents:)) }
        }
        let lacking = [
            ("cost", hasCost), ("inHouseCost", isWhole(inHouse, .cost)), ("contractedCost", isWhole(contracted, .cost)),
            ("loadedMiles", hasLoaded), ("unloadedMiles", isWhole(completed, .unloadedMiles)),
            ("costPerLoadedMile", !isLeftOut),
        ]
        return lacking.filter { !$0.1 }.map(\.0) + fillTimes(&cell, completed)
    }

    private func fillTimes(_ cell: inout Cell, _ completed: CellPart) -> [String] {
        let keys: [(AuditedMeasure, WritableKeyPath<Cell, KPISummaryV1.Interval>)] = [
            (.duration, \.duration), (.response, \.response), (.turnout, \.turnout), (.scene, \.scene),
            (.transport, \.transport), (.turnaround, \.turnaround),
        ]
        var incomplete: [String] = []
        for (place, (measure, key)) in keys.enumerated() {
            let isWhole = isWhole(completed, measure)
            if !isWhole { incomplete.append(measure.rawValue) }
            guard let trips = shownTrips(completed, measure) else { continue }
            let seconds = trips.compactMap { $0.times[place] }.sorted()
            let rank = { (percent: Int) -> Int? in
                guard isWhole, !seconds.isEmpty else { return nil }
                return (seconds[(seconds.count * percent + 99) / 100 - 1] + 5) / 10 * 10
            }
            let counts = !release.omitsMissingCounts, hasMean = isWhole && counts && release.placeWithoutMean != place
            let mean = half(seconds.reduce(0, +), 10, seconds.count).map(Tenths.init(tenths:))
            cell[keyPath: key] = KPISummaryV1.Interval(
                used: counts ? seconds.count : nil, excluded: counts ? trips.count - seconds.count : nil,
                mean: hasMean ? mean : nil, p50: rank(50), p90: rank(90))
        }
        return incomplete
    }

    /// Halves away from zero.
    private func half(_ value: Int, _ scale: Int, _ by: Int) -> Int? {
        guard by > 0 else { return nil }
        let size = (abs(value) * scale * 2 + by) / (by * 2)
        return value < 0 ? -size : size
    }
}
