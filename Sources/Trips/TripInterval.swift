/// The six measured intervals of a trip, in whole seconds between two instants.
package enum TripInterval: Int, CaseIterable, Sendable, Hashable {
    case duration, response, turnout, scene, transport, turnaround
    private static let names = ["duration", "response", "turnout", "scene", "transport", "turnaround"]
    /// The name in profiles, reports and the dashboard contract.
    package var name: String { Self.names[rawValue] }

    /// The pair of events it runs between by default.
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

/// The timed events of one trip, in the order in which they should happen (NEMSIS eTimes).
package enum TripEvent: Int, CaseIterable, Sendable, Hashable {
    case requested, unitNotified, enRoute, onScene, leftScene, arrived, completed

    /// The canonical field that carries the event's time.
    package var field: CanonicalField {
        switch self {
        case .requested: .requestedAt
        case .unitNotified: .unitNotifiedAt
        case .enRoute: .enRouteAt
        case .onScene: .onSceneAt
        case .leftScene: .leftSceneAt
        case .arrived: .arrivedAt
        case .completed: .completedAt
        }
    }

    /// A trip belongs to the local month of the first of these that is present; after them comes `service_date`.
    package static let monthOrder: [TripEvent] = [
        .unitNotified, .enRoute, .onScene, .leftScene, .arrived, .completed, .requested,
    ]
}
