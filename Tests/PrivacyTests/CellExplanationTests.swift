import KPIs
import Privacy
import TestSupport
import Testing
import Trips

@Suite struct CellExplanationTests {
    private static let january = Month(year: 2024, month: 1)
    private static let february = Month(year: 2024, month: 2)
    private static let may = CivilDay(daysSince1970: CivilDay.days(year: 2024, month: 5, day: 20))

    private static func release(
        _ groups: TripGroups, pending: Set<Int> = [], withholding withheld: [Month] = []
    ) throws -> Publishable {
        let tally = groups.tally(), rule = PartitionRule()
        var waiting = PendingGroups()
        waiting.completed = pending
        return try Publishable(
            releasing: tally.monthsMet.filter { !withheld.contains($0) }.map {
                ReleasedMonth(month: $0, partition: rule.partition(of: $0, in: tally), pending: waiting)
            }, tally: tally, withholding: withheld, context: groups.context)
    }

    private static func leaves(_ pairs: [(UInt8, UInt8)]) -> [LeafScope] {
        pairs.map { LeafScope(region: $0.0, tripType: $0.1) }
    }

    /// North is large, South has small parts that are enough together.
    private static var regional: TripGroups {
        var groups = TripGroups()
        groups.add(40, month: january, region: 1, tripType: 1)
        groups.add(40, month: january, region: 1, tripType: 2)
        groups.add(8, month: january, region: 2, tripType: 1)
        groups.add(7, month: january, region: 2, tripType: 2)
        return groups
    }

    private static let south = leaves([(2, 0), (2, 1), (2, 2)])

    @Test("A part in a group of its region: the region shows it")
    func groupOfARegion() throws {
        let release = try Self.release(Self.regional)
        let scope = CellScope(month: Self.january, region: 2, tripType: 1)
        let cell = CellExplanation(of: scope, in: release, on: nil)
        #expect(cell.state == .suppressed)
        #expect(cell.reasons == [.merged(leaves: Self.south, months: [Self.january], trips: 15)])
        let region = CellScope(month: Self.january, region: 2)
        #expect(cell.remedies == [.widerCell(region), .mapTripTypes, .staff])
        let whole = CellExplanation(of: region, in: release, on: nil)
        #expect(whole.state == .complete)
        #expect(!whole.reasons.contains { if case .merged = $0 { true } else { false } })
    }

    @Test("A pool over regions: the month shows it, and all months show the months with a group of its own")
    func poolOverRegions() throws {
        var groups = TripGroups()
        groups.add(40, month: Self.january, region: 1, tripType: 1)
        groups.add(6, month: Self.january, region: 2, tripType: 1)
        groups.add(7, month: Self.january, region: 1, tripType: 2)
        groups.add(30, month: Self.february, region: 2, tripType: 1)
        let release = try Self.release(groups)
        let scope = CellScope(month: Self.january, region: 2, tripType: 1)
        let cell = CellExplanation(of: scope, in: release, on: nil)
        let pool = try #require(release.mergedGroups.first)
        #expect(cell.state == .suppressed && Set(pool.leaves.map(\.region)).count > 1)
        #expect(cell.reasons == [.merged(leaves: pool.leaves, months: [Self.january], trips: pool.trips)])
        #expect(cell.remedies.first == .widerCell(CellScope(month: Self.january)))
        #expect(cell.remedies.contains(.allMonths(CellScope(region: 2, tripType: 1))))
        #expect(cell.remedies.contains(.mapRegions) && cell.remedies.contains(.mapTripTypes))
        let ofAllMonths = CellExplanation(of: CellScope(region: 2, tripType: 1), in: release, on: nil)
        #expect(ofAllMonths.state == .incomplete && ofAllMonths.reasons.first == cell.reasons.first)
        #expect(!ofAllMonths.remedies.contains(.allMonths(CellScope(region: 2, tripType: 1))))
    }

    @Test("A month is open, closed and not released, or too small")
    func withheldMonths() throws {
        var groups = Self.regional
        groups.add(30, month: Self.february)
        let release = try Self.release(groups, withholding: [Self.february])
        func explain(_ day: CivilDay?) -> CellExplanation {
            CellExplanation(of: CellScope(month: Self.february, region: 1), in: release, on: day)
        }
        let march = CivilDay(daysSince1970: CivilDay.days(year: 2024, month: 3, day: 20))
        #expect(explain(march).state == .withheld && explain(march).reasons == [.monthOpen])
        #expect(explain(march).remedies == [.waitUntilClosed, .staff])
        #expect(explain(Self.may).reasons == [.monthNotReleased] && explain(Self.may).remedies == [.publish, .staff])
        let all = CellExplanation(of: CellScope(), in: release, on: march)
        #expect(all.state == .complete && all.reasons.contains(.withheldMonths([Self.february])))

        var small = TripGroups()
        small.add(40, month: Self.february)
        small.add(4, month: Self.january)
        // In a store, too: a later month is released, so it was closed then.
        for day in [nil, march] {
            let cell = CellExplanation(of: CellScope(month: Self.january), in: try Self.release(small), on: day)
            #expect(cell.state == .withheld && cell.reasons == [.tooFew(Self.january)] && cell.remedies == [.staff])
        }
    }

    @Test("Nothing is released at all")
    func nothingReleased() {
        let month = CellScope(month: Self.january)
        let ofStore = CellExplanation(ofNothing: month, minimumCell: 11, on: Self.may)
        #expect(ofStore.reasons == [.monthNotReleased] && ofStore.state == .withheld)
        let all = CellExplanation(ofNothing: CellScope(), minimumCell: 11, on: Self.may)
        #expect(all.reasons == [.nothingReleased] && all.remedies == [.publish, .staff])
        let ofExports = CellExplanation(ofNothing: CellScope(), minimumCell: 11, on: nil)
        #expect(ofExports.reasons == [.tooFew(nil)] && ofExports.remedies == [.staff])
    }

    @Test("A cell without trips, one outside every group, one that is pending, and the staff's")
    func others() throws {
        var groups = TripGroups()
        groups.add(40, month: Self.january, region: 1, tripType: 1) {
            $0.cancelled = 20
            $0.noShow = 20
        }
        let release = try Self.release(groups, pending: [0])
        let empty = CellExplanation(of: CellScope(region: 2), in: release, on: nil)
        #expect(empty.state == .noTrips)
        let unassigned = CellExplanation(of: CellScope(region: 0), in: release, on: nil)
        #expect(unassigned.state == .noTrips && unassigned.reasons.isEmpty && unassigned.remedies.isEmpty)
        let pending = CellExplanation(of: CellScope(region: 1), in: release, on: nil)
        #expect(pending.state == .complete && pending.reasons == [.revisionPending])
        #expect(pending.remedies == [.waitForRevision, .staff])
        let staff = CellExplanation(of: CellScope(region: 2), in: try Publishable(forStaff: groups.table()), on: nil)
        #expect(staff.state == .staff && staff.reasons.isEmpty && staff.remedies.isEmpty)
    }

    @Test("Sourcing not divided or divided in two, a measure without enough values, a mean that others add up to")
    func measures() throws {
        var groups = TripGroups()
        groups.add(20, month: Self.january, region: 1) {
            $0.costCents = 1_000
            $0.seconds = [.duration: 3_000, .response: 500, .scene: 700, .transport: 900, .turnaround: 900]
        }
        groups.add(12, month: Self.january, region: 1) { $0.sourcing = .contracted }
        groups.add(3, month: Self.january, region: 1) { $0.sourcing = .unclassified }
        groups.add(20, month: Self.january, region: 2)
        groups.add(5, month: Self.january, region: 2) {
            $0.sourcing = .contracted
            $0.costCents = 70_000
        }
        let release = try Self.release(groups)
        func reasons(_ region: UInt8?) -> Set<CellExplanation.Reason> {
            Set(CellExplanation(of: CellScope(region: region), in: release, on: nil).reasons)
        }
        let few: Set<CellExplanation.Reason> = [.measureNotShown(.cancelled), .measureNotShown(.noShow)]
        #expect(reasons(1) == few.union([.sourcingInTwo, .meansLeftOut([.turnaround])]))
        #expect(
            reasons(2)
                == few.union([.measureNotShown(.sourcing), .measureNotShown(.cost), .measureNotShown(.costBySourcing)]))
        #expect(
            reasons(nil).isSuperset(of: [.measureIncomplete(.sourcing), .measureIncomplete(.cost), .sourcingInTwo]))
        let south = CellExplanation(of: CellScope(region: 2), in: release, on: nil)
        #expect(south.state == .complete && south.remedies == [.classifyTrips, .completeValues, .staff])
    }

    @Test("It says nothing that the release does not say")
    func nothingMore() throws {
        var random = SplitMix64(seed: 41)
        for _ in 0..<FuzzPlan.iterations(100) {
            let population = RandomPopulation.make(&random)
            guard let release = try? Self.release(population) else { continue }
            for cell in release.cells {
                let explanation = CellExplanation(of: cell.scope, in: release, on: nil)
                #expect((explanation.state == .suppressed) == cell.suppressed)
                #expect((explanation.state == .incomplete) == (!cell.complete && !cell.suppressed))
                let merged = explanation.reasons.compactMap { reason in
                    if case .merged(let leaves, let months, let trips) = reason { (leaves, months, trips) } else { nil }
                }
                #expect(merged.isEmpty == cell.complete)
                for (leaves, months, trips) in merged {
                    let published = release.mergedGroups.filter { $0.leaves == leaves && months.contains($0.month) }
                    #expect(published.count == months.count && published.reduce(0) { $0 + $1.trips } == trips)
                }
                for case .widerCell(let wider) in explanation.remedies {
                    #expect(release.cell(at: wider)?.complete == true && release.cell(at: wider)?.suppressed == false)
                }
                let measures = explanation.reasons.compactMap { reason in
                    switch reason {
                    case .measureNotShown(let measure), .measureIncomplete(let measure): measure
                    default: nil
                    }
                }
                #expect(measures == (cell.suppressed ? [] : cell.incompleteMeasures))
            }
        }
    }
}
