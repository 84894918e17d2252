/// The six measured intervals of a trip, in whole seconds between two instants.
package enum TripInterval: Int, CaseIterable, Sendable, Hashable {
    case duration, response, turnout, scene, transport, turnaround
    /// No profile takes a longer interval for a measured one: 30 days.
    package static var longestLimitSeconds: Int { 720 * 3600 }
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

extension [TripInterval: EventPair] {
    /// The standard pair of each interval.
    package static var standard: [TripInterval: EventPair] {
        [TripInterval: EventPair](uniqueKeysWithValues: TripInterval.allCases.map { ($0, $0.standardPair) })
    }

    /// The pairs that are not the standard ones, as `duration unit_notified_at-arrived_at; …`. Empty: all are.
    package var text: String {
        TripInterval.allCases.compactMap { interval in
            guard let pair = self[interval], pair != interval.standardPair else { return nil }
            return "\(interval.name) \(pair.start.field.rawValue)-\(pair.end.field.rawValue)"
        }.joined(separator: "; ")
    }

    /// All pairs, those that `text` states and else the standard ones.
    package init(text: String) {
        self = .standard
        for part in text.split(separator: "; ") {
            let words = part.split(whereSeparator: { $0 == " " || $0 == "-" }).map(String.init)
            guard words.count == 3, let interval = TripInterval.allCases.first(where: { $0.name == words[0] }),
                let start = TripEvent.allCases.first(where: { $0.field.rawValue == words[1] }),
                let end = TripEvent.allCases.first(where: { $0.field.rawValue == words[2] })
            else { continue }
            self[interval] = EventPair(start, end)
        }
    }
}
