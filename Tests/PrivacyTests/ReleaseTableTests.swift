import KPIContract
import KPIs
import Privacy
import TestSupport
import Testing
import Trips

@Suite struct ReleaseTableTests {
    private static let january = Month(year: 2024, month: 1)

    private static func release(
        _ groups: TripGroups, selection: KPISelection = .everything, pending: PendingGroups = PendingGroups()
    ) throws -> Publishable {
        let tally = groups.tally(), rule = PartitionRule()
        return try Publishable(
            releasing: tally.monthsMet.map {
                ReleasedMonth(month: $0, partition: rule.partition(of: $0, in: tally), pending: pending)
            }, tally: tally, withholding: [], context: groups.context, selection: selection)
    }

    @Test("Nothing is published of fewer than 11 trips, and 0 of none")
    func tooFew() throws {
        var groups = TripGroups()
        groups.add(10, month: Self.january)
        #expect(throws: DisclosureError.nothingToRelease(minimumCell: 11)) { try Self.release(groups) }
        groups.add(1, month: Self.january)
        #expect(try Self.release(groups).overall.trips == 11)
        let empty = try Self.release(TripGroups())
        #expect(empty.overall.trips == 0 && empty.overall.complete && empty.suppressedCells == 0)
    }

    @Test("A leaf outside every merged group shows 0; one inside is not shown, whether it has trips or none")
    func zeros() throws {
        var groups = TripGroups()
        groups.add(40, month: Self.january, region: 1, tripType: 1)
        groups.add(40, month: Self.january, region: 2, tripType: 2)
        let clean = try Self.release(groups)
        let none = try #require(clean.cell(at: CellScope(month: Self.january, region: 1, tripType: 2)))
        #expect(none.trips == 0 && !none.suppressed && none.complete)
        #expect(clean.mergedGroups.isEmpty)
        groups.add(3, month: Self.january, region: 1, tripType: 2)
        let merged = try Self.release(groups)
        let hidden = try #require(merged.cell(at: CellScope(month: Self.january, region: 1, tripType: 2)))
        #expect(hidden.suppressed && hidden.trips == nil)
        let empty = try #require(merged.cell(at: CellScope(month: Self.january, region: 2, tripType: 1)))
        #expect(empty.suppressed)
        #expect(merged.overall.trips == 83 && merged.overall.complete)
        #expect(merged.mergedGroups.count == 1)
    }

    @Test("A group is divided in three, in two, or not at all, as its parts allow")
    func divisions() throws {
        func cell(_ inHouse: Int, _ contracted: Int, _ unclassified: Int) throws -> PublishedCell {
            var groups = TripGroups()
            for (sourcing, trips) in zip(Sourcing.allCases, [inHouse, contracted, unclassified]) {
                groups.add(trips, month: Self.january) { $0.sourcing = sourcing }
            }
            return try Self.release(groups).overall
        }
        let three = try cell(20, 11, 0)
        #expect(
            three.sourcingBasis == .classified && three["contracted"] == .value(11)
                && three["unclassified"] == .value(0))
        #expect(three["inHousePercent"] == .value(65))
        let two = try cell(20, 11, 3)
        #expect(two.sourcingBasis == .all && two["contracted"] == .value(14) && two["unclassified"] == .suppressed)
        #expect(two["inHousePercent"] == .value(59))
        let none = try cell(20, 7, 3)
        #expect(none.sourcingSuppressed && none["inHouse"] == .suppressed && none.trips == 30)
        #expect(none["inHousePercent"] == .suppressed && none.incompleteMeasures.contains("sourcing"))
    }

    @Test("A measure that too few trips of a group have is left out, and the cell says so")
    func measures() throws {
        var groups = TripGroups()
        groups.add(20, month: Self.january, region: 1) {
            $0.costCents = 1_000
            $0.loadedHundredths = 500
        }
        groups.add(20, month: Self.january, region: 2)
        groups.add(5, month: Self.january, region: 2) { $0.costCents = 70_000 }
        let release = try Self.release(groups)
        let south = try #require(release.cell(at: CellScope(region: 2)))
        #expect(south.trips == 25 && south["totalCost"] == .suppressed && south["costPerTrip"] == .suppressed)
        #expect(
            south.incompleteMeasures.filter { !["cancelled", "noShow"].contains($0) } == ["cost", "costBySourcing"])
        #expect(south["loadedMiles"] == .value(0) && south["costPerLoadedMile"] == .suppressed)
        #expect(release.overall["totalCost"] == .value(20_000) && release.overall["costedTrips"] == .value(20))
        #expect(release.overall.incompleteMeasures.contains("cost"))
        // Cost and miles are of different trips: their quotient would be of nothing.
        #expect(release.overall["costPerLoadedMile"] == .suppressed)
        let north = try #require(release.cell(at: CellScope(region: 1)))
        #expect(north["costPerLoadedMile"] == .value(200) && !north.incompleteMeasures.contains("cost"))
    }

    @Test("Percentiles are rounded to 10 seconds, means are not")
    func percentiles() throws {
        var groups = TripGroups()
        groups.add(11, month: Self.january) { $0.seconds = [.response: 604] }
        let overall = try Self.release(groups).overall
        #expect(["p50", "p90", "mean"].map { overall["response.\($0)"].value } == [600, 600, 6_040])
        #expect(overall["response.used"] == .value(11) && overall["response.excluded"] == .value(0))
    }

    @Test("The mean of the interval that the others add up to is left out")
    func redundantMean() throws {
        var groups = TripGroups()
        groups.add(30, month: Self.january) {
            $0.seconds = [.duration: 3_000, .response: 500, .scene: 700, .transport: 900, .turnaround: 900]
        }
        let cell = try Self.release(groups).overall
        #expect(cell["turnaround.mean"] == .suppressed && cell["turnaround.p50"] == .value(900))
        #expect(cell["duration.mean"] == .value(30_000) && cell["scene.mean"] == .value(7_000))
        // Without a way back to where it began nothing can be added up.
        groups.pairs[.duration] = EventPair(.requested, .completed)
        #expect(try Self.release(groups).overall["turnaround.mean"] == .value(9_000))
    }

    @Test("Cancelled trips and no-shows are groups of their own, and fewer than 11 in a month are not shown")
    func cancelled() throws {
        var groups = TripGroups()
        groups.add(40, month: Self.january) { $0.cancelled = 12 }
        groups.add(40, month: Self.january, region: 2) { $0.noShow = 4 }
        let release = try Self.release(groups)
        #expect(release.overall["cancelled"] == .value(12) && release.overall["noShow"] == .suppressed)
        #expect(release.overall.incompleteMeasures.contains("noShow"))
        #expect(release.cell(at: CellScope(region: 2))?["cancelled"] == .value(0))
    }

    @Test("Only groups whose trips changed wait for a revision")
    func pending() throws {
        var groups = TripGroups()
        groups.add(40, month: Self.january)
        groups.add(40, month: Self.january, region: 2)
        var pending = PendingGroups()
        pending.completed = [0]
        let release = try Self.release(groups, pending: pending)
        #expect(release.overall.revisionPending)
        #expect(release.cell(at: CellScope(region: 1))?.revisionPending == true)
        #expect(release.cell(at: CellScope(region: 2))?.revisionPending == false)
    }

    @Test("Every figure is that of the union of the cell's groups, whatever is selected", arguments: 0..<4)
    func unions(lane: Int) throws {
        var cells = 0, costs = 0, selected = 0
        for round in 0..<FuzzPlan.iterations(60) {
            var random = SplitMix64(seed: UInt64(lane) << 32 | UInt64(round))
            let population = RandomPopulation.make(&random), tally = population.tally(), rule = PartitionRule()
            let partitions = tally.monthsMet.map { ($0, rule.partition(of: $0, in: tally)) }
            guard let whole = try? Self.release(population) else { continue }
            for cell in whole.cells {
                var trips = 0, cost = 0, hasGroup = false, isComplete = true
                for (month, partition) in partitions where cell.scope.month == nil || cell.scope.month == month {
                    for group in partition.completed.groups ?? [] {
                        let inside = group.filter { Self.holds($0, cell.scope) }
                        if inside.isEmpty { continue }
                        guard inside.count == group.count else {
                            isComplete = false
                            continue
                        }
                        hasGroup = true
                        let sums = tally.sums(of: group, in: month)
                        trips += sums.trips
                        if sums.costedTrips == 0 || sums.costedTrips >= 11 { cost += sums.totalCostCents }
                    }
                }
                #expect(cell.suppressed == (!hasGroup && !isComplete))
                #expect(cell.complete == isComplete)
                #expect(cell.trips == (cell.suppressed ? nil : trips))
                cells += 1
                if let total = cell["totalCost"].value {
                    #expect(total == cost)
                    costs += 1
                }
            }
            let region = UInt8.random(in: 0..<UInt8(population.regions.names.count), using: &random)
            guard let part = try? Self.release(population, selection: KPISelection(regions: [region])) else { continue }
            for cell in part.cells {
                var scope = cell.scope
                scope.region = region
                guard let same = whole.cell(at: scope) else { continue }
                #expect(same.trips == cell.trips)
                selected += 1
            }
        }
        #expect(cells > 100 && costs > 10 && selected > 10, "\(cells), \(costs), \(selected)")
    }

    private static func holds(_ leaf: LeafScope, _ scope: CellScope) -> Bool {
        (scope.region ?? leaf.region) == leaf.region && (scope.tripType ?? leaf.tripType) == leaf.tripType
    }
}
