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
