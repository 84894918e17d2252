import KPIs
import Operations
import Privacy
import Store
import Trips

/// Brings the release of released months up to date, as far as the revision rule allows (SPEC §5.3.6).
struct ReleaseRevision {
    /// What a revision does, or would do.
    struct Outcome: Sendable, Hashable {
        /// Released months whose figures change; ascending.
        var months: [Month] = []
        /// Groups whose figures change.
        var groups = 0
        /// Groups with changes that are too few.
        var waiting = 0
        /// Months whose released figures cannot be made again from the store's changes, so that they stay.
        var unknown: [Month] = []
    }

    let store: TripStore
    let rule: PartitionRule

    /// Whether a period of the schedule has begun since the last revision, or since the first release.
    func isDue(_ schedule: RevisionSchedule, generatedAtEpochSeconds now: Int) throws -> Bool {
        guard let last = try store.lastRevision() ?? store.releases().map(\.releasedAt).min() else { return false }
        return schedule.isDue(
            since: UTCTime(secondsSince1970: last).day, on: UTCTime(secondsSince1970: now).day)
    }

    /// What a revision would do.
    ///
    /// - Parameter current: the tally of all months, as the store has them now.
    func forecast(current: KPITally) throws -> Outcome { try plan(current, rulesVersion: "", at: 0).outcome }

    /// Revises the release and records it.
    func carryOut(current: KPITally, rulesVersion: String, generatedAtEpochSeconds now: Int) throws -> Outcome {
        let plan = try plan(current, rulesVersion: rulesVersion, at: now)
        try store.revise(
            plan.revised, changes: plan.changes, groups: plan.outcome.groups, waiting: plan.outcome.waiting, at: now)
        return plan.outcome
    }

    private struct Plan {
        var outcome = Outcome()
        var revised: [StoredRelease] = []
        /// Of all released months, after the revision.
        var changes: [ReleaseChange] = []
    }

    private func plan(_ current: KPITally, rulesVersion: String, at now: Int) throws -> Plan {
        var plan = Plan()
        plan.changes = try store.releaseChanges()
        var releases: [Month: StoredRelease] = [:]
        var months: [RevisableMonth] = []
        for release in try store.releases() {
            guard let month = try revisable(release, plan.changes, current) else {
                plan.outcome.unknown.append(release.month)
                continue
            }
            releases[release.month] = release
            if plan.changes.contains(where: { $0.months.contains(release.month) }) { months.append(month) }
        }
        let revision = try RevisionRule(months, rule: rule).revision(
            of: plan.changes.map {
                TripChange(released: $0.released, current: $0.current, isRevised: $0.revisedAt != nil)
            })
        for (index, change) in revision.changes.enumerated() {
            plan.changes[index].released = change.released
            if change.isRevised, plan.changes[index].revisedAt == nil { plan.changes[index].revisedAt = now }
        }
        let exportPairs = try store.exports().map(\.intervalPairs)
        plan.outcome.groups = revision.groups
        plan.outcome.waiting = revision.waiting
        for month in revision.months {
            guard var release = releases[month.month] else { continue }
            release.rulesVersion = rulesVersion
            var partition = month.partition
            partition.intervalPairs = Set((partition.intervalPairs ?? []) + exportPairs).sorted()
            release.partition = try ReleaseRegister.encode(partition)
            release.tally = month.tally.encoded(month: month.month)
            release.maximumIntervalSeconds = month.tally.shape.maximumIntervalSeconds
            plan.revised.append(release)
            plan.outcome.months.append(month.month)
        }
        return plan
    }

    /// Nil for a month whose figures are not those of its trips: it was released before changes were kept.
    private func revisable(
        _ release: StoredRelease, _ changes: [ReleaseChange], _ current: KPITally
    ) throws -> RevisableMonth? {
        let month = release.month
        let partition = try ReleaseRegister.partition(release, path: store.path)
        guard changes.contains(where: { $0.months.contains(month) }) else {
            return try isReleased(release, by: current)
                ? RevisableMonth(month: month, partition: partition, unchanged: current) : nil
        }
        let unchanged = try store.unchangedTally(of: month, changes)
        var tally = unchanged
        try tally.add(
            changes.filter { $0.months.contains(month) }.compactMap(\.released).filter { $0.month == month.index })
        return try isReleased(release, by: tally)
            ? RevisableMonth(month: month, partition: partition, unchanged: unchanged) : nil
    }

    /// Whether a month's release is what a tally says.
    private func isReleased(_ release: StoredRelease, by tally: KPITally) throws -> Bool {
        let month = release.month
        if tally.encoded(month: month) == release.tally { return true }
        var released = KPITally(shape: tally.shape)
        try released.merge(encoded: release.tally, month: month)
        return released.hasSameFigures(as: tally, inEachLeafOf: month)
    }
}
