package import Trips

extension TripEvent {
    /// As people say it.
    package var words: String {
        switch self {
        case .requested: "request"
        case .unitNotified: "unit notified"
        case .enRoute: "en route"
        case .onScene: "on scene"
        case .leftScene: "left scene"
        case .arrived: "arrived"
        case .completed: "completed"
        }
    }
}
