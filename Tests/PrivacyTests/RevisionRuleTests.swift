import KPIs
import Privacy
import TestSupport
import Testing
import Trips

/// A revision adds late trips where there are enough of them, and changes nothing that was released.
@Suite struct RevisionRuleTests {
    private static func trips(_ keys: Range<Int>, region: UInt8 = 1) -> [ReleaseHistory.Trip] {
        keys.map { .init(key: $0, region: region, patient: UInt64($0 + 1)) }
    }

    @Test("Ten late trips wait; eleven are added, unless they are of ten patients")
    func lateTrips() {
        var history = ReleaseHistory(trips: Self.trips(0..<40))
        history.release()
        for trip in Self.trips(100..<110) { history.current[trip.key] = trip }
        #expect(history.revise() == .init(groups: 0, waiting: 1) && history.released.count == 40)
        history.current[110] = .init(key: 110, patient: 101)
        #expect(history.revise() == .init(groups: 0, waiting: 1) && history.released.count == 40)
        history.current[110]?.patient = 111
        #expect(history.revise() == .init(groups: 1, waiting: 0) && history.released.count == 51)
        #expect(history.revise() == .init(groups: 0, waiting: 0))
    }

    @Test("Each published measure and each part by sourcing needs enough late trips of its own")
    func measures() {
        var history = ReleaseHistory(
            trips: Self.trips(0..<60).map { trip in
                var trip = trip
                trip.costCents = 100
                return trip
            })
        history.release()
        for trip in Self.trips(100..<112) { history.current[trip.key] = trip }
        history.current[100]?.costCents = 70
        #expect(history.revise() == .init(groups: 0, waiting: 1))
        history.current[100]?.costCents = nil
        history.current[101]?.sourcing = .contracted
        #expect(history.revise() == .init(groups: 0, waiting: 1))
        history.current[101]?.sourcing = .inHouse
        #expect(history.revise() == .init(groups: 1, waiting: 0))
    }

    @Test("What is released of a trip stays: corrections, moves and voided trips do not reach the release")
    func corrections() {
        var history = ReleaseHistory(trips: Self.trips(0..<40) + Self.trips(40..<80, region: 2))
        history.release()
        let before = history.released
        for key in 0..<12 { history.current[key]?.region = 2 }
        for key in 12..<24 { history.current[key]?.costCents = 5 }
        for key in 24..<36 { history.current[key] = nil }
        #expect(history.revise() == .init(groups: 0, waiting: 0) && history.released == before)
        // One late trip beside them is not told either.
        history.current[100] = .init(key: 100, patient: 100, costCents: 123_456)
        #expect(history.revise() == .init(groups: 0, waiting: 1) && history.released == before)
    }

    @Test("A leaf without trips becomes a group of its own, once it has enough late trips")
    func newGroups() {
        var history = ReleaseHistory(trips: Self.trips(0..<40))
        history.release()
        for trip in Self.trips(100..<110, region: 2) { history.current[trip.key] = trip }
        #expect(history.revise() == .init(groups: 0, waiting: 1) && history.released.count == 40)
        history.current[110] = .init(key: 110, region: 2, patient: 111)
        #expect(history.revise() == .init(groups: 1, waiting: 0) && history.released.count == 51)
        #expect(history.partition?.completed.groups?.count == 2)
    }

    @Test("A threshold that was raised since holds for what a revision adds")
    func raisedThreshold() {
        var history = ReleaseHistory(trips: Self.trips(0..<40), minimumCell: 5)
        history.release()
        history.minimumCell = 11
        for trip in Self.trips(100..<110) { history.current[trip.key] = trip }
        #expect(history.revise() == .init(groups: 0, waiting: 1))
    }

    @Test("A population that was too small is divided into groups when it is large enough")
    func cancelledTrips() {
        var history = ReleaseHistory(trips: Self.trips(0..<40))
        history.release()
        for key in 100..<110 { history.current[key] = .init(key: key, patient: UInt64(key), status: .cancelled) }
        #expect(history.revise() == .init(groups: 0, waiting: 0))
        history.current[110] = .init(key: 110, patient: 110, status: .cancelled)
        #expect(history.revise() == .init(groups: 1, waiting: 0))
        #expect(history.partition?.cancelled.groups != nil)
    }

    /// Random months with random corrections and a revision after each: a released trip stays as it is, and what a
    /// revision adds to a group has no or enough trips and patients of each measure that is published.
    @Test func blocksAreLargeEnough() {
        withEvery("seed", in: 0..<UInt64(FuzzPlan.iterations(400))) { seed in
            var random = SplitMix64(seed: seed)
            var history = ReleaseHistory(random: &random)
            guard history.release() else { return }
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                history.correct(&random)
                let before = history
                let outcome = history.revise()
                for problem in history.problems(since: before) { Issue.record("\(CaseTrace.current) \(problem)") }
                if outcome.groups == 0, history.released != before.released {
                    Issue.record("\(CaseTrace.current) no group is revised, and something has changed")
                }
            }
        }
    }

    @Test("Revisions are due with the first run of a month, a calendar quarter or a fiscal year")
    func schedule() {
        func day(_ year: Int, _ month: Int, _ day: Int) -> CivilDay {
            CivilDay(daysSince1970: CivilDay.days(year: year, month: month, day: day))
        }
        let last = day(2026, 2, 10)
        #expect(!RevisionSchedule.monthly.isDue(since: last, on: day(2026, 2, 28)))
        #expect(RevisionSchedule.monthly.isDue(since: last, on: day(2026, 3, 1)))
        #expect(!RevisionSchedule.quarterly.isDue(since: last, on: day(2026, 3, 31)))
        #expect(RevisionSchedule.quarterly.isDue(since: last, on: day(2026, 4, 1)))
        #expect(!RevisionSchedule.yearly.isDue(since: last, on: day(2026, 9, 30)))
        #expect(RevisionSchedule.yearly.isDue(since: last, on: day(2026, 10, 1)))
        #expect(!RevisionSchedule.monthly.isDue(since: last, on: day(2025, 1, 1)))
    }
}
