import KPIs
import Privacy
import TestSupport
import Testing
import Trips

/// A released figure changes only at a revision, and only where enough trips of enough patients have changed.
@Suite struct RevisionRuleTests {
    @Test("Ten late trips wait; eleven are taken up, unless they are of ten patients")
    func lateTrips() {
        var history = ReleaseHistory(trips: (0..<40).map { .init(key: $0, patient: UInt64($0 + 1)) })
        history.release()
        for key in 100..<110 { history.current[key] = .init(key: key, patient: UInt64(key)) }
        #expect(history.revise() == .init(groups: 0, pending: 1) && history.releasedTrips == 40)
        history.current[110] = .init(key: 110, patient: 100)
        #expect(history.revise() == .init(groups: 0, pending: 1) && history.releasedTrips == 40)
        history.current[110]?.patient = 110
        #expect(history.revise() == .init(groups: 1, pending: 0) && history.releasedTrips == 51)
        #expect(history.revise() == .init(groups: 0, pending: 0))
    }

    @Test("Each measure and each part by sourcing needs enough changes of its own")
    func measures() {
        var history = ReleaseHistory(trips: (0..<60).map { .init(key: $0, patient: UInt64($0 + 1), costCents: 100) })
        history.release()
        for key in 0..<11 { history.current[key]?.costCents = 250 }
        history.current[50]?.sourcing = .contracted
        #expect(history.revise() == .init(groups: 0, pending: 1))
        history.current[50]?.sourcing = .inHouse
        history.current[50]?.responseSeconds = 77
        #expect(history.revise() == .init(groups: 0, pending: 1))
        history.current[50]?.responseSeconds = nil
        #expect(history.revise() == .init(groups: 1, pending: 0))
        for key in 20..<31 { history.current[key]?.sourcing = .contracted }
        #expect(history.revise() == .init(groups: 1, pending: 0))
        // Eleven change within "contracted or unclassified": that part as a whole does not.
        for key in 20..<31 { history.current[key]?.sourcing = .unclassified }
        #expect(history.revise() == .init(groups: 1, pending: 0))
    }

    @Test("A trip that moves between groups is taken up by each of them for itself")
    func moves() {
        var history = ReleaseHistory(
            trips: (0..<40).map { .init(key: $0, patient: UInt64($0 + 1)) }
                + (40..<80).map { .init(key: $0, region: 2, patient: UInt64($0 + 1)) })
        history.release()
        history.current[0]?.region = 2
        for key in 100..<110 { history.current[key] = .init(key: key, region: 2, patient: UInt64(key)) }
        #expect(history.revise() == .init(groups: 1, pending: 1))
        // The group that it came to shows it, and the one that it left does too, until it has ten changes more.
        #expect(history.releasedTrips == 40 + 51)
        for key in 1..<11 { history.current[key] = nil }
        #expect(history.revise() == .init(groups: 1, pending: 0) && history.releasedTrips == 29 + 51)
    }

    @Test("A leaf without trips becomes a group of its own, once it is large enough; a group never gets too small")
    func newAndShrunkenGroups() {
        var history = ReleaseHistory(trips: (0..<40).map { .init(key: $0, patient: UInt64($0 + 1)) })
        history.release()
        for key in 100..<110 { history.current[key] = .init(key: key, region: 2, patient: UInt64(key)) }
        #expect(history.revise() == .init(groups: 0, pending: 0) && history.releasedTrips == 40)
        history.current[110] = .init(key: 110, region: 2, patient: 110)
        #expect(history.revise() == .init(groups: 1, pending: 0) && history.releasedTrips == 51)
        for key in 0..<30 { history.current[key] = nil }
        #expect(history.revise() == .init(groups: 0, pending: 1) && history.releasedTrips == 51)
    }

    @Test("A population that was too small is divided into groups when it is large enough")
    func cancelledTrips() {
        var history = ReleaseHistory(trips: (0..<40).map { .init(key: $0, patient: UInt64($0 + 1)) })
        history.release()
        for key in 100..<110 { history.current[key] = .init(key: key, patient: UInt64(key), status: .cancelled) }
        #expect(history.revise() == .init(groups: 0, pending: 0))
        history.current[110] = .init(key: 110, patient: 110, status: .cancelled)
        #expect(history.revise() == .init(groups: 1, pending: 0))
        #expect(history.partition?.cancelled.groups != nil)
    }

    /// Random months with random corrections and a revision after each: what a reader can subtract is about no trip or
    /// about enough, and what the release counts is what its figures say.
    @Test func differencesAreAboutEnoughTrips() {
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
