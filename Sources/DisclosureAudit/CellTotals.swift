import KPIContract

/// What the groups inside one cell give together.
struct CellTotals {
    /// Sums of the groups that publish a measure, and whether one of the cell's groups does not.
    struct Measured {
        var sum = 0
        var groups = 0
        var isIncomplete = false

        mutating func add(_ value: Int, isPublished: Bool) {
            guard isPublished else {
                isIncomplete = true
                return
            }
            sum += value
            groups += 1
        }
    }

    /// Cancelled trips or no-shows.
    struct Counted {
        var trips = 0
        var hasGroup = false
        var isComplete = true
        var isShown: Bool { hasGroup || isComplete }
    }

    /// Of one interval; `used` says which groups publish it.
    struct Timed {
        var used = Measured()
        var excluded = 0
        var seconds = 0
    }

    var groups: [Int] = []
    var trips = 0
    var isComplete = true
    var isRevisionPending = false
    var namesPatients = false
    var cancelled = Counted()
    var noShow = Counted()
    private var bySourcing = AuditedGroup.BySourcing()
    private var split = Measured()
    private var isAllBasis = false
    private var cost = Measured()
    private var costedTrips = 0
    private var costBySourcing = AuditedGroup.BySourcing()
    private var costSplit = Measured()
    private var loaded = Measured()
    private var unloaded = Measured()
    private var times = Array(repeating: Timed(), count: 6)

    var isSuppressed: Bool { groups.isEmpty && !isComplete }

    /// - Parameter index: of the group, for its histograms.
    mutating func add(_ group: AuditedGroup, at index: Int, _ parts: PublishableParts) {
        groups.append(index)
        trips += group.trips
        namesPatients = namesPatients || group.namesPatients
        split.add(0, isPublished: parts.division != .whole)
        if parts.division != .whole { bySourcing.add(group.tripsBySourcing) }
        isAllBasis = isAllBasis || parts.division == .inHouseAndOthers
        cost.add(group.costCentsBySourcing.total, isPublished: parts.isCostPublished)
        if parts.isCostPublished { costedTrips += group.costedTripsBySourcing.total }
        costSplit.add(0, isPublished: parts.isCostDivided)
        if parts.isCostDivided { costBySourcing.add(group.costCentsBySourcing) }
        loaded.add(group.loadedHundredths, isPublished: parts.areLoadedMilesPublished)
        unloaded.add(group.unloadedHundredths, isPublished: parts.areUnloadedMilesPublished)
        for (place, interval) in group.intervals.enumerated() where place < times.count {
            let isPublished = parts.areTimesPublished[place]
            times[place].used.add(interval.used, isPublished: isPublished)
            if isPublished {
                times[place].excluded += interval.excluded
                times[place].seconds += interval.sumSeconds
            }
        }
    }

    /// A figure is shown if some group shows it, or if the cell is known to be empty.
    private func isShown(_ measured: Measured) -> Bool { groups.isEmpty || measured.groups > 0 }

    /// The cell as it must be published, but for the percentiles, which are left nil.
    func cell(month: String, region: String, tripType: String) -> KPISummaryV1.Cell {
        var cell = KPISummaryV1.Cell(
            month: month, region: region, tripType: tripType, suppressed: isSuppressed, complete: isComplete,
            revisionPending: isRevisionPending, sourcingSuppressed: true, sourcingBasis: "classified",
            incompleteMeasures: [])
        guard !isSuppressed else { return cell }
        cell.trips = trips
        cell.cancelled = cancelled.isShown ? cancelled.trips : nil
        cell.noShow = noShow.isShown ? noShow.trips : nil
        cell.incompleteMeasures = incompleteMeasures
        fillSourcing(of: &cell)
        fillCost(of: &cell)
        fillMiles(of: &cell)
        for (place, timed) in times.enumerated() { cell[interval: place] = interval(timed) }
        return cell
    }

    private var incompleteMeasures: [String] {
        let flags = [
            ("cancelled", !cancelled.isComplete), ("noShow", !noShow.isComplete), ("sourcing", split.isIncomplete),
            ("cost", cost.isIncomplete), ("costBySourcing", costSplit.isIncomplete),
            ("loadedMiles", loaded.isIncomplete), ("unloadedMiles", unloaded.isIncomplete),
        ]
        let timed = zip(CheckedMeasures.intervals, times).map { ($0, $1.used.isIncomplete) }
        return (flags + timed).filter(\.1).map(\.0)
    }

    private func fillSourcing(of cell: inout KPISummaryV1.Cell) {
        if isAllBasis { cell.sourcingBasis = "all" }
        guard isShown(split) else { return }
        let others = isAllBasis ? bySourcing.contracted + bySourcing.unclassified : bySourcing.contracted
        cell.sourcingSuppressed = false
        cell.inHouse = bySourcing.inHouse
        cell.contracted = others
        cell.unclassified = isAllBasis ? nil : bySourcing.unclassified
        cell.inHousePercent = RoundedQuotient.of(bySourcing.inHouse, times: 100, by: bySourcing.inHouse + others)
        cell.inHouseShare = RoundedQuotient.of(bySourcing.inHouse, times: 10_000, by: bySourcing.inHouse + others)
            .map(Share.init(tenThousandths:))
    }

    private func fillCost(of cell: inout KPISummaryV1.Cell) {
        if isShown(cost) {
            cell.totalCost = Cents(cents: cost.sum)
            cell.costedTrips = costedTrips
            cell.costPerTrip = RoundedQuotient.of(cost.sum, by: costedTrips).map(Cents.init(cents:))
        }
        if isShown(costSplit) {
            let contracted = costBySourcing.contracted
            cell.inHouseCost = Cents(cents: costBySourcing.inHouse)
            cell.contractedCost = Cents(cents: isAllBasis ? contracted + costBySourcing.unclassified : contracted)
        }
    }

    /// A quotient of sums over different groups would be of no trips at all, so there is none.
    private func fillMiles(of cell: inout KPISummaryV1.Cell) {
        if isShown(loaded) { cell.loadedMiles = RoundedQuotient.of(loaded.sum, by: 10).map(Tenths.init(tenths:)) }
        if isShown(unloaded) {
            cell.unloadedMiles = RoundedQuotient.of(unloaded.sum, by: 10).map(Tenths.init(tenths:))
        }
        if !cost.isIncomplete, !loaded.isIncomplete, loaded.sum > 0 {
            cell.costPerLoadedMile = RoundedQuotient.of(cost.sum, times: 100, by: loaded.sum).map(Cents.init(cents:))
        }
        if !loaded.isIncomplete, !unloaded.isIncomplete {
            cell.loadedMileRatio = RoundedQuotient.of(loaded.sum, times: 10_000, by: loaded.sum + unloaded.sum)
                .map(Share.init(tenThousandths:))
        }
    }

    private func interval(_ timed: Timed) -> KPISummaryV1.Interval {
        guard isShown(timed.used) else {
            return KPISummaryV1.Interval(used: nil, excluded: nil, mean: nil, p50: nil, p90: nil)
        }
        let mean = RoundedQuotient.of(timed.seconds, times: 10, by: timed.used.sum).map(Tenths.init(tenths:))
        return KPISummaryV1.Interval(used: timed.used.sum, excluded: timed.excluded, mean: mean, p50: nil, p90: nil)
    }
}

extension AuditedGroup.BySourcing {
    mutating func add(_ other: Self) {
        inHouse += other.inHouse
        contracted += other.contracted
        unclassified += other.unclassified
    }
}
