package import Trips

/// A trip as it may leave: only `Deidentifier` makes one, and the writers of rows take nothing else.
package struct DeidentifiedTrip: Sendable, Hashable {
    package let id: PublicTripID
    /// The profile, as each row says it.
    package let label: String
    /// `2026`, or `2026-05-04`.
    package let date: String
    package let tripType: String
    /// Nil: the profile does not show it.
    package let region: String?
    package let sourcing: Sourcing
    /// Nil: unknown, or no roster says that it may be shown.
    package let provider: String?
    /// Whole seconds by `TripInterval.rawValue`; nil: not measured or not shown.
    package let intervals: [Int?]
    package let costCents: Int?
    /// Hundredths of a statute mile.
    package let loadedHundredths: Int?
    package let unloadedHundredths: Int?
    /// Years, or `90+`.
    package let age: String?
    package let birthDate: String?
    /// Five digits, or three of them.
    package let zip: String?
    package let city: String?
    /// USPS code.
    package let state: String?

    /// What stands for the patient.
    package static let mask = "••••••••"

    /// What trips of one group have in common: all that is shown of them but measures and the patient's facts.
    package struct Group: Sendable, Hashable {
        let date: String
        let tripType: String
        let region: String?
        let sourcing: Sourcing
        let provider: String?
    }

    package var group: Group {
        Group(date: date, tripType: tripType, region: region, sourcing: sourcing, provider: provider)
    }
}
