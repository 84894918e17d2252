import Basics
import KPIContract
import KPIs
import Privacy
import TestSupport
import Testing
import Trips

@Suite struct ReleasedCellsTests {
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
        #expect(clean.groups.map(\.leaves.count) == [1, 1])
        groups.add(3, month: Self.january, region: 1, tripType: 2)
        let merged = try Self.release(groups)
        let hidden = try #require(merged.cell(at: CellScope(month: Self.january, region: 1, tripType: 2)))
        #expect(hidden.suppressed && hidden.trips == nil)
        let empty = try #require(merged.cell(at: CellScope(month: Self.january, region: 2, tripType: 1)))
        #expect(empty.suppressed)
        #expect(merged.overall.trips == 83 && merged.overall.complete)
        #expect(merged.groups.map(\.leaves.count).max() ?? 0 > 1)
        #expect(merged.groups.reduce(0) { $0 + ($1.figures.trips ?? 0) } == 83)
    }

    private static func overall(
        _ inHouse: Int, _ contracted: Int, _ unclassified: Int, _ change: (inout TripGroups.Group) -> Void = { _ in }
    ) throws -> PublishedCell {
        var groups = TripGroups()
        for (sourcing, trips) in zip(Sourcing.allCases, [inHouse, contracted, unclassified]) {
            groups.add(trips, month: january) {
                $0.sourcing = sourcing
                change(&$0)
            }
        }
        return try release(groups).overall
    }

    @Test("The in-house share is that of all in-house and contracted trips, or none")
    func shares() throws {
        let three = try Self.overall(20, 11, 0)
        #expect(three["contracted"] == .value(11) && three["unclassified"] == .value(0) && three.complete)
        #expect(three["inHousePercent"] == .value(65))
        let joined = try Self.overall(20, 7, 3)
        #expect(joined["inHouse"] == .suppressed && joined.trips == 30 && joined.complete)
        #expect(joined["inHousePercent"] == .suppressed)
        #expect(["inHouse", "contracted", "unclassified"].allSatisfy(joined.incompleteMeasures.contains))
    }

    @Test("Without few unclassified trips totals are at least, and the share is whole")
    func fewUnclassified() throws {
        let cell = try Self.overall(20, 11, 3) {
            $0.costCents = 1_000
            $0.seconds = [.response: 600]
        }
        #expect(cell.trips == 31 && !cell.complete && cell["inHousePercent"] == .value(65))
        #expect(cell["unclassified"] == .suppressed)
        // A cost may be negative, so part of it is no bound; a mean or percentile of part of the trips is biased.
        #expect(["totalCost", "costPerTrip", "response.mean", "response.p90"].allSatisfy { cell[$0] == .suppressed })
        #expect(cell["inHouseCost"] == .value(20_000) && cell["costedTrips"] == .value(31))
        #expect(cell["response.used"] == .value(31))
        #expect(["trips", "unclassified", "cost", "response"].allSatisfy(cell.incompleteMeasures.contains))
        #expect(!cell.incompleteMeasures.contains("inHouse") && !cell.incompleteMeasures.contains("inHouseCost"))
    }

    @Test("A measure that is not published of one population is not shown of both")
    func measures() throws {
        var groups = TripGroups()
        groups.add(20, month: Self.january, region: 1) {
            $0.costCents = 1_000
            $0.loadedHundredths = 500
        }
        groups.add(20, month: Self.january, region: 2) { $0.sourcing = .contracted }
        groups.add(5, month: Self.january, region: 2) {
            $0.sourcing = .contracted
            $0.costCents = 70_000
        }
        let release = try Self.release(groups)
        let south = try #require(release.cell(at: CellScope(region: 2)))
        #expect(south.trips == 25 && south["totalCost"] == .suppressed && south["costPerTrip"] == .suppressed)
        #expect(
            south.incompleteMeasures.filter { !["cancelled", "noShow"].contains($0) } == ["cost", "contractedCost"])
        #expect(south["loadedMiles"] == .value(0) && south["costPerLoadedMile"] == .suppressed)
        #expect(release.overall["totalCost"] == .suppressed && release.overall["costedTrips"] == .value(20))
        #expect(release.overall["inHouseCost"] == .value(20_000) && release.overall["inHousePercent"] == .value(44))
        let north = try #require(release.cell(at: CellScope(region: 1)))
        #expect(north["costPerLoadedMile"] == .value(200) && !north.incompleteMeasures.contains("cost"))
    }

    @Test("Cost per loaded mile is shown where every trip has both, since the staff's is of those that have both")
    func costPerLoadedMile() throws {
        var groups = TripGroups()
        groups.add(40, month: Self.january) {
            $0.costCents = 1_000
            $0.loadedHundredths = 500
        }
        #expect(try Self.release(groups).overall["costPerLoadedMile"] == .value(200))
        groups.add(1, month: Self.january) { $0.costCents = 9_000 }
        let cell = try Self.release(groups).overall
        #expect(cell["costPerLoadedMile"] == .suppressed && cell.incompleteMeasures.contains("costPerLoadedMile"))
        #expect(cell["totalCost"] == .value(49_000) && cell["loadedMiles"] == .value(2_000))
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
        pending[.inHouse] = [0]
        let release = try Self.release(groups, pending: pending)
        #expect(release.overall.revisionPending)
        #expect(release.cell(at: CellScope(region: 1))?.revisionPending == true)
        #expect(release.cell(at: CellScope(region: 2))?.revisionPending == false)
    }

    /// What is promised of the release: a share, mean, ratio or percentile is the staff's, or is not there.
    @Test("Every figure is the staff's within its rounding, at least a part of it, or not shown", arguments: 0..<4)
    func truth(lane: Int) throws {
        var quotients = 0, counts = 0, parts = 0, selected = 0
        for round in 0..<FuzzPlan.iterations(60) {
            var random = SplitMix64(seed: UInt64(lane) << 32 | UInt64(round))
            let population = RandomPopulation.make(&random)
            guard let release = try? Self.release(population) else { continue }
            let months = Set(release.months)
            var shown = population
            shown.groups.removeAll { !months.contains($0.month) }
            let staff = try Publishable(forStaff: shown.table())
            for cell in release.cells {
                guard let own = staff.cell(at: cell.scope) else { continue }
                for kpi in KPICatalog.all {
                    guard let figure = cell[kpi.measure].value else { continue }
                    let isPart = kpi.partialMeasures.contains(where: cell.incompleteMeasures.contains)
                    let exact = try #require(own[kpi.measure].value, "\(kpi.name)")
                    if kpi.isRoundedInRelease {
                        #expect(abs(figure - exact) <= 5 && !isPart, "\(kpi.name)")
                        quotients += 1
                    } else if kpi.countedTrips != nil || kpi.format == .dollars {
                        #expect(figure == exact && !isPart, "\(kpi.name)")
                        quotients += 1
                    } else if isPart {
                        #expect(figure <= exact, "\(kpi.name)")
                        parts += 1
                    } else {
                        #expect(figure == exact, "\(kpi.name)")
                        counts += 1
                    }
                }
            }
            let region = UInt8.random(in: 0..<UInt8(population.regions.names.count), using: &random)
            guard let part = try? Self.release(population, selection: KPISelection(regions: [region])) else { continue }
            for cell in part.cells {
                var scope = cell.scope
                scope.region = region
                guard let same = release.cell(at: scope) else { continue }
                #expect(same.figures == cell.figures && same.incompleteMeasures == cell.incompleteMeasures)
                selected += 1
            }
        }
        #expect(quotients > 100 && counts > 100 && parts > 10 && selected > 10, "\(quotients) \(counts) \(parts)")
    }
}
