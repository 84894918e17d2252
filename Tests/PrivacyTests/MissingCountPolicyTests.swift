import Basics
import KPIContract
import KPIs
import Privacy
import TestSupport
import Testing
import Trips

/// The setting `missing_counts: omit`: no figure of the release says of a measure how many trips have it.
@Suite struct MissingCountPolicyTests {
    private static let january = Month(year: 2024, month: 1)

    private static func release(_ groups: TripGroups, _ policy: MissingCountPolicy) throws -> Publishable {
        let tally = groups.tally(), rule = PartitionRule()
        return try Publishable(
            releasing: tally.monthsMet.map {
                ReleasedMonth(month: $0, partition: rule.partition(of: $0, in: tally))
            }, tally: tally, withholding: [], context: groups.context, missingCounts: policy)
    }

    /// 40 trips of North, of which some lack every value that can be missing without a trace in sums and percentiles, and
    /// 25 of South that lack nothing.
    private static func groups(without missing: Int) -> TripGroups {
        var groups = TripGroups()
        groups.add(30, month: january) { group in
            group.costCents = 10_000
            group.seconds = [.duration: 3_000, .response: 600]
        }
        groups.add(10 - missing, month: january) { group in
            group.costCents = 0
            group.seconds = [.duration: 3_000, .response: 600]
        }
        groups.add(missing, month: january)
        groups.add(25, month: january, region: 2) { group in
            group.costCents = 20_000
            group.seconds = [.duration: 4_000, .response: 900]
        }
        return groups
    }

    @Test("Counts of values, means and cost per trip are left out in every cell; all else is as published")
    func leftOut() throws {
        let groups = Self.groups(without: 4)
        let published = try Self.release(groups, .publish), omitted = try Self.release(groups, .omit)
        #expect(published.cells.count == omitted.cells.count && omitted.missingCounts == .omit)
        for (all, cell) in zip(published.cells, omitted.cells) {
            #expect(cell["costedTrips"] == .suppressed && cell["costPerTrip"] == .suppressed)
            for name in TripInterval.allCases.map(\.name) {
                #expect(["used", "excluded", "mean"].allSatisfy { cell["\(name).\($0)"] == .suppressed })
                for rank: Measure in ["\(name).p50", "\(name).p90"] {
                    #expect(cell[rank].value == all[rank].value && cell[rank] != .undefined)
                }
            }
            #expect(
                ["trips", "totalCost", "inHouseCost", "loadedMiles", "inHouseShare"].allSatisfy { cell[$0] == all[$0] })
            // Where it is shown it says that no trip lacks one of the two.
            #expect(cell["costPerLoadedMile"].value == nil)
        }
        #expect(omitted.intervalsWithoutMean.isEmpty && !published.intervalsWithoutMean.isEmpty)
    }

    /// A reader who could compute the count from the release would get the same answer from the same release.
    @Test("The release is the same for every number of missing values from 0 to 10", arguments: 1...10)
    func noCountCanBeComputed(missing: Int) throws {
        let none = Self.groups(without: 0), some = Self.groups(without: missing)
        let first = try Self.release(none, .omit), second = try Self.release(some, .omit)
        #expect(first.cells == second.cells && first.groups == second.groups)
        let published = try Self.release(some, .publish)
        let north = try #require(published.cell(at: CellScope(region: 1)))
        #expect(north["duration.excluded"] == .value(missing) && north.trips == 40)
        #expect(north["costedTrips"] == .value(40 - missing))
    }

    @Test("Staff see every count")
    func staff() throws {
        let cell = try Publishable(forStaff: Self.groups(without: 4).table()).overall
        #expect(cell["costedTrips"] == .value(61) && cell["duration.excluded"] == .value(4))
    }
}
