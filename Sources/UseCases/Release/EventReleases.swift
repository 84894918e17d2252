package import Basics
package import KPIs
import Privacy
package import Store

/// The events that the release shows: those of a month are recorded once, when they are first shown, and stay.
///
/// If the counts of a month changed from night to night, the difference of two releases would be a count of single events.
package struct EventReleases {
    private let store: TripStore
    private let minimum: Int

    package init(store: TripStore, minimumCell: Int) {
        self.store = store
        minimum = max(minimumCell, PublishableEvents.leastMinimum)
    }

    /// What is to be recorded: the events of months whose trips are released, with enough events, that are closed.
    ///
    /// A month is closed for events when there is an event of a later month, or 31 days after its end.
    package func plan(months: some Sequence<Month>, generatedAt now: UTCTime) throws -> EventTally {
        guard let current = try store.events() else { return EventTally() }
        let known = Set(try store.releasedEvents()?.months ?? [])
        let today = now.day.advanced(by: -31)
        let last = current.months.last
        let due = Set(
            months.filter { month in
                !known.contains(month) && (last.map { $0 > month } ?? false || today.month > month)
                    && current.filter(months: { $0 == month }).total >= minimum
            })
        return current.filter(months: due.contains)
    }

    /// What the release shows once a plan is recorded; nil if there are no events at all.
    package func events(with plan: EventTally) throws -> EventTally? {
        guard var events = try store.releasedEvents() else { return nil }
        events.merge(plan)
        return events
    }
}
