import KPIs
import Operations
import Privacy
import Store
import Trips

/// Adds late trips of released months to the release, as far as the revision rule allows (SPEC §5.3.6).
struct ReleaseRevision {
    /// What a revision does, or would do.
    struct Outcome: Sendable, Hashable {
        /// Released months that get late trips; ascending.
        var months: [Month] = []
        /// Groups that get late trips.
        var groups = 0
        /// Groups with late trips that are too few.
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
    func forecast(current: KPITally) throws -> Outcome { try plan(current, rulesVersion: "").outcome }

    /// Revises the release and records it.
    func carryOut(current: KPITally, rulesVersion: String, generatedAtEpochSeconds now: Int) throws -> Outcome {
        let plan = try plan(current, rulesVersion: rulesVersion)
        try store.revise(
            plan.revised, changes: plan.changes, groups: plan.outcome.groups, pending: plan.outcome.waiting, at: now)
        return plan.outcome
    }

    private struct Plan {
        var outcome = Outcome()
        var revised: [StoredRelease] = []
        /// Of the revised months, what is left.
        var changes: [Month: [ReleaseChange]] = [:]
    }

    private func plan(_ current: KPITally, rulesVersion: String) throws -> Plan {
        var plan = Plan()
        let months = try store.releases().map { ($0, try store.releaseChanges(of: $0.month)) }
        // A trip that was moved from another released month is counted there.
        let counted = Set(months.flatMap(\.1).filter { !$0.released.isEmpty }.map(\.key))
        for (release, changes) in months {
            if changes.isEmpty, try !isReleased(release, by: current) { plan.outcome.unknown.append(release.month) }
            let late = changes.filter { !counted.contains($0.key) && $0.contribution != nil }
            guard !late.isEmpty else { continue }
            try revise(release, changes, late: Set(late.map(\.key)), rulesVersion, &plan)
        }
        return plan
    }

    /// Whether a month is as the store has it.
    private func isReleased(_ release: StoredRelease, by current: KPITally) throws -> Bool {
        let month = release.month
        if current.encoded(month: month) == release.tally { return true }
        var released = KPITally(shape: current.shape)
        try released.merge(encoded: release.tally, month: month)
        return released.hasSameFigures(as: current, in: current.allLeaves, of: month)
    }

    private func revise(
        _ release: StoredRelease, _ changes: [ReleaseChange], late: Set<TripKey>, _ rulesVersion: String,
        _ plan: inout Plan
    ) throws {
        let month = release.month
        /// The changes after late trips are added.
        func adding(_ isAdded: (TripContribution) -> Bool) -> [ReleaseChange] {
            changes.map { change in
                guard late.contains(change.key), let current = change.current, let contribution = change.contribution,
                    isAdded(contribution)
                else { return change }
                return change.revised([current])
            }
        }
        let all = try store.releasedTallies(of: month, before: changes, after: adding { _ in true })
        var released = KPITally(shape: all.before.shape)
        try released.merge(encoded: release.tally, month: month)
        guard released.hasSameFigures(as: all.before, in: released.allLeaves, of: month) else {
            plan.outcome.unknown.append(month)
            return
        }
        let revision = RevisionRule(
            try ReleaseRegister.partition(release, path: store.path), of: month, released: all.before,
            withLateTrips: all.after, rule: rule
        ).revision(adding: changes.filter { late.contains($0.key) }.compactMap(\.contribution))
        plan.outcome.waiting += revision.waiting
        guard !revision.isEmpty else { return }
        plan.outcome.months.append(month)
        plan.outcome.groups += revision.groups
        let after = adding(revision.adds)
        let tally = try store.releasedTallies(of: month, before: changes, after: after).after
        var new = release
        new.rulesVersion = rulesVersion
        new.partition = try ReleaseRegister.encode(revision.partition)
        new.tally = tally.encoded(month: month)
        new.maximumIntervalSeconds = tally.shape.maximumIntervalSeconds
        plan.revised.append(new)
        plan.changes[month] = after.filter { $0.current == nil || $0.released != [$0.current].compactMap(\.self) }
    }
}

extension ReleaseChange {
    /// What the release would count of the trip as it is now; nil for one that is void or not in the month any more.
    fileprivate var contribution: TripContribution? {
        guard let facts = current, let status = TripStatus(rawValue: facts.status), status != .void else { return nil }
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
        return TripContribution(
            leaf: LeafScope(region: facts.region, tripType: facts.tripType), population: population,
            patient: facts.patient, hasCost: facts.costCents != TripBatch.absent,
            hasLoadedMiles: facts.loadedHundredths != TripBatch.absent,
            hasUnloadedMiles: facts.unloadedHundredths != TripBatch.absent,
            intervals: TripInterval.allCases.filter { facts.intervals[$0.rawValue] >= 0 })
    }
}
