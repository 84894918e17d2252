import KPIs
import Privacy
import Testing
import TestSupport
import Trips

/// What else in one cell would give a small count away.
struct PrimarySuppressionTests {
    typealias Cells = DisclosureControlTests

    @Test("Few costed trips hide every cost", arguments: [0, 1, 10, 11])
    func fewCostedTrips(count: Int) throws {
        let cell = try Cells.cell {
            $0.costedTripsBySourcing = SourcingTriple()
            $0.costedTripsBySourcing.inHouse = count
            $0.costCentsBySourcing = SourcingTriple()
            $0.costCentsBySourcing.inHouse = count * 40_000
            $0.costedTripsWithLoadedMiles = count
            $0.costCentsWithLoadedMiles = count * 40_000
            $0.loadedHundredthsWithCost = count * 1_000
        }
        let hidden = count == 1 || count == 10
        #expect(cell.costedTrips == (hidden ? nil : count))
        #expect(cell.totalCostCents == (hidden ? nil : count * 40_000))
        #expect(cell.inHouseCostCents == (hidden ? nil : count * 40_000))
        #expect(cell.contractedCostCents == (hidden ? nil : 0))
        #expect(cell.costPerTripCents == (count == 11 ? 40_000 : nil))
        #expect(cell.costPerLoadedMileCents == (count == 11 ? 4_000 : nil))
    }

    @Test("Few trips without a cost hide the count and the sums but not the mean", arguments: [0, 1, 10, 11])
    func fewUncostedTrips(count: Int) throws {
        let cell = try Cells.cell {
            $0.costedTripsBySourcing.inHouse -= count
            $0.costCentsBySourcing.inHouse -= count * 40_000
        }
        let hidden = count == 1 || count == 10
        #expect(cell.costedTrips == (hidden ? nil : 300 - count))
        #expect(cell.totalCostCents == (hidden ? nil : (300 - count) * 40_000))
        #expect((cell.inHouseCostCents == nil) == hidden && (cell.contractedCostCents == nil) == hidden)
        #expect(cell.costPerTripCents == 40_000)
    }

    @Test("Few costed trips of one class hide the cost of every class", arguments: Sourcing.allCases, [0, 1, 10, 11])
    func fewCostedTripsOfOneClass(sourcing: Sourcing, count: Int) throws {
        let cell = try Cells.cell { $0.costedTripsBySourcing[sourcing] = count }
        let hidden = count == 1 || count == 10
        #expect((cell.inHouseCostCents == nil) == hidden && (cell.contractedCostCents == nil) == hidden)
        #expect(!cell.sourcingSuppressed && cell.inHouse == 100 && cell.costedTrips == 200 + count)
    }

    @Test("Few trips of one class without a cost hide the cost of every class", arguments: [0, 1, 10, 11])
    func fewUncostedTripsOfOneClass(count: Int) throws {
        // Only in-house trips have costs, which the costs themselves would tell; so 100 - costedTrips would be `count`.
        let cell = try Cells.cell {
            $0.costedTripsBySourcing = SourcingTriple()
            $0.costedTripsBySourcing.inHouse = 100 - count
            $0.costCentsBySourcing.contracted = 0
            $0.costCentsBySourcing.unclassified = 0
        }
        let hidden = count == 1 || count == 10
        #expect((cell.inHouseCostCents == nil) == hidden && (cell.contractedCostCents == nil) == hidden)
        #expect(cell.costedTrips == 100 - count && cell.inHouse == 100 && cell.totalCostCents == 4_000_000)
    }

    @Test("Few trips with miles hide what is made of those miles", arguments: [0, 1, 10, 11])
    func fewTripsWithMiles(count: Int) throws {
        let hidden = count == 1 || count == 10
        let loaded = try Cells.cell { $0.tripsWithLoadedMiles = count }
        #expect((loaded.loadedTenths == nil) == hidden)
        #expect((loaded.costPerLoadedMileCents == nil) == hidden)
        #expect((loaded.loadedTenThousandths == nil) == hidden)
        #expect(loaded.unloadedTenths == 15_000)
        let unloaded = try Cells.cell { $0.tripsWithUnloadedMiles = count }
        #expect((unloaded.unloadedTenths == nil) == hidden)
        #expect((unloaded.loadedTenThousandths == nil) == hidden)
        #expect(unloaded.loadedTenths == 30_000)
        let both = try Cells.cell { $0.costedTripsWithLoadedMiles = count }
        #expect((both.costPerLoadedMileCents == nil) == hidden)
        #expect(both.loadedTenths == 30_000 && both.costPerTripCents == 40_000)
    }

    @Test(
        "An interval hides its counts when either is small, and all of itself when few trips are used",
        arguments: [0, 1, 10, 11])
    func smallIntervalCounts(count: Int) throws {
        let hidden = count == 1 || count == 10
        let fewExcluded = try interval(used: 300 - count, excluded: count)
        #expect(fewExcluded.used == (hidden ? nil : 300 - count))
        #expect(fewExcluded.excluded == (hidden ? nil : count))
        #expect(fewExcluded.meanTenths == 36_000)
        #expect(fewExcluded.p50Seconds == 3_600 && fewExcluded.p90Seconds == 3_600)
        let fewUsed = try interval(used: count, excluded: 300 - count)
        #expect((fewUsed == .hidden) == hidden)
        #expect(fewUsed.used == (hidden ? nil : count))
        #expect(fewUsed.meanTenths == (count == 11 ? 36_000 : nil))
    }

    private func interval(used: Int, excluded: Int) throws -> PublishedInterval {
        var table = Cells.table { _ in }
        for index in table.cells.indices where table.cells[index].scope == CellScope(month: Cells.january) {
            table.cells[index].intervals[TripInterval.duration.rawValue] = IntervalStatistics(
                used: used, excluded: excluded, sumSeconds: used * 3_600, p50Seconds: used == 0 ? nil : 3_600,
                p90Seconds: used == 0 ? nil : 3_600)
        }
        let published = try DisclosureControl(isComplementary: false)
            .publish(table, mode: .suppressed)
        return try #require(published.cell(at: CellScope(month: Cells.january))).interval(.duration)
    }

    @Test("Figures are rounded half up from whole sums")
    func roundedHalfUp() throws {
        let cell = try Cells.cell {
            $0.tripsBySourcing.inHouse = 125
            $0.tripsBySourcing.contracted = 75
            $0.costCentsBySourcing.inHouse += 150
            $0.loadedHundredths = 1_005
            $0.unloadedHundredths = 3_015
        }
        #expect(cell.inHousePercent == 63)
        #expect(cell.inHouseTenThousandths == 6_250)
        #expect(cell.costPerTripCents == 40_001)
        #expect(cell.loadedTenths == 101)
        #expect(cell.loadedTenThousandths == 2_500)
    }
}
