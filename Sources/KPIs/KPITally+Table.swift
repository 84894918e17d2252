package import Basics
import KPIContract
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

    /// The finished table, with every "All" combination; nil if the patients of some cell cannot be counted for sure
    /// (more trips were superseded than the sample can bear): tally again with a larger `patientSampleSize`.
    ///
    /// With a selection the table is that of its leaf cells alone: "All" means all of the selection. Of the selected months
    /// all are in it that have any trip: one without a trip of the selected regions and types is 0. Warnings are kept by
    /// month, not by cell: they are those of the selected months.
    package func table(_ context: TableContext, selection: KPISelection = .everything) -> KPITable? {
        let known = months.enumerated().filter { slot, _ in
            leaves([slot], nil, nil, .everything).contains { !sums[$0].isEmpty }
        }.sorted { $0.element < $1.element }
        let live = known.filter { selection.holds(month: $0.element) }
        let selected = leaves(live.map(\.offset), nil, nil, selection).filter { !sums[$0].isEmpty }
        let all = leaves(live.map(\.offset), nil, nil, .everything).filter { !sums[$0].isEmpty }
        let regionCodes = codes(count: shape.regionCount, within: selection.regions) { region in
            all.contains { $0 / shape.tripTypeCount % shape.regionCount == region }
        }
        let tripTypeCodes = codes(count: shape.tripTypeCount, within: selection.tripTypes) { type in
            all.contains { $0 % shape.tripTypeCount == type }
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

    /// Configured codes in order, then Unassigned if any trip of the months has it; only the selected ones.
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
package struct CellBuilder {
    private let tally: KPITally
    private var bins: SecondsBins

    package init(tally: KPITally) {
        self.tally = tally
        bins = SecondsBins(tally.histograms)
    }

    /// Nil if the patients of the leaves cannot be counted for sure.
    mutating func cell(_ scope: CellScope, leaves: [Int]) -> KPICell? {
        var sums = CellSums()
        let live = leaves.filter { !tally.sums[$0].isEmpty }
        for leaf in live { sums.merge(tally.sums[leaf]) }
        guard let count = tally.patientCount(ofCells: live, TripPopulation.completed) else { return nil }
        let intervals = TripInterval.allCases.map { interval in
            statistics(
                live.flatMap { cell in
                    TripPopulation.completed.map { KPITally.histogram(interval, of: cell, $0) }
                })
        }
        return KPICell(scope: scope, sums: sums, intervals: intervals, patients: count)
    }

    /// Statistics of an interval over completed trips of any leaves of any months.
    package mutating func statistics(
        of interval: TripInterval, over parts: [(month: Month, leaves: [LeafScope], populations: [TripPopulation])]
    ) -> IntervalStatistics {
        statistics(parts.flatMap { tally.histograms(interval, of: $0.leaves, in: $0.month, $0.populations) })
    }

    private mutating func statistics(_ histograms: [Int]) -> IntervalStatistics {
        var sums = KPITally.IntervalSums()
        for index in histograms {
            sums.used += tally.intervals[index].used
            sums.excluded += tally.intervals[index].excluded
            sums.seconds += tally.intervals[index].seconds
            if tally.intervals[index].used > 0 { bins.add(index, of: tally.histograms) }
        }
        defer { bins.clear() }
        // Nearest rank: the value of rank `ceil(percent · n / 100)`.
        let percentiles = IntervalStatistic.percentiles.compactMap(\.percent).map { percent in
            bins.seconds(ofRank: (sums.used * percent + 99) / 100)
        }
        return IntervalStatistics(
            used: sums.used, excluded: sums.excluded, sumSeconds: sums.seconds, percentileSeconds: percentiles)
    }
}
