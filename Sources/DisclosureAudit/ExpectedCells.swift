import KPIContract

/// Every cell of a release, recomputed from the groups.
struct ExpectedCells {
    private let release: AuditedRelease
    /// A cell that is not here is reached by no group.
    private var totals: [CellKey: CellTotals] = [:]
    /// For each group of the release; nil for groups of cancelled trips and no-shows.
    let parts: [PublishableParts?]
    private let shown: Set<String>
    private let placesWithoutMean: Set<Int>

    init(_ release: AuditedRelease) {
        self.release = release
        shown = Set(release.shownMonths)
        placesWithoutMean = release.placesWithoutMean
        parts = release.groups.map {
            $0.population == .completed ? PublishableParts(of: $0, minimum: release.minimum) : nil
        }
        for index in release.groups.indices { place(index) }
        for unpublished in release.unpublished { hide(unpublished) }
        for month in release.pendingMonths { markPending(month) }
    }

    /// Regions that a document lists: the selected configured ones, and `Unassigned` where a group may hold such trips.
    var listedRegions: [String] { listed(release.regions, release.selection.regions, \.region) }

    /// The same of trip types.
    var listedTripTypes: [String] { listed(release.tripTypes, release.selection.tripTypes, \.tripType) }

    /// The cell of each released month over all that is selected, also of months that the document leaves out.
    var monthTotals: [CalendarMonth: KPISummaryV1.Cell] {
        var cells: [CalendarMonth: KPISummaryV1.Cell] = [:]
        for name in release.months {
            if let month = CalendarMonth(name) { cells[month] = cell(at: CellKey(month: name)) }
        }
        return cells
    }

    func totals(at key: CellKey) -> CellTotals { totals[key] ?? CellTotals() }

    func cell(at key: CellKey) -> KPISummaryV1.Cell {
        var cell = totals(at: key).cell(month: key.month, region: key.region, tripType: key.tripType)
        for interval in placesWithoutMean { cell[interval: interval].mean = nil }
        return release.omitsMissingCounts ? Self.withoutMissingCounts(cell) : cell
    }

    /// Leaves out the counts of trips that have a value, and the figures that were divided by such a count: both give the
    /// number of trips without the value.
    private static func withoutMissingCounts(_ cell: KPISummaryV1.Cell) -> KPISummaryV1.Cell {
        var cell = cell
        cell.costedTrips = nil
        cell.costPerTrip = nil
        for interval in CheckedMeasures.intervals.indices {
            cell[interval: interval].used = nil
            cell[interval: interval].excluded = nil
            cell[interval: interval].mean = nil
        }
        return cell
    }

    /// The names under which a released month's trips are counted; none for a month that the release does not have.
    private func months(of month: String) -> [String] {
        guard release.months.contains(month) else { return [] }
        return shown.contains(month) ? [month, CellKey.all] : [month]
    }

    private mutating func place(_ index: Int) {
        let group = release.groups[index]
        // The cells that the group reaches into as far as it is selected, and with how many of its leaves.
        var reached: [CellKey: Int] = [:]
        for leaf in group.leaves where release.selection.contains(leaf) {
            for region in [leaf.region, CellKey.all] {
                for tripType in [leaf.tripType, CellKey.all] {
                    reached[CellKey(region: region, tripType: tripType), default: 0] += 1
                }
            }
        }
        for month in months(of: group.month) {
            for (cell, leaves) in reached {
                let key = CellKey(month: month, region: cell.region, tripType: cell.tripType)
                let isInside = leaves == group.leaves.count
                Self.add(group, at: index, parts[index], isInside: isInside, to: &totals[key, default: CellTotals()])
            }
        }
    }

    private static func add(
        _ group: AuditedGroup, at index: Int, _ parts: PublishableParts?, isInside: Bool, to totals: inout CellTotals
    ) {
        totals.isRevisionPending = totals.isRevisionPending || group.isRevisionPending
        switch group.population {
        case .completed:
            guard isInside, let parts else {
                totals.isComplete = false
                return
            }
            totals.add(group, at: index, parts)
        case .cancelled: count(group, isInside, &totals.cancelled)
        case .noShow: count(group, isInside, &totals.noShow)
        }
    }

    private static func count(_ group: AuditedGroup, _ isInside: Bool, _ counted: inout CellTotals.Counted) {
        guard isInside else {
            counted.isComplete = false
            return
        }
        counted.hasGroup = true
        counted.trips += group.trips
    }

    /// Nothing of the population is shown: every cell of the month leaves it out.
    private mutating func hide(_ unpublished: AuditedRelease.MonthPopulation) {
        for month in months(of: unpublished.month) {
            for region in release.regions + [CellKey.all] {
                for tripType in release.tripTypes + [CellKey.all] {
                    let key = CellKey(month: month, region: region, tripType: tripType)
                    switch unpublished.population {
                    case .completed: totals[key, default: CellTotals()].isComplete = false
                    case .cancelled: totals[key, default: CellTotals()].cancelled.isComplete = false
                    case .noShow: totals[key, default: CellTotals()].noShow.isComplete = false
                    }
                }
            }
        }
    }

    /// The cells over all regions and trip types of a month say that corrections wait.
    private mutating func markPending(_ name: String) {
        for month in months(of: name) {
            totals[CellKey(month: month), default: CellTotals()].isRevisionPending = true
        }
    }

    private func listed(
        _ names: [String], _ selected: Set<String>?, _ name: KeyPath<AuditedLeaf, String>
    ) -> [String] {
        let mayHoldUnassigned = release.groups.contains { group in
            group.population == .completed && shown.contains(group.month)
                && group.leaves.contains { $0[keyPath: name] == CellKey.unassigned }
        }
        let configured = names.filter { $0 != CellKey.unassigned }
        return (configured + (mayHoldUnassigned ? [CellKey.unassigned] : []))
            .filter { selected?.contains($0) ?? true }
    }
}
