import Foundation
import KPIs
import Operations
import Privacy
import Store
import Trips

/// Takes corrections of released months up into the release, as far as the revision rule allows (SPEC §5.3.6).
struct ReleaseRevision {
    /// What a revision does, or would do.
    struct Outcome: Sendable, Hashable {
        /// Released months with changed trips that a group takes up; ascending.
        var months: [Month] = []
        var groups = 0
        /// Changed groups that keep their figures.
        var pending = 0
        /// Months whose released figures cannot be made again from the store's changes, so that they stay.
        var unknown: [Month] = []
    }

    let store: TripStore
    let keptMargin: KeptMargin

    /// - Parameter current: the tally of all months, as the store has them now.
    func isDue(_ schedule: RevisionSchedule, generatedAtEpochSeconds now: Int) throws -> Bool {
        guard let last = try store.lastRevision() ?? store.releases().map(\.releasedAt).min() else { return false }
        return schedule.isDue(
            since: UTCTime(secondsSince1970: last).day, on: UTCTime(secondsSince1970: now).day)
    }

    /// What a revision would do.
    func forecast(current: KPITally) throws -> Outcome {
        var outcome = Outcome()
        for release in try store.releases() { _ = try revise(release, current, &outcome) }
        return outcome
    }

    /// Revises the release and records it.
    func carryOut(current: KPITally, rulesVersion: String, generatedAtEpochSeconds now: Int) throws -> Outcome {
        var outcome = Outcome()
        var revised: [StoredRelease] = []
        var changes: [Month: [ReleaseChange]] = [:]
        for release in try store.releases() {
            guard var new = try revise(release, current, &outcome) else { continue }
            new.release.rulesVersion = rulesVersion
            revised.append(new.release)
            changes[release.month] = new.changes
        }
        try store.revise(revised, changes: changes, groups: outcome.groups, pending: outcome.pending, at: now)
        return outcome
    }

    /// The month after its revision, and the changes that are left; nil: it stays as it is.
    private func revise(
        _ release: StoredRelease, _ current: KPITally, _ outcome: inout Outcome
    ) throws -> (release: StoredRelease, changes: [ReleaseChange])? {
        let month = release.month
        let changes = try store.releaseChanges(of: month)
        guard !changes.isEmpty else { return nil }
        let partition = try ReleaseRegister.partition(release, path: store.path)
        var released = KPITally(shape: current.shape)
        try released.merge(encoded: release.tally, month: month)
        let revision = RevisionRule(
            partition, of: month, released: released, current: current, keptMargin: keptMargin
        ).revision(for: changes.map(Self.contributions))
        outcome.pending += revision.pending
        guard !revision.isEmpty else { return nil }
        let after = changes.map { change in change.revised(Self.released(change, after: revision)) }
        let tallies = try store.releasedTallies(of: month, before: changes, after: after)
        guard released.hasSameFigures(as: tallies.before, in: released.allLeaves, of: month) else {
            outcome.unknown.append(month)
            return nil
        }
        outcome.months.append(month)
        outcome.groups += revision.groups
        var new = release
        new.partition = try ReleaseRegister.encode(revision.partition)
        new.tally = tallies.after.encoded(month: month)
        new.maximumIntervalSeconds = tallies.after.shape.maximumIntervalSeconds
        return (new, after.filter { !$0.isTakenUp })
    }

    private static func released(_ change: ReleaseChange, after revision: MonthRevision) -> [TripFacts] {
        let kept = change.released.filter { facts in
            TripContribution(facts).map { !revision.takesUp($0) } ?? false
        }
        guard let current = change.current, let contribution = TripContribution(current),
            revision.takesUp(contribution)
        else { return kept }
        return kept + [current]
    }

    private static func contributions(_ change: ReleaseChange) -> ContributionChange {
        ContributionChange(
            released: change.released.compactMap(TripContribution.init),
            current: change.current.flatMap(TripContribution.init))
    }
}

extension ReleaseChange {
    /// Whether the release counts the trip as the store has it.
    fileprivate var isTakenUp: Bool {
        released.compactMap(TripContribution.init) == [current.flatMap(TripContribution.init)].compactMap(\.self)
    }
}

extension TripContribution {
    /// Nil for a void trip.
    fileprivate init?(_ facts: TripFacts) {
        guard let status = TripStatus(rawValue: facts.status), status != .void else { return nil }
        func value(_ number: Int) -> Int? { number == TripBatch.absent ? nil : number }
        let population: TripPopulation =
            switch status {
            case .cancelled: .cancelled
            case .noShow: .noShow
            case .completed, .void:
                switch Sourcing(rawValue: facts.sourcing) {
                case .inHouse: .inHouse
                case .contracted: .contracted
                case .unclassified, nil: .unclassified
                }
            }
        var seconds = facts.intervals
        // Whatever the reason is for which an interval is not used, it is counted alike.
        seconds.replace(with: -1, where: seconds .< 0)
        self.init(
            leaf: LeafScope(region: facts.region, tripType: facts.tripType), population: population,
            patient: facts.patient, costCents: value(facts.costCents),
            loadedHundredths: value(facts.loadedHundredths), unloadedHundredths: value(facts.unloadedHundredths),
            intervalSeconds: seconds)
    }
}
