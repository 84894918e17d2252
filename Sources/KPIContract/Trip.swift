/// A de-identified trip as a list shows it: an element of `GET /trips`.
public struct Trip: Decodable, Sendable, Hashable, Identifiable {
    /// What is shown in place of a patient, a cost or any field that is masked.
    public static let mask = "••••••••"

    /// A random surrogate, stable from run to run; derived from nothing. 32 hexadecimal digits.
    public var id: String
    /// Trip type and, where it is shown, region.
    public var title: String
    /// Seconds; 0 where it was not measured.
    public var duration: Double
    /// Always `mask`.
    public var phiField: String
    /// As exact as the privacy profile allows: `2026-05-04`, or `2026`.
    public var date: String
    /// The provider's name; empty where it is unknown or not shown.
    public var provider: String
    /// Loaded statute miles; 0 where unknown.
    public var distance: Hundredths
    /// The trip in one sentence, for a screen reader. Nil: a row from before this key was added.
    public var accessibilityLabel: String?

    /// Every value as it is to be published; nothing is checked.
    public init(
        id: String, title: String, duration: Double, date: String, provider: String, distance: Hundredths
    ) {
        self.id = id
        self.title = title
        self.duration = duration
        phiField = Self.mask
        self.date = date
        self.provider = provider
        self.distance = distance
        accessibilityLabel = Self.label(date: date, provider: provider, distance: distance)
    }

    /// `Trip on 2026-05-04, provider Northside, distance 12.4 miles.`
    private static func label(date: String, provider: String, distance: Hundredths) -> String {
        let day = date.contains("-") ? "on \(date)" : "in \(date)"
        let miles = distance.units == 0 ? "not known" : distance.miles
        return "Trip \(day), provider \(provider.isEmpty ? "not shown" : provider), distance \(miles)."
    }
}

extension Trip {
    package var canonicalMembers: [CanonicalJSON.Member] {
        [
            .init("id", id), .init("title", title), .init("duration", duration), .init("phiField", phiField),
            .init("date", date), .init("provider", provider), .init("distance", distance),
            .init("accessibilityLabel", accessibilityLabel.orAbsent),
        ]
    }
}

extension Trip: CanonicalValue {
    package var canonical: CanonicalJSON { .object(canonicalMembers) }
}
