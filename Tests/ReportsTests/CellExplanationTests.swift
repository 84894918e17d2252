import Basics
import KPIContract
import KPIs
import Privacy
import Reports
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
        waiting[.inHouse] = pending
        return try Publishable(
            releasing: tally.monthsMet.filter { !withheld.contains($0) }.map {
                ReleasedMonth(month: $0, partition: rule.partition(of: $0, in: tally), pending: waiting)
            }, tally: tally, withholding: withheld, context: groups.context)
    }

    private static func explain(
        _ scope: CellScope, _ release: Publishable, on today: CivilDay? = nil
    ) -> CellExplanation {
        let summary = SummaryReport(release, facts: ReportFixture.facts).summary
        return CellExplanation(of: scope, in: release, summary, on: today)
    }

    private static func explain(nothing scope: CellScope, on today: CivilDay?) -> CellExplanation {
        let groups = TripGroups()
        return CellExplanation(
            ofNothing: scope, regions: groups.regions, tripTypes: groups.tripTypes, minimumCell: 11, on: today)
    }

    private static func name(_ leaf: LeafScope, _ release: Publishable) -> CellExplanation.Leaf {
        .init(
            region: release.regions.names[Int(leaf.region)], tripType: release.tripTypes.names[Int(leaf.tripType)])
    }

    private static func measure(_ name: String) throws -> PartialMeasure { try #require(PartialMeasure.named(name)) }

    /// North is large, South has small parts that are enough together.
    private static var regional: TripGroups {
        var groups = TripGroups()
        groups.add(40, month: january, region: 1, tripType: 1)
        groups.add(40, month: january, region: 1, tripType: 2)
        groups.add(8, month: january, region: 2, tripType: 1)
        groups.add(7, month: january, region: 2, tripType: 2)
        return groups
    }

    private static let south = ["Unassigned", "Emergency", "Routine"].map {
        CellExplanation.Leaf(region: "South", tripType: $0)
    }

    @Test("A part in a group of its region: the region shows it")
    func groupOfARegion() throws {
        let release = try Self.release(Self.regional)
        let scope = CellScope(month: Self.january, region: 2, tripType: 1)
        let cell = Self.explain(scope, release)
        #expect(cell.state == .suppressed)
        #expect(cell.reasons == [.merged(leaves: Self.south, months: ["2024-01"], trips: 15)])
        let region = CellKey(month: "2024-01", region: "South")
        #expect(cell.remedies == [.widerCell(region), .mapTripTypes, .staff])
        let whole = Self.explain(CellScope(month: Self.january, region: 2), release)
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
        let cell = Self.explain(scope, release)
        let pool = try #require(release.groups.first { $0.leaves.contains(LeafScope(region: 2, tripType: 1)) })
        #expect(cell.state == .suppressed && Set(pool.leaves.map(\.region)).count > 1)
        #expect(
            cell.reasons == [
                .merged(
                    leaves: pool.leaves.map { Self.name($0, release) }, months: ["2024-01"],
                    trips: pool.figures.trips ?? 0)
            ])
        #expect(cell.remedies.first == .widerCell(CellKey(month: "2024-01")))
        #expect(cell.remedies.contains(.allMonths(CellKey(region: "South", tripType: "Emergency"))))
        #expect(cell.remedies.contains(.mapRegions) && cell.remedies.contains(.mapTripTypes))
        let ofAllMonths = Self.explain(CellScope(region: 2, tripType: 1), release)
        #expect(ofAllMonths.state == .incomplete && ofAllMonths.reasons.first == cell.reasons.first)
        #expect(!ofAllMonths.remedies.contains(.allMonths(CellKey(region: "South", tripType: "Emergency"))))
    }

    @Test("A month is open, closed and not released, or too small")
    func withheldMonths() throws {
        var groups = Self.regional
        groups.add(30, month: Self.february)
        let release = try Self.release(groups, withholding: [Self.february])
        func explain(_ day: CivilDay?) -> CellExplanation {
            Self.explain(CellScope(month: Self.february, region: 1), release, on: day)
        }
        let march = CivilDay(daysSince1970: CivilDay.days(year: 2024, month: 3, day: 20))
        #expect(explain(march).state == .withheld && explain(march).reasons == [.monthOpen])
        #expect(explain(march).remedies == [.waitUntilClosed, .staff])
        #expect(explain(Self.may).reasons == [.monthNotReleased] && explain(Self.may).remedies == [.publish, .staff])
        let all = Self.explain(CellScope(), release, on: march)
        #expect(all.state == .complete && all.reasons.contains(.withheldMonths(["2024-02"])))

        var small = TripGroups()
        small.add(40, month: Self.february)
        small.add(4, month: Self.january)
        // In a store, too: a later month is released, so it was closed then.
        for day in [nil, march] {
            let cell = try Self.explain(CellScope(month: Self.january), Self.release(small), on: day)
            #expect(cell.state == .withheld && cell.reasons == [.tooFew("2024-01")] && cell.remedies == [.staff])
        }
    }

    @Test("Nothing is released at all")
    func nothingReleased() {
        let month = CellScope(month: Self.january)
        let ofStore = Self.explain(nothing: month, on: Self.may)
        #expect(ofStore.reasons == [.monthNotReleased] && ofStore.state == .withheld)
        let all = Self.explain(nothing: CellScope(), on: Self.may)
        #expect(all.reasons == [.nothingReleased] && all.remedies == [.publish, .staff])
        let ofExports = Self.explain(nothing: CellScope(), on: nil)
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
        let empty = Self.explain(CellScope(region: 2), release)
        #expect(empty.state == .noTrips)
        let unassigned = Self.explain(CellScope(region: 0), release)
        #expect(unassigned.state == .noTrips && unassigned.reasons.isEmpty && unassigned.remedies.isEmpty)
        let pending = Self.explain(CellScope(region: 1), release)
        #expect(pending.state == .complete && pending.reasons == [.revisionPending])
        #expect(pending.remedies == [.waitForRevision, .staff])
        let staff = try Self.explain(CellScope(region: 2), Publishable(forStaff: groups.table()))
        #expect(staff.state == .staff && staff.reasons.isEmpty && staff.remedies.isEmpty)
    }

    @Test("No sourcing, few unclassified trips, a measure without enough values, a mean that others add up to")
    func measures() throws {
        var groups = TripGroups()
        groups.add(20, month: Self.january, region: 1) {
            $0.costCents = 1_000
            $0.seconds = [.duration: 3_000, .response: 500, .scene: 700, .transport: 900, .turnaround: 900]
        }
        groups.add(3, month: Self.january, region: 1) { $0.sourcing = .contracted }
        let joined = Self.explain(CellScope(region: 1), try Self.release(groups))
        let others = try ["cancelled", "noShow"].map { CellExplanation.Reason.measureNotShown(try Self.measure($0)) }
        let bySourcing = try ["inHouse", "contracted", "unclassified", "inHouseCost", "contractedCost"]
            .map { CellExplanation.Reason.measureNotShown(try Self.measure($0)) }
        #expect(Set(joined.reasons) == Set(others + bySourcing + [.meansLeftOut(["turnaround"])]))
        #expect(joined.state == .complete && joined.remedies == [.classifyTrips, .staff])

        groups.add(20, month: Self.january, region: 1) { $0.sourcing = .contracted }
        groups.add(3, month: Self.january, region: 2) { $0.sourcing = .unclassified }
        let few = Self.explain(CellScope(region: 1), try Self.release(groups))
        let unclassified = try Self.measure("unclassified"), inHouse = try Self.measure("inHouse")
        #expect(few.state == .incomplete && few.reasons.contains(.measureNotShown(unclassified)))
        #expect(!few.reasons.contains(.measureNotShown(inHouse)))

        var costs = TripGroups()
        costs.add(30, month: Self.january)
        costs.add(5, month: Self.january) { $0.costCents = 70_000 }
        let lacking = Self.explain(CellScope(), try Self.release(costs))
        let cost = try Self.measure("cost")
        #expect(lacking.reasons.contains(.measureNotShown(cost)) && !lacking.reasons.contains(.measureIncomplete(cost)))
    }

    @Test("It says nothing that the release does not say")
    func nothingMore() throws {
        var random = SplitMix64(seed: 41), groups = 0, wider = 0, withheld = 0
        for _ in 0..<FuzzPlan.iterations(100) {
            let population = RandomPopulation.make(&random)
            guard let release = try? Self.release(population) else { continue }
            let summary = SummaryReport(release, facts: ReportFixture.facts).summary
            for cell in release.cells {
                let explanation = CellExplanation(of: cell.scope, in: release, summary, on: nil)
                #expect((explanation.state == .suppressed) == cell.suppressed)
                #expect((explanation.state == .incomplete) == (!cell.complete && !cell.suppressed))
                let merged = explanation.reasons.compactMap { reason in
                    if case .merged(let leaves, let months, let trips) = reason { (leaves, months, trips) } else { nil }
                }
                #expect(
                    !merged.isEmpty || cell.complete || cell.suppressed
                        || cell.incompleteMeasures.contains("unclassified"))
                groups += merged.count
                for (leaves, months, trips) in merged {
                    let published = (summary.groups ?? []).filter { group in
                        zip(group.regions, group.tripTypes).map(CellExplanation.Leaf.init) == leaves
                            && months.contains(group.month) && group.population.isCompleted
                    }
                    #expect(
                        Set(published.map(\.month)) == Set(months) && published.reduce(0) { $0 + $1.trips } == trips)
                }
                for case .widerCell(let scope) in explanation.remedies {
                    wider += 1
                    let cell = summary.cell(at: scope)
                    #expect(cell?.complete == true && cell?.suppressed == false)
                }
                let measures = explanation.reasons.compactMap { reason in
                    switch reason {
                    case .measureNotShown(let measure), .measureIncomplete(let measure): measure
                    default: nil
                    }
                }
                withheld += measures.count
                #expect(Set(measures.map(\.name)).isSubset(of: cell.incompleteMeasures))
                #expect(!cell.complete || measures.map(\.name) == cell.incompleteMeasures)
            }
        }
        #expect(groups > 10 && wider > 10 && withheld > 10, "\(groups), \(wider), \(withheld)")
    }

    /// 40 trips of North with times and costs; of South 20 trips without a time and 5 with a response time.
    private static func omitting() throws -> Publishable {
        var groups = TripGroups()
        groups.add(40, month: january, region: 1) {
            $0.costCents = 10_000
            $0.seconds = [.duration: 3_000, .response: 600]
        }
        groups.add(25, month: january, region: 2) { $0.seconds = [.duration: 4_000, .response: 900] }
        groups.add(20, month: january, region: 2, tripType: 2)
        groups.add(5, month: january, region: 2, tripType: 2) { $0.seconds = [.response: 300] }
        let tally = groups.tally(), rule = PartitionRule()
        return try Publishable(
            releasing: [ReleasedMonth(month: january, partition: rule.partition(of: january, in: tally))], tally: tally,
            withholding: [], context: groups.context, missingCounts: .omit)
    }

    @Test("Without missing counts, what is left out by the setting is said")
    func missingCountsOmitted() throws {
        let release = try Self.omitting()
        let south = Self.explain(CellScope(region: 2), release)
        #expect(south.reasons.contains(.missingCountsOmitted) && south.remedies.last == .staff)
    }

    @Test("Without missing counts, the page's paragraphs are the sentences of report --explain")
    func pageAndReportAgree() throws {
        let release = try Self.omitting()
        let summary = SummaryReport(release, facts: ReportFixture.facts).summary
        #expect(release.cells.count > 3)
        for cell in release.cells {
            let explanation = CellExplanation(of: cell.scope, in: release, summary, on: nil)
            let page = CellExplanation(of: explanation.cell, in: summary, namesMeans: false)
            let lines = explanation.lines.map { $0.hasPrefix("- ") ? String($0.dropFirst(2)) : $0 }
            #expect(page.paragraphs.joined(separator: " ") == lines.joined(separator: " "))
            let isOmitted = page.paragraphs[0].contains(CellSentence.missingCountsOmitted.text())
            #expect(isOmitted == !cell.suppressed)
        }
    }
}
