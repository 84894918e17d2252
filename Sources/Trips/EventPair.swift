/// Two events between which an interval is measured.
package struct EventPair: Sendable, Hashable {
    package var start: TripEvent
    package var end: TripEvent

    package init(_ start: TripEvent, _ end: TripEvent) {
        self.start = start
        self.end = end
    }
}
