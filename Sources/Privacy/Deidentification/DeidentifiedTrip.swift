package import Trips

/// A trip as it may be published: only `Deidentifier` makes one, and the writers of rows take nothing else.
package struct DeidentifiedTrip: Sendable, Hashable {
    package let id: PublicTripID
    /// The profile, as each row names it.
    package let label: String
    /// `2026`, or `2026-05-04`.
    package let date: String
    package let tripType: String
    /// Nil: the profile does not show it.
    package let region: String?
    package let sourcing: Sourcing
    /// Nil: unknown, or not on the roster of providers that may be shown.
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
    /// Replaces the patient.
    package static let mask = "••••••••"
    /// The values that trips of one group share: all that is shown except measures and values of the patient.
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
