package import Basics
package import KPIs
package import Trips

/// Synthetic trips in groups of equals, summed up into a `KPITable` the plain way: every combination looks at every
/// group.
package struct TripGroups: Sendable {
    package struct Group: Sendable {
        package var trips: Int
        package var month: Month
        /// Code in the list; 0 is Unassigned.
        package var region: UInt8
        package var tripType: UInt8
        package var sourcing = Sourcing.inHouse
        package var costCents: Int?
        package var loadedHundredths: Int?
        package var unloadedHundredths: Int?
        package var seconds: [TripInterval: Int] = [:]
        package var cancelled = 0
        package var noShow = 0
        /// Distinct patients of the group, who are in no other group; nil where trips name none.
        package var patients: Int?
        /// Who they are, where they are in other groups too.
        package var people: Set<UInt64>? {
            didSet { patients = people?.count }
        }

        package init(_ trips: Int, month: Month, region: UInt8, tripType: UInt8) {
            self.trips = trips
            self.month = month
            self.region = region
            self.tripType = tripType
        }
    }

    package var regions = NamedList(["North", "South"])
    package var tripTypes = NamedList(["Emergency", "Routine"])
    package var groups: [Group] = []
    package var warnings: [WarningCode: Int] = [:]
    package var pairs = Dictionary(uniqueKeysWithValues: TripInterval.allCases.map { ($0, $0.standardPair) })

    package init() {}

    package mutating func add(
        _ trips: Int, month: Month, region: UInt8 = 1, tripType: UInt8 = 1, _ edit: (inout Group) -> Void = { _ in }
    ) {
        var group = Group(trips, month: month, region: region, tripType: tripType)
        edit(&group)
        groups.append(group)
    }

    package func table() -> KPITable {
        let months = Set(groups.map(\.month)).sorted()
        let regionCodes = codes(regions, used: groups.map(\.region))
        let tripTypeCodes = codes(tripTypes, used: groups.map(\.tripType))
        var cells: [KPICell] = []
        for month in [nil] + months.map(Optional.some) {
            for region in [nil] + regionCodes.map(Optional.some) {
                for tripType in [nil] + tripTypeCodes.map(Optional.some) {
                    cells.append(cell(CellScope(month: month, region: region, tripType: tripType)))
                }
            }
        }
        return KPITable(
            months: months, regionCodes: regionCodes, tripTypeCodes: tripTypeCodes, regions: regions,
            tripTypes: tripTypes, cells: cells, countsPatients: groups.contains { $0.patients != nil },
            intervalPairs: pairs,
            warningsByMonth: months.first.map { [$0: warnings] } ?? [:])
    }

    /// The same trips, one by one, in a tally.
    package func tally() -> KPITally {
        var tally = KPITally(
            shape: KPITally.Shape(
                regionCount: regions.names.count, tripTypeCount: tripTypes.names.count,
                maximumIntervalSeconds: 86_400))
        for (index, group) in groups.enumerated() {
            let people = (group.people ?? Self.people(group.patients ?? 0, ofGroup: index)).sorted()
            tally.add(group.batch(group.trips, .completed, people))
            tally.add(group.batch(group.cancelled, .cancelled, people))
            tally.add(group.batch(group.noShow, .noShow, people))
        }
        return tally
    }

    package var context: KPITally.TableContext {
        KPITally.TableContext(regions: regions, tripTypes: tripTypes, intervalPairs: pairs)
    }

    private func codes(_ list: NamedList, used: [UInt8]) -> [UInt8] {
        list.names.indices.dropFirst().map { UInt8($0) } + (used.contains(0) ? [0] : [])
    }

    private func cell(_ scope: CellScope) -> KPICell {
        let numbered = groups.enumerated().filter { _, group in
            (scope.month ?? group.month) == group.month && (scope.region ?? group.region) == group.region
                && (scope.tripType ?? group.tripType) == group.tripType
        }
        let inside = numbered.map(\.element)
        var sums = CellSums()
        for group in inside { sums.merge(group.sums) }
        let areNamed = inside.contains { $0.patients != nil }
        let patients = Set(numbered.flatMap { $1.people ?? Self.people($1.patients ?? 0, ofGroup: $0) })
        let count = patients.count
        return KPICell(
            scope: scope, sums: sums, intervals: TripInterval.allCases.map { statistics(of: $0, inside) },
            patients: !areNamed ? .unknown : count < PatientCount.cap ? .exactly(count) : .atLeastCap)
    }

    private static func people(_ count: Int, ofGroup group: Int) -> Set<UInt64> {
        Set((0..<count).map { UInt64((group + 1) * 1_000_000 + $0) })
    }

    private func statistics(of interval: TripInterval, _ inside: [Group]) -> IntervalStatistics {
        let values = inside.flatMap { group in
            group.seconds[interval].map { Array(repeating: $0, count: group.trips) } ?? []
        }.sorted()
        let rank = { (percent: Int) in values.isEmpty ? nil : values[(values.count * percent + 99) / 100 - 1] }
        return IntervalStatistics(
            used: values.count, excluded: inside.map(\.trips).reduce(0, +) - values.count,
            sumSeconds: values.reduce(0, +), percentileSeconds: [rank(50), rank(90)])
    }
}

extension TripGroups.Group {
    /// The sums of the group's trips.
    package var sums: CellSums {
        var sums = CellSums(), own = CompletedSums()
        sums.cancelled = cancelled
        sums.noShow = noShow
        sums.costNotRunCents = (costCents ?? 0) * (cancelled + noShow)
        own.trips = trips
        if let costCents {
            own.costCents = costCents * trips
            own.costedTrips = trips
        }
        if let loadedHundredths {
            own.loadedHundredths = loadedHundredths * trips
            own.tripsWithLoadedMiles = trips
        }
        if let unloadedHundredths {
            own.unloadedHundredths = unloadedHundredths * trips
            own.tripsWithUnloadedMiles = trips
        }
        if let costCents, let loadedHundredths, loadedHundredths > 0 {
            own.costCentsWithLoadedMiles = costCents * trips
            own.loadedHundredthsWithCost = loadedHundredths * trips
            own.costedTripsWithLoadedMiles = trips
        }
        sums[sourcing] = own
        return sums
    }

    /// Equal trips of one status; the n-th is of the n-th of these people, in turn.
    fileprivate func batch(_ count: Int, _ status: TripStatus, _ people: [UInt64]) -> TripBatch {
        var batch = TripBatch(capacity: max(1, count), textFields: [])
        batch.count = count
        for row in 0..<count {
            batch.status[row] = status.rawValue
            batch.month[row] = month.index
            batch.day[row] = CivilDay.days(year: month.year, month: month.month, day: 1)
            batch.region[row] = region
            batch.tripType[row] = tripType
            batch.sourcing[row] = sourcing.rawValue
            if !people.isEmpty { batch.patientHashes[row] = people[row % people.count] }
            batch.costCents[row] = costCents ?? AmountState.absent
            batch.loadedHundredths[row] = loadedHundredths ?? AmountState.absent
            batch.unloadedHundredths[row] = unloadedHundredths ?? AmountState.absent
            for interval in TripInterval.allCases {
                batch.intervals[interval.rawValue][row] = seconds[interval].map { Int32($0) } ?? -1
            }
        }
        return batch
    }
}
