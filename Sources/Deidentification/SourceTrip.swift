package import Trips

/// A trip before it is de-identified: what the store or an export has of it that a profile may look at.
package struct SourceTrip: Sendable {
    package var id: PublicTripID
    package var status: TripStatus
    package var day: CivilDay
    package var tripType: String
    package var region: String
    package var sourcing: Sourcing
    /// Empty where there is none.
    package var providerID: String
    package var providerName: String
    /// Whole seconds by `TripInterval.rawValue`; nil: not measured.
    package var intervals: [Int?]
    package var costCents: Int?
    /// Hundredths of a statute mile.
    package var loadedHundredths: Int?
    package var unloadedHundredths: Int?
    /// Nil: the source has none of it, as the store.
    package var patient: SourcePatient?

    package init(id: PublicTripID, status: TripStatus, day: CivilDay) {
        self.id = id
        self.status = status
        self.day = day
        tripType = NamedList.unassigned
        region = NamedList.unassigned
        sourcing = .unclassified
        providerID = ""
        providerName = ""
        intervals = TripInterval.allCases.map { _ in nil }
    }
}

/// What an export says of the patient of a trip. Nil: it has no such column; empty: nothing stands there.
package struct SourcePatient: Sendable {
    /// Outer nil: no such column; inner nil: blank, or no date.
    package var birthDay: Sensitive<CivilDay?>?
    package var zip: Sensitive<String>?
    package var city: Sensitive<String>?
    package var state: Sensitive<String>?

    package init() {}
}
