import Foundation
import KPIs
import Operations
import Privacy
import Store
import Trips

/// The months that the store's release shows, as they were released (SPEC §5.3).
///
/// A month is released once, when it is closed, with the trips that no other released month counts. Its partition and its
/// figures are recorded in the store then, and the release shows these until a revision (`ReleaseRevision`): what is
/// corrected in between changes the staff set only, so the difference between two nights' releases is never about fewer
/// trips than a group has.
struct ReleaseRegister {
    /// A month ends later where clocks are behind UTC.
    private static let farthestWestSeconds = 12 * 3600
    /// Fewer trips than this do not begin a month: they may be slips of a date.
    private static let rowsOfABegunMonth = 11

    let store: TripStore
    let rule: PartitionRule

    /// Records each month that is closed and has groups, and is not released yet.
    ///
    /// - Parameters:
    ///   - tally: of all months of the store.
    ///   - check: is shown the months that are to be released now, and throws if they must not be.
    /// - Returns: the months released just now, ascending.
    /// - Throws: `DisclosureError` if the threshold cannot be checked.
    func releaseClosedMonths(
        _ tally: KPITally, rulesVersion: String, generatedAtEpochSeconds now: Int,
        check: ([ReleasedMonth]) throws -> Void
    ) throws -> [Month] {
        try rule.check(tally)
        guard tally.isSure else { throw DisclosureError.patientsNotSure }
        let today = Self.today(now)
        let open = OpenMonth.first(
            after: try store.months(ofAtLeast: Self.rowsOfABegunMonth),
            newestDay: { tally.latestDay(in: $0...$0) }, on: today)
        guard let open else { return [] }
        let released = Set(try store.releases().map(\.month))
        var added: [StoredRelease] = []
        var months: [ReleasedMonth] = []
        var uncounted: [StoredTrip] = []
        let exportPairs = Set(try store.exports().map(\.intervalPairs)).sorted()
        for month in tally.monthsMet where month < open && !released.contains(month) {
            // The release counts these in the month where they were before, until a revision moves them.
            let elsewhere = try store.tripsCountedElsewhere(of: month)
            let tally = elsewhere.isEmpty ? tally : try store.tally(of: month, without: elsewhere)
            var partition = rule.partition(of: month, in: tally)
            partition.intervalPairs = exportPairs
            // Too few to be a group yet: the month is withheld, and released when it has one.
            guard partition.completed.groups != nil else { continue }
            uncounted += elsewhere
            months.append(ReleasedMonth(month: month, partition: partition))
            added.append(
                StoredRelease(
                    month: month, releasedAt: now, rulesVersion: rulesVersion,
                    partition: try Self.encode(partition), tally: tally.encoded(month: month),
                    maximumIntervalSeconds: tally.shape.maximumIntervalSeconds))
        }
        if !months.isEmpty { try check(months) }
        try store.add(added, without: uncounted)
        return added.map(\.month)
    }

    /// The pairs of events that intervals were measured between, by any export now or when a month was released.
    func intervalPairs(_ exports: [ExportRecord]) throws -> [[TripInterval: EventPair]] {
        var texts = Set(exports.map(\.intervalPairs))
        for release in try store.releases() {
            texts.formUnion(try Self.partition(release, path: store.path).intervalPairs ?? [])
        }
        return texts.sorted().map(StoreFigures.pairs(in:))
    }

    /// The day that has begun everywhere.
    static func today(_ now: Int) -> CivilDay { UTCTime(secondsSince1970: now - farthestWestSeconds).day }

    /// What the release shows: the released months, with the groups that have changed since.
    ///
    /// - Parameter current: the tally of these months as the store has them now; months it lacks are taken as changed.
    func figures(current: KPITally) throws -> ReleasedFigures {
        let releases = try store.releases()
        // Most months are as they were released: their figures need not be read from the release.
        var tally = current
        let released = Set(releases.map(\.month))
        for month in current.monthsMet where !released.contains(month) { tally.remove(month: month) }
        let changed = releases.filter { current.encoded(month: $0.month) != $0.tally }
        for release in changed {
            tally.remove(month: release.month)
            do {
                try tally.merge(encoded: release.tally, month: release.month)
            } catch {
                throw StoreError.damaged(path: store.path, detail: error.detail)
            }
        }
        let changedMonths = Set(changed.map(\.month))
        let months = try releases.map { release in
            var month = ReleasedMonth(
                month: release.month, partition: try Self.partition(release, path: store.path))
            month.isRevised = release.revisedAt != nil
            if changedMonths.contains(release.month) {
                month.pending = PendingGroups(
                    of: month.partition, in: release.month, released: tally, current: current)
            }
            return month
        }
        return ReleasedFigures(months: months, tally: tally)
    }

    /// - Throws: `StoreError.damaged` if the store does not have a partition there.
    static func partition(_ release: StoredRelease, path: String) throws(StoreError) -> ReleasePartition {
        do {
            return try JSONDecoder().decode(ReleasePartition.self, from: Data(release.partition))
        } catch {
            throw StoreError.damaged(path: path, detail: "the groups of \(release.month) cannot be read")
        }
    }

    static func encode(_ partition: ReleasePartition) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return Array(try encoder.encode(partition))
    }
}

/// Released months and their figures by then.
package struct ReleasedFigures: Sendable {
    var months: [ReleasedMonth]
    /// Holds each of the months as it was released.
    var tally: KPITally

    /// Of the smallest groups; nil without any month. Months keep the threshold that they were released with.
    var minimumCell: Int? { months.map(\.partition.minimumCell).min() }
}
