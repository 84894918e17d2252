package import Trips

/// A trip of a released month that was added, changed or taken out since the release.
package struct ReleaseChange: Sendable, Hashable {
    package let key: TripKey
    /// What the release counts of the trip in its month. Empty: nothing. Several: a revision took up a trip where it is
    /// now, and the group that it has left still shows it.
    package let released: [TripFacts]
    /// The trip as the store has it in this month now; nil: not there any more.
    package let current: TripFacts?

    package init(key: TripKey, released: [TripFacts], current: TripFacts?) {
        self.key = key
        self.released = released
        self.current = current
    }

    /// The same trip after a revision.
    ///
    /// - Parameter released: what the release counts of it from then on.
    package func revised(_ released: [TripFacts]) -> ReleaseChange {
        ReleaseChange(key: key, released: released, current: current)
    }
}
