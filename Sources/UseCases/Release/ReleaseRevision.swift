package import Basics
package import KPIs
package import Privacy
package import Store

/// Brings the release of released months up to date, as far as the revision rule allows.
package struct ReleaseRevision {
    /// Has the releases and the changed trips.
    package let store: TripStore
    private let trips: any ReleasableTrips
    package let rule: PartitionRule

    /// - Parameter trips: nil: those of the store.
    package init(store: TripStore, trips: (any ReleasableTrips)? = nil, rule: PartitionRule) {
        self.store = store
        self.trips = trips ?? store
        self.rule = rule
    }

    /// Whether a period of the schedule has begun since the last revision, or since the first release.
    package func isDue(_ schedule: RevisionSchedule, generatedAt now: UTCTime) throws -> Bool {
        guard let last = try store.lastRevision() ?? store.firstRelease() else { return false }
        return schedule.isDue(
            since: UTCTime(secondsSince1970: last).day, on: now.day)
    }

    /// - Parameters:
    ///   - current: the tally of all months, as the store has them now.
    ///   - rulesVersion: of the rules that classified the trips.
    ///   - now: the time that changed trips are marked with.
    package func plan(_ current: KPITally, rulesVersion: String, at now: UTCTime) throws -> PlannedRevision {
        var plan = PlannedRevision()
        plan.changes = try store.releaseChanges()
        var releases: [Month: StoredRelease] = [:]
        var months: [RevisableMonth] = []
        for release in try store.releases() where !release.isFrozen {
            let changes = plan.changes.concerning(release.month)
            guard let month = try revisable(release, changes, current) else {
                plan.unknown.append(release.month)
                continue
            }
            releases[release.month] = release
            if !changes.isEmpty { months.append(month) }
        }
        let changes = plan.changes.map {
            TripChange(released: $0.released, current: $0.current, isRevised: $0.revisedAt != nil)
        }
        let revision = try checkingTrips { () throws(TripOutsideTally) in
            try RevisionRule(months, rule: rule).revision(of: changes)
        }
        for (index, change) in revision.changes.enumerated() {
            plan.changes[index].released = change.released
            if change.isRevised, plan.changes[index].revisedAt == nil {
                plan.changes[index].revisedAt = now.secondsSince1970
            }
        }
        let exportPairs = try trips.intervalPairs()
        for month in revision.months {
            guard var release = releases[month.month] else { continue }
            var partition = month.partition
            partition.addIntervalPairs(exportPairs)
            release.revisedAt = now.secondsSince1970
            release.rulesVersion = rulesVersion
            release.partition = try ReleaseRegister.encode(partition)
            release.tally = month.tally.encoded(month: month.month)
            release.maximumIntervalSeconds = month.tally.shape.maximumIntervalSeconds
            plan.releases.append(release)
        }
        plan.groups = revision.groups
        plan.waiting = revision.waiting
        return plan
    }

    package func record(_ plan: PlannedRevision, at now: UTCTime) throws {
        try store.revise(
            plan.releases, changes: plan.changes, groups: plan.groups, waiting: plan.waiting,
            at: now.secondsSince1970)
    }

    /// Nil if the recorded changes do not reproduce the released figures: an earlier version released the month.
    ///
    /// - Parameter changes: of the month.
    private func revisable(
        _ release: StoredRelease, _ changes: [ReleaseChange], _ current: KPITally
    ) throws -> RevisableMonth? {
        let month = release.month
        let partition = try ReleaseRegister.partition(release, path: store.path)
        guard !changes.isEmpty else {
            return try isReleased(release, partition, by: current)
                ? RevisableMonth(month: month, partition: partition, unchanged: current) : nil
        }
        let unchanged = try trips.unchangedTally(of: month, changes)
        var tally = unchanged
        try checkingTrips { () throws(TripOutsideTally) in try tally.add(changes.released(in: month)) }
        return try isReleased(release, partition, by: tally)
            ? RevisableMonth(month: month, partition: partition, unchanged: unchanged) : nil
    }

    /// A stored trip that does not fit a tally is damage of the store.
    private func checkingTrips<Value>(_ body: () throws(TripOutsideTally) -> Value) throws(StoreError) -> Value {
        do {
            return try body()
        } catch {
            throw .damaged(path: store.path, detail: error.description)
        }
    }

    /// Whether a tally has the released figures of a month.
    private func isReleased(
        _ release: StoredRelease, _ partition: ReleasePartition, by tally: KPITally
    ) throws -> Bool {
        let month = release.month
        if tally.encoded(month: month) == release.tally { return true }
        var released = KPITally(shape: tally.shape)
        try released.merge(encoded: release.tally, month: month, takesEarlierFormats: true)
        return released.hasSameFigures(
            as: tally, inEachLeafOf: month, partition.sortedPopulations.map(\.population.members))
    }
}

/// What a revision would do. Nothing of it is recorded yet.
package struct PlannedRevision {
    /// Months whose figures change; ascending.
    package var releases: [StoredRelease] = []
    /// The changed trips of all released months, as the release counts them after the revision.
    package var changes: [ReleaseChange] = []
    /// Groups whose figures change.
    package var groups = 0
    /// Groups that keep their figures, because too few of their trips changed.
    package var waiting = 0
    /// Months that cannot be revised, because their figures cannot be recomputed from the recorded changes.
    package var unknown: [Month] = []

    package var months: [Month] { releases.map(\.month) }
}
