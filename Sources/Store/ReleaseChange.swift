package import Trips

/// A trip of released months that was added, changed or taken out since the release.
package struct ReleaseChange: Sendable, Hashable {
    package let key: TripKey
    /// What the release counts of the trip; nil: nothing.
    package var released: TripFacts?
    /// The trip as the store has it now, in whatever month and without its texts; nil: it is void or not there.
    package let current: TripFacts?
    /// When a revision added or corrected the trip, in seconds since 1970; nil: none has.
    package var revisedAt: Int?
    /// The released months that keep a row of the trip.
    package let months: Set<Month>

    package init(
        key: TripKey, released: TripFacts?, current: TripFacts?, revisedAt: Int? = nil, months: Set<Month>
    ) {
        self.key = key
        self.released = released
        self.current = current
        self.revisedAt = revisedAt
        self.months = months
    }
}
