import DisclosureAudit
import KPIContract
import TestSupport
import Testing

/// What groups a release may be made of.
@Suite struct GroupAuditTests {
    private let honest = HonestFiles(.example(seed: 2))

    /// Of honest files, after a change of what the auditor is told.
    private func has(_ part: String, _ change: (inout AuditedRelease) -> Void = { _ in }) -> Bool {
        var release = honest.release.audited
        change(&release)
        let audit = DisclosureAudit(of: release, facts: HonestFiles.facts, files: honest.written)
        return audit.findings(in: honest.files).contains { $0.contains(part) }
    }

    /// Two leaves in which there are no other groups of the month and population.
    private func merge(_ trips: Int, isRevised: Bool = false) -> (inout AuditedRelease) -> Void {
        { release in
            let first = release.groups[0]
            release.groups.removeAll { $0.month == first.month && $0.population == first.population }
            var merged = AuditedGroup(
                month: first.month, population: first.population,
                leaves: [
                    AuditedLeaf(region: "North", tripType: "Routine"),
                    AuditedLeaf(region: "South", tripType: "Routine"),
                ], trips: trips, namesPatients: true, patients: 11, isRevised: isRevised)
            merged.intervals = (0..<6).map { _ in
                AuditedInterval(used: 0, excluded: trips, sumSeconds: 0) { [] }
            }
            release.groups.append(merged)
        }
    }

    @Test func aGroupBelowTheMinimumIsFound() {
        #expect(has("fewer trips than the minimum") { $0.groups[0].trips = 10 })
        #expect(has("fewer patients than the minimum") { $0.groups[0].patients = 10 })
        #expect(!has("fewer patients") { $0.groups[0].patients = 11 })
        #expect(has("gives no protection") { $0.minimum = 1 })
    }

    @Test func aRevisionMayEmptyAGroupAndLeaveNoFew() {
        for (trips, isFound) in [(0, false), (1, true), (10, true), (11, false)] {
            #expect(has("fewer trips than the minimum", merge(trips, isRevised: true)) == isFound)
        }
        #expect(has("fewer trips than the minimum", merge(0)))
    }

    @Test func aReleaseWithALowerThresholdIsFound() {
        var found = 0
        for seed in UInt64(1)...20 {
            let careless = HonestFiles(
                SyntheticRelease(
                    seed: seed, months: ["2026-01", "2026-02", "2026-03"], regions: ["North", "South"],
                    tripTypes: ["Emergency", "Routine"], tripsPerLeaf: 0...40, threshold: 5))
            let isSmall = careless.release.groups.contains {
                !($0.isRevised && $0.trips.isEmpty) && $0.trips.count < 11
            }
            guard isSmall else { continue }
            found += 1
            #expect(
                careless.audit.findings(in: careless.files).contains { $0.contains("fewer trips than the minimum") },
                "seed \(seed)")
        }
        #expect(found > 10)
    }

    @Test func groupsThatOverlapAreFound() {
        let found = has("shares a region and trip type with another group") { release in
            let groups = release.groups.indices.filter { release.groups[$0].population == .inHouse }
            release.groups[groups[1]].leaves.append(release.groups[groups[0]].leaves[0])
        }
        #expect(found)
        #expect(has("shares") { $0.groups[0].leaves.append($0.groups[0].leaves[0]) })
    }

    /// Two small leaves with 11 to 20 trips together have 1 to 10 at least, each.
    @Test func aGroupThatConfinesALeafIsFound() {
        for (trips, isFound) in [(11, true), (15, true), (20, true), (21, false), (60, false)] {
            #expect(has("confines one of its leaves", merge(trips)) == isFound, "\(trips)")
        }
        // A revised group may have got any number of trips since it was made.
        #expect(!has("confines one of its leaves", merge(15, isRevised: true)))
        // Of three small leaves one may be empty with up to 20 trips in the others.
        let third = AuditedLeaf(region: "North", tripType: "Emergency")
        for (trips, isFound) in [(11, false), (20, false), (21, false)] {
            let found = has("confines one of its leaves") { release in
                merge(trips)(&release)
                release.groups[release.groups.count - 1].leaves.append(third)
            }
            #expect(found == isFound)
        }
    }

    @Test func unknownNamesAndMonthsAreFound() {
        #expect(has("does not have") { $0.groups[0].leaves[0].region = "Elsewhere" })
        #expect(has("does not have") { $0.groups[0].month = "2031-01" })
        #expect(has("does not have") { $0.groups[0].leaves = [] })
        #expect(has("lists of months") { $0.withheldMonths = ["2026-03"] })
        #expect(has("lists of months") { $0.withheldMonths = ["2026-13"] })
        #expect(has("twice in the list") { $0.regions.append("North") })
        let key = AuditedRelease.MonthPopulation(month: "2026-01", population: .cancelled)
        #expect(has("an unpublished measure") { $0.unpublishedMeasures[key] = [.cost] })
    }

    @Test func groupsThatContradictThemselvesAreFound() {
        let changes: [(inout AuditedGroup) -> Void] = [
            { $0.intervals.removeLast() }, { $0.intervals[0].used += 1 }, { $0.intervals[0].sumSeconds = -1 },
            { $0.costedTrips = $0.trips + 1 }, { $0.tripsWithLoadedMiles = -1 },
            { $0.tripsWithUnloadedMiles = $0.trips + 1 }, { $0.costedTripsWithLoadedMiles = $0.costedTrips + 1 },
            { $0.loadedHundredthsWithCost = $0.loadedHundredths + 1 },
            { ($0.costedTrips, $0.costedTripsWithLoadedMiles, $0.costCents) = (0, 0, 500) },
            { ($0.tripsWithUnloadedMiles, $0.unloadedHundredths) = (0, 500) },
        ]
        for (place, change) in changes.enumerated() {
            #expect(has("contradict each other") { change(&$0.groups[0]) }, "\(place)")
        }
        let times = has("contradict their count or their sum") { release in
            for index in release.groups.indices where release.groups[index].population.isCompleted {
                let own = release.groups[index].intervals[0]
                release.groups[index].intervals[0].histogram = { own.histogram().dropLast() }
            }
        }
        #expect(times)
    }

    @Test func everyPopulationIsInGroupsOrUnpublished() {
        let noShow = has("the noShow trips of 2026-01 are neither in groups nor unpublished") { release in
            release.groups.removeAll { $0.population == .noShow }
            release.unpublished = []
        }
        #expect(noShow)
        let twice = has("the cancelled trips of") { release in
            for group in release.groups where group.population == .cancelled {
                release.unpublished.insert(.init(month: group.month, population: .cancelled))
            }
        }
        #expect(twice)
        for population in [AuditedPopulation.inHouse, .contracted, .completed] {
            let key = AuditedRelease.MonthPopulation(month: "2026-01", population: population)
            #expect(has("the \(population.rawValue) trips of 2026-01") { $0.unpublished.insert(key) })
        }
    }

    @Test func completedTripsAreInOneKindOfGroup() {
        #expect(has("has no completed trips, or has them twice") { $0.groups.removeAll { $0.population.isCompleted } })
        let both = has("has no completed trips, or has them twice") { release in
            guard var group = release.groups.first(where: { $0.population == .inHouse }) else { return }
            group.population = .completed
            release.groups.append(group)
        }
        #expect(both)
    }

    /// A group with 1 to 10 values of a measure does not publish it, whatever the program does.
    @Test func fewValuesOfAGroupAreFound() throws {
        let honest = honest.release.audited, minimum = honest.minimum
        let place = try #require(
            honest.groups.firstIndex { group in
                let key = AuditedRelease.MonthPopulation(month: group.month, population: group.population)
                return group.population.isCompleted && group.tripsWithUnloadedMiles >= minimum
                    && honest.unpublishedMeasures[key]?.contains(.unloadedMiles) != true
            })
        let group = honest.groups[place]
        let name = "groups (\(group.month), \(group.population.rawValue)).unloadedMiles is not the one"
        for (values, isFound) in [(1, true), (10, true), (11, false), (0, false)] {
            #expect(has(name) { $0.groups[place].tripsWithUnloadedMiles = values } == isFound, "\(values)")
        }
        // Nor where the month does not publish it for the population.
        let key = AuditedRelease.MonthPopulation(month: group.month, population: group.population)
        #expect(has(name) { $0.unpublishedMeasures[key, default: []].insert(.unloadedMiles) })
    }
}
