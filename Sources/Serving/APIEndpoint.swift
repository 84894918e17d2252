/// The paths that are served. A path is compared as it was sent: one that is encoded or joined otherwise is not found.
package enum APIEndpoint: Sendable, Hashable {
    case page
    case summary
    case cells
    case trips
    case trip(id: String)
    case tripsPage
    case whoami
    case health
    case description

    package init?(path: String) {
        switch path {
        case "/", "/dashboard.html": self = .page
        case "/kpi": self = .summary
        case "/kpi/cells": self = .cells
        case "/trips": self = .trips
        case "/trips.html": self = .tripsPage
        case "/v1/whoami": self = .whoami
        case "/health": self = .health
        case "/openapi.json": self = .description
        default:
            let prefix = "/trip/"
            guard path.hasPrefix(prefix) else { return nil }
            let id = path.dropFirst(prefix.count)
            // Any other text is the id of no trip.
            guard id.utf8.count == 32, id.utf8.allSatisfy({ Self.isHexadecimal($0) }) else { return nil }
            self = .trip(id: String(id))
        }
    }

    /// In the log: without ids.
    var name: String {
        switch self {
        case .page: "/"
        case .summary: "/kpi"
        case .cells: "/kpi/cells"
        case .trips: "/trips"
        case .trip: "/trip/{id}"
        case .tripsPage: "/trips.html"
        case .whoami: "/v1/whoami"
        case .health: "/health"
        case .description: "/openapi.json"
        }
    }

    var needsToken: Bool {
        switch self {
        case .health, .description: false
        default: true
        }
    }

    static func isHexadecimal(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }
}
