package import Trips

extension KPITally {
    /// What the table needs to know besides the numbers.
    package struct TableContext: Sendable {
        package var regions: NamedList
        package var tripTypes: NamedList
        package var intervalPairs: [TripInterval: EventPair]
        /// All that trips of a release were ever measured between; empty: only these.
        package var releasedPairs: [[TripInterval: EventPair]]

        package init(
            regions: NamedList, tripTypes: NamedList, intervalPairs: [TripInterval: EventPair],
            releasedPairs: [[TripInterval: EventPair]] = []
        ) {
            self.releasedPairs = releasedPairs
            self.regions = regions
            self.tripTypes = tripTypes
            self.intervalPairs = intervalPairs
        }
    }

    /// The finished table, with every "All" combination; nil if the patients of some cell cannot be told for sure
    /// (more trips were superseded than the sample can bear): tally again with a larger `patientSampleSize`.
    ///
    /// With a selection the table is that of its leaf cells alone: "All" means all of the selection. Warnings are kept
    /// by month, not by cell: they are those of the selected months.
    package func table(_ context: TableContext, selection: KPISelection = .everything) -> KPITable? {
        let known = months.enumerated().filter { slot, _ in
            leaves([slot], nil, nil, selection).contains { !sums[$0].isEmpty }
        }.sorted { $0.element < $1.element }
        let live = known.filter { selection.holds(month: $0.element) }
        let selected = leaves(live.map(\.offset), nil, nil, selection).filter { !sums[$0].isEmpty }
        let regionCodes = codes(count: shape.regionCount, within: selection.regions) { region in
            selected.contains { $0 / shape.tripTypeCount % shape.regionCount == region }
        }
        let tripTypeCodes = codes(count: shape.tripTypeCount, within: selection.tripTypes) { type in
            selected.contains { $0 % shape.tripTypeCount == type }
        }
        var builder = CellBuilder(tally: self)
        var cells: [KPICell] = []
        for month in [nil] + live.map(Optional.some) {
            for region in [nil] + regionCodes.map(Optional.some) {
                for type in [nil] + tripTypeCodes.map(Optional.some) {
                    let scope = CellScope(month: month?.element, region: region, tripType: type)
                    let slots = month.map { [$0.offset] } ?? live.map(\.offset)
                    guard let cell = builder.cell(scope, leaves: leaves(slots, region, type, selection)) else {
                        return nil
                    }
                    cells.append(cell)
                }
            }
        }
        return KPITable(
            months: live.map(\.element), withheldMonths: known.map(\.element).filter(selection.withholds),
            regionCodes: regionCodes, tripTypeCodes: tripTypeCodes,
            regions: context.regions, tripTypes: context.tripTypes, cells: cells,
            countsPatients: selected.contains { cell in
                patients[cell * Self.populationCount..<(cell + 1) * Self.populationCount].contains { !$0.isEmpty }
            }, intervalPairs: context.intervalPairs,
            warningsByMonth: warnings(of: selection))
    }

    private func warnings(of selection: KPISelection) -> [Month: [WarningCode: Int]] {
        var byMonth: [Month: [WarningCode: Int]] = [:]
        for (slot, month) in months.enumerated() where selection.holds(month: month) {
            for (index, code) in WarningCode.allCases.enumerated() {
                let count = warnings[slot * Self.warningCount + index]
                if count != 0 { byMonth[month, default: [:]][code] = count }
            }
        }
        return byMonth
    }

    /// Configured codes in order, then Unassigned if any trip has it; only the selected ones.
    private func codes(count: Int, within selected: Set<UInt8>?, hasTrips: (Int) -> Bool) -> [UInt8] {
        let all = (1..<max(1, count)).map { UInt8($0) } + (hasTrips(0) ? [0] : [])
        return all.filter { selected?.contains($0) ?? true }
    }

    func leaves(_ slots: [Int], _ region: UInt8?, _ type: UInt8?, _ selection: KPISelection) -> [Int] {
        let regions = (region.map { [Int($0)] } ?? Array(0..<shape.regionCount)).filter(selection.holds(region:))
        let types = (type.map { [Int($0)] } ?? Array(0..<shape.tripTypeCount)).filter(selection.holds(tripType:))
        return slots.flatMap { slot in
            regions.flatMap { region in
                types.map { (slot * shape.regionCount + region) * shape.tripTypeCount + $0 }
            }
        }
    }
}

/// Sums leaf cells up, reusing one array of seconds for all percentiles.
struct CellBuilder {
    let tally: KPITally
    private var bins: [Int]
    private var pages: [Bool]

    init(tally: KPITally) {
        self.tally = tally
        bins = Array(repeating: 0, count: tally.histograms.pageCount << 8)
        pages = Array(repeating: false, count: tally.histograms.pageCount)
    }

    mutating func cell(_ scope: CellScope, leaves: [Int]) -> KPICell? {
        var sums = CellSums()
        let live = leaves.filter { !tally.sums[$0].isEmpty }
        for leaf in live { sums.merge(tally.sums[leaf]) }
        guard let count = tally.patientCount(ofCells: live, TripPopulation.completed) else { return nil }
        let intervals = TripInterval.allCases.map { statistics($0.rawValue, live) }
        return KPICell(scope: scope, sums: sums, intervals: intervals, patients: count)
    }

    mutating func statistics(_ interval: Int, _ leaves: [Int]) -> IntervalStatistics {
        var sums = KPITally.IntervalSums()
        let count = TripInterval.allCases.count
        for leaf in leaves {
            let own = tally.intervals[leaf * count + interval]
            sums.used += own.used
            sums.excluded += own.excluded
            sums.seconds += own.seconds
            if own.used > 0 {
                tally.histograms.accumulate(leaf * count + interval, into: &bins, touching: &pages)
            }
        }
        defer { clear() }
        return IntervalStatistics(
            used: sums.used, excluded: sums.excluded, sumSeconds: sums.seconds,
            p50Seconds: nearestRank(percent: 50, of: sums.used), p90Seconds: nearestRank(percent: 90, of: sums.used))
    }

    /// The value of rank `ceil(percent · n / 100)`; nil over none.
    private func nearestRank(percent: Int, of count: Int) -> Int? {
        guard count > 0 else { return nil }
        var left = (count * percent + 99) / 100
        for page in pages.indices where pages[page] {
            for second in page << 8..<(page + 1) << 8 {
                left -= bins[second]
                if left <= 0 { return second }
            }
        }
        return nil
    }

    private mutating func clear() {
        for page in pages.indices where pages[page] {
            for second in page << 8..<(page + 1) << 8 { bins[second] = 0 }
            pages[page] = false
        }
    }
}
