/// The six measured intervals of a trip (SPEC §2.3), in whole seconds between two instants.
package enum TripInterval: Int, CaseIterable, Sendable, Hashable {
    case duration, response, turnout, scene, transport, turnaround

    /// The name in profiles, reports and the dashboard contract.
    package var name: String {
        switch self {
        case .duration: "duration"
        case .response: "response"
        case .turnout: "turnout"
        case .scene: "scene"
        case .transport: "transport"
        case .turnaround: "turnaround"
        }
    }

    /// The pair of events it runs between unless a profile says otherwise.
    package var standardPair: EventPair {
        switch self {
        case .duration: EventPair(.unitNotified, .completed)
        case .response: EventPair(.unitNotified, .onScene)
        case .turnout: EventPair(.unitNotified, .enRoute)
        case .scene: EventPair(.onScene, .leftScene)
        case .transport: EventPair(.leftScene, .arrived)
        case .turnaround: EventPair(.arrived, .completed)
        }
    }
}

/// Two events between which an interval is measured.
package struct EventPair: Sendable, Hashable {
    package var start: TripEvent
    package var end: TripEvent

    package init(_ start: TripEvent, _ end: TripEvent) {
        self.start = start
        self.end = end
    }
}
