package import Basics
package import Trips

/// A trip before it is de-identified: the values of the store or an export that a profile may use.
package struct SourceTrip: Sendable {
    package var id: PublicTripID
    package var status: TripStatus
    package var day: CivilDay
    package var tripType = NamedList.unassigned
    package var region = NamedList.unassigned
    package var sourcing = Sourcing.unclassified
    /// Empty where there is none.
    package var providerID = ""
    package var providerName = ""
    /// Whole seconds by `TripInterval.rawValue`; nil: not measured.
    package var intervals: [Int?] = TripInterval.allCases.map { _ in nil }
    package var costCents: Int?
    /// Hundredths of a statute mile.
    package var loadedHundredths: Int?
    package var unloadedHundredths: Int?
    /// Nil: the source, such as the store, has no values of patients.
    package var patient: SourcePatient?
    /// Whether rows of its group had it before.
    package var wasShown = false

    package init(id: PublicTripID, status: TripStatus, day: CivilDay) {
        self.id = id
        self.status = status
        self.day = day
    }
}

/// The patient of a trip in an export. Nil: it has no such column; empty: the value is blank.
package struct SourcePatient: Sendable {
    /// Outer nil: no such column; inner nil: blank, or no date.
    package var birthDay: Sensitive<CivilDay?>?
    package var zip: Sensitive<String>?
    package var city: Sensitive<String>?
    package var state: Sensitive<String>?

    package init() {}
}
