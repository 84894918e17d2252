import KPIContract

/// A row of `trips.ndjson`, as far as the page shows it. The page has no cost and no patient: what is masked there is not in it.
struct PublishedTrip: Decodable {
    let id: String
    let date: String
    let tripType: String
    let region: String?
    let provider: String
    let sourcing: String
    /// Seconds; 0: not known.
    let duration: Double
    /// Seconds; nil: not known.
    let response: Double?
    /// Miles; 0: not known.
    let distance: Hundredths
}

extension PublishedTrip: CanonicalValue {
    var canonical: CanonicalJSON {
        [
            "id": id, "date": date, "tripType": tripType, "region": region, "provider": provider, "sourcing": sourcing,
            "duration": duration, "response": response, "distance": distance,
        ]
    }
}

extension PublishedTrip {
    /// The first line of `trips.ndjson`.
    struct Header: Decodable {
        struct Content: Decodable {
            let generatedAt: String
            /// The privacy profile's label.
            let privacy: String
            let statement: String
        }

        let header: Content
    }

    static let notKnown = "not known"

    var durationText: String { duration > 0 ? NumberText.brief(seconds: Int(duration.rounded())) : Self.notKnown }
    var distanceText: String { distance.units > 0 ? distance.miles : Self.notKnown }
    var providerText: String { provider.isEmpty ? "not shown" : provider }
    var regionText: String { region ?? "not shown" }
}
