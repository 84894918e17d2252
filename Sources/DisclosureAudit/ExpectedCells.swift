import KPIContract

/// Every cell of a release, recomputed from the groups.
struct ExpectedCells {
    let grid: CellGrid
    private let release: AuditedRelease
    private(set) var totals: [CellTotals]
    /// For each group of the release; nil for groups of cancelled trips and no-shows.
    let parts: [PublishableParts?]
    private let shown: Set<String>
    private let placesWithoutMean: Set<Int>

    init(_ release: AuditedRelease) {
        self.release = release
        grid = CellGrid(release)
        shown = Set(release.shownMonths)
        placesWithoutMean = release.placesWithoutMean
        totals = Array(repeating: CellTotals(), count: grid.count)
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
            guard let month = CalendarMonth(name) else { continue }
            cells[month] = cell(month: name, region: AuditedRelease.all, tripType: AuditedRelease.all)
        }
        return cells
    }

    /// Nil for names that the release does not have.
    func cell(month: String, region: String, tripType: String) -> KPISummaryV1.Cell? {
        grid.place(month: month, region: region, tripType: tripType).map {
            cell(at: $0, month: month, region: region, tripType: tripType)
        }
    }

    func cell(at place: Int, month: String, region: String, tripType: String) -> KPISummaryV1.Cell {
        var cell = totals[place].cell(month: month, region: region, tripType: tripType)
        for interval in placesWithoutMean { cell[keyPath: Self.intervals[interval]].mean = nil }
        return release.omitsMissingCounts ? Self.withoutMissingCounts(cell) : cell
    }

    /// Leaves out the counts of trips that have a value, and the figures that were divided by such a count: both give the
    /// number of trips without the value.
    private static func withoutMissingCounts(_ cell: KPISummaryV1.Cell) -> KPISummaryV1.Cell {
        var cell = cell
        cell.costedTrips = nil
        cell.costPerTrip = nil
        for interval in intervals {
            cell[keyPath: interval].used = nil
            cell[keyPath: interval].excluded = nil
            cell[keyPath: interval].mean = nil
        }
        return cell
    }

    private static var intervals: [WritableKeyPath<KPISummaryV1.Cell, KPISummaryV1.Interval>] {
        [\.duration, \.response, \.turnout, \.scene, \.transport, \.turnaround]
    }

    private mutating func place(_ index: Int) {
        let group = release.groups[index]
        guard let month = grid.monthSlot(group.month), month > 0 else { return }
        let slots = shown.contains(group.month) ? [month, 0] : [month]
        for reach in grid.reach(of: group.leaves, release.selection) {
            for slot in slots {
                let place = grid.place(month: slot, region: reach.region, tripType: reach.tripType)
                Self.add(group, at: index, parts[index], isInside: reach.isInside, to: &totals[place])
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
        guard let month = grid.monthSlot(unpublished.month), month > 0 else { return }
        for slot in shown.contains(unpublished.month) ? [month, 0] : [month] {
            let first = grid.place(month: slot, region: 0, tripType: 0)
            for place in first..<first + grid.cellsOfAMonth {
                switch unpublished.population {
                case .completed: totals[place].isComplete = false
                case .cancelled: totals[place].cancelled.isComplete = false
                case .noShow: totals[place].noShow.isComplete = false
                }
            }
        }
    }

    /// The cells over all regions and trip types of a month say that corrections wait.
    private mutating func markPending(_ name: String) {
        guard let month = grid.monthSlot(name), month > 0 else { return }
        for slot in shown.contains(name) ? [month, 0] : [month] {
            totals[grid.place(month: slot, region: 0, tripType: 0)].isRevisionPending = true
        }
    }

    private func listed(
        _ names: [String], _ selected: Set<String>?, _ name: KeyPath<AuditedLeaf, String>
    ) -> [String] {
        let mayHoldUnassigned = release.groups.contains { group in
            group.population == .completed && shown.contains(group.month)
                && group.leaves.contains { $0[keyPath: name] == AuditedRelease.unassigned }
        }
        let configured = names.filter { $0 != AuditedRelease.unassigned }
        return (configured + (mayHoldUnassigned ? [AuditedRelease.unassigned] : []))
            .filter { selected?.contains($0) ?? true }
    }
}
