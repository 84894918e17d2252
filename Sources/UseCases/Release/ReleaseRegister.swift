package import Basics
import Foundation
package import KPIs
package import Privacy
package import Reporting
package import Store
package import Trips

/// The months that the store's release shows, as they were released.
///
/// A month is released once, when it is closed, with the trips that no other released month counts. Its partition and its
/// figures are recorded in the store then, and the release shows these until a revision (`ReleaseRevision`): what is
/// corrected in between changes the staff set only, so the difference between two nights' releases is never about fewer
/// trips than a group has.
package struct ReleaseRegister {
    /// Has the releases.
    package let store: TripStore
    private let trips: any ReleasableTrips
    package let rule: PartitionRule
    /// Other months are not released, and those released before are not shown.
    private let limits: MonthLimits

    /// - Parameter trips: nil: those of the store.
    package init(
        store: TripStore, trips: (any ReleasableTrips)? = nil, rule: PartitionRule, months limits: MonthLimits = .none
    ) {
        self.store = store
        self.trips = trips ?? store
        self.rule = rule
        self.limits = limits
    }

    /// Each month that is closed and has groups, and is not released yet.
    ///
    /// - Parameters:
    ///   - tally: of all months of the store.
    ///   - again: months that are released again at the same time: what they counted before does not matter.
    /// - Throws: `DisclosureError` if the threshold cannot be checked.
    package func plan(
        _ tally: KPITally, rulesVersion: String, besides again: Set<Month> = [], generatedAt now: UTCTime
    ) throws -> NewReleases {
        try rule.check(tally)
        guard tally.isSure else { throw DisclosureError.patientsNotSure }
        let today = WithheldMonths.today(now)
        let open = WithheldMonths.firstOpen(
            after: try trips.months(ofAtLeast: MinimumCell.standard).filter(limits.contains),
            newestDay: { tally.latestDay(in: $0...$0) }, on: today)
        var plan = NewReleases()
        guard let open else { return plan }
        let released = try store.releasedMonths()
        let exportPairs = try trips.intervalPairs()
        let months = tally.monthsMet.filter(limits.contains)
        let closed = months.filter { $0 < open }
        plan.open = months.filter { $0 >= open }
        for month in closed where !released.contains(month) {
            let elsewhere = try store.tripsCountedElsewhere(of: month, ignoring: again)
            let counted = elsewhere.isEmpty ? tally : try trips.tally(of: month, without: elsewhere)
            var partition = rule.partition(of: month, in: counted)
            // Too few to be a group yet, or for sure: the month is withheld, and released when it has one.
            guard partition.isPublished, counted.isSure(month: month) else {
                plan.tooSmall.append(month)
                continue
            }
            partition.addIntervalPairs(exportPairs)
            plan.uncounted += elsewhere
            plan.releases.append(
                StoredRelease(
                    month: month, releasedAt: now.secondsSince1970, rulesVersion: rulesVersion,
                    partition: try Self.encode(partition), tally: counted.encoded(month: month),
                    maximumIntervalSeconds: counted.shape.maximumIntervalSeconds))
        }
        return plan
    }

    /// Each month whose partition an earlier rule made, released again as if for the first time.
    ///
    /// - Parameter tally: of all months of the store.
    package func planAgain(_ tally: KPITally, rulesVersion: String) throws -> NewReleases {
        try rule.check(tally)
        guard tally.isSure else { throw DisclosureError.patientsNotSure }
        let exportPairs = try trips.intervalPairs()
        var plan = NewReleases()
        let earlierReleases = try store.releases().filter { !$0.isFrozen }.map {
            ($0, try Self.partition($0, path: store.path))
        }
        .filter { $0.1.isOfEarlierRule }
        let months = Set(earlierReleases.map(\.0.month))
        for (known, earlier) in earlierReleases {
            let rule = PartitionRule(
                minimumCell: max(rule.minimumCell, earlier.minimumCell), keptMargin: rule.keptMargin)
            let elsewhere = try store.tripsCountedElsewhere(of: known.month, ignoring: months)
            let counted = elsewhere.isEmpty ? tally : try trips.tally(of: known.month, without: elsewhere)
            var partition = rule.partition(of: known.month, in: counted)
            guard partition.isPublished, counted.isSure(month: known.month) else { continue }
            partition.addIntervalPairs(exportPairs + (earlier.intervalPairs ?? []))
            plan.uncounted += elsewhere
            var release = known
            // Its groups are made for the trips as they are now.
            release.revisedAt = nil
            release.rulesVersion = rulesVersion
            release.partition = try Self.encode(partition)
            release.tally = counted.encoded(month: known.month)
            release.maximumIntervalSeconds = counted.shape.maximumIntervalSeconds
            plan.releases.append(release)
            if partition.isJoined { plan.joined += 1 }
        }
        return plan
    }

    package func record(_ plan: NewReleases) throws { try store.add(plan.releases, excluding: plan.uncounted) }

    /// What the release shows: the released months, with the groups that have changed since.
    ///
    /// - Parameters:
    ///   - releases: ascending; those outside the limits are left out.
    ///   - current: the tally of these months as the store has them now; months it lacks are taken as changed.
    package func figures(_ releases: [StoredRelease], current: KPITally) throws -> ReleasedFigures {
        let releases = releases.filter { limits.contains($0.month) }
        // Most months are as they were released: their figures need not be read from the release.
        var tally = current
        let released = Set(releases.map(\.month))
        for month in current.monthsMet where !released.contains(month) { tally.remove(month: month) }
        let changed = releases.filter { current.encoded(month: $0.month) != $0.tally }
        for release in changed {
            tally.remove(month: release.month)
            do {
                try tally.merge(encoded: release.tally, month: release.month, takesEarlierFormats: true)
            } catch {
                throw StoreError.damaged(path: store.path, detail: error.detail)
            }
        }
        let changedMonths = Set(changed.map(\.month))
        let months = try releases.map { release in
            var month = ReleasedMonth(
                month: release.month, partition: try Self.partition(release, path: store.path))
            month.isRevised = release.revisedAt != nil
            if changedMonths.contains(release.month), !release.isFrozen {
                month.pending = PendingGroups(
                    of: month.partition, in: release.month, released: tally, current: current)
            }
            return month
        }
        return ReleasedFigures(months: months, tally: tally)
    }

    /// - Throws: `StoreError.damaged` if the store does not have a partition there.
    package static func partition(_ release: StoredRelease, path: String) throws(StoreError) -> ReleasePartition {
        do {
            return try JSONDecoder().decode(ReleasePartition.self, from: Data(release.partition))
        } catch {
            throw StoreError.damaged(path: path, detail: "the groups of \(release.month) cannot be read")
        }
    }

    package static func encode(_ partition: ReleasePartition) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return Array(try encoder.encode(partition))
    }
}

/// Months that are about to be released for the first time. Nothing of it is recorded yet.
package struct NewReleases {
    /// Ascending.
    package var releases: [StoredRelease] = []
    /// Months with trips that are not closed yet; ascending.
    package var open: [Month] = []
    /// Closed months with too few trips for a group; ascending.
    package var tooSmall: [Month] = []
    /// Months of `releases` that are not divided by sourcing, of those that are released again.
    package var joined = 0
    /// Trips of these months that stay in another month of the release until a revision moves them.
    var uncounted: [StoredTrip] = []

    package init() {}

    /// Nothing is released.
    mutating func withdraw() {
        releases = []
        joined = 0
        uncounted = []
    }

    package var months: [Month] { releases.map(\.month) }
}
