package import Basics
import GRDB
package import Trips

/// A trip of released months that has changed since the release, with its key.
package struct ReleaseChange: Sendable, Hashable {
    package let key: TripKey
    /// The trip as the release counts it; nil if the release does not count it.
    package var released: TripFacts?
    /// The trip as it is in the store, without its texts. Its month may differ. Nil if it is void or deleted.
    package let current: TripFacts?
    /// When a revision added or corrected the trip, in seconds since 1970; nil: none has.
    package var revisedAt: Int?
    /// Released months with a row for the trip in `release_changes`.
    package let months: Set<Month>

    /// The rows to keep: the trip as released, and a void row in its current month if that month does not count it.
    /// Revised trips are always kept, so that no other revision changes them.
    func rows(_ releasedMonths: Set<Month>) -> [StoredTrip] {
        if revisedAt == nil, released == current { return [] }
        var rows = released.map { [row($0)] } ?? []
        if let current, current.month != released?.month, releasedMonths.contains(Month(index: current.month)) {
            rows.append(row(current).absentFromRelease)
        }
        if rows.isEmpty, revisedAt != nil, let month = months.min() {
            var facts = TripFacts()
            facts.month = month.index
            facts.day = CivilDay.days(year: month.year, month: month.month, day: 1)
            rows.append(row(facts).absentFromRelease)
        }
        return rows
    }

    private func row(_ facts: TripFacts) -> StoredTrip {
        StoredTrip(
            key: key, exportID: 0, recordOffset: 0,
            version: TripVersion(updatedAt: revisedAt ?? AmountState.absent), facts: facts.asReleased)
    }
}
