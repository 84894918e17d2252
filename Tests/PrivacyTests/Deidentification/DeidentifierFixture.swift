import Basics
import Privacy
import Rules
import TestSupport
import Testing
import Trips

/// The shipped tables, and made-up trips.
enum DeidentifierFixture {
    static func table(_ name: String) throws -> CSVTable {
        try CSVTable(bytes: Array(Repository.bytes("data/reference/\(name)")), file: name, hasHeader: true)
    }

    static func policy(
        _ profile: PrivacyProfile, today: String = "2026-11-21"
    ) throws -> Deidentifier.Policy {
        Deidentifier.Policy(
            profile: profile, zipAreas: try ZIPAreas(try table("zip3_restricted.csv")),
            states: try States(try table("states.csv")), today: try #require(CivilDay(today)))
    }

    /// A completed trip of one day that costs, lasts and measures something.
    static func trip(_ number: UInt64 = 1, day: String = "2024-05-04") throws -> SourceTrip {
        var trip = SourceTrip(
            id: PublicTripID(high: number, low: 7), status: .completed, day: try #require(CivilDay(day)))
        trip.tripType = "Emergency"
        trip.region = "North"
        trip.sourcing = .contracted
        trip.providerID = "P-90"
        trip.providerName = "Example Transport"
        trip.intervals = [4321, 611, 67, 1234, 987, 555]
        trip.costCents = 123_456
        trip.loadedHundredths = 1234
        trip.unloadedHundredths = 77
        return trip
    }

    static func patient(
        born: String? = nil, zip: String? = nil, city: String? = nil, state: String? = nil
    ) throws -> SourcePatient {
        var patient = SourcePatient()
        patient.birthDay = born.map { Sensitive(CivilDay($0)) }
        patient.zip = zip.map { Sensitive($0) }
        patient.city = city.map { Sensitive($0) }
        patient.state = state.map { Sensitive($0) }
        return patient
    }

    static func shown(
        _ trip: SourceTrip, _ profile: PrivacyProfile = .safeHarbor,
        change: (inout Deidentifier.Policy) -> Void = { _ in }
    ) throws -> DeidentifiedTrip? {
        var policy = try policy(profile)
        change(&policy)
        return Deidentifier(policy).deidentify(trip)
    }
}
