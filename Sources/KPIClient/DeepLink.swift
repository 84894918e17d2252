public import Foundation

/// A link into the app: `vaambulance://dashboard?month=2026-03`, `vaambulance://trip/ID`.
public enum DeepLink: Sendable, Hashable {
    /// The dashboard, of a choice.
    case dashboard(KPIClient.Choice)
    /// The detail of a trip.
    case trip(id: String)

    /// The app's scheme.
    public static let scheme = "vaambulance"

    /// Nil for any other link: an id that is no surrogate, a parameter that the dashboard does not have.
    public init?(_ url: URL) {
        guard let parts = URLComponents(url: url, resolvingAgainstBaseURL: false),
            parts.scheme?.lowercased() == Self.scheme,
            parts.user == nil, parts.port == nil, parts.fragment == nil
        else { return nil }
        switch parts.host {
        case "dashboard":
            guard ["", "/"].contains(parts.path) else { return nil }
            var choice = KPIClient.Choice()
            for item in parts.queryItems ?? [] {
                guard let value = item.value, !value.isEmpty else { return nil }
                switch item.name {
                case "month": choice.month = value
                case "region": choice.region = value
                case "type": choice.tripType = value
                default: return nil
                }
            }
            self = .dashboard(choice)
        case "trip":
            let id = parts.path.dropFirst()
            guard parts.queryItems == nil, id.utf8.count == 32,
                id.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
            else { return nil }
            self = .trip(id: String(id))
        default: return nil
        }
    }
}
