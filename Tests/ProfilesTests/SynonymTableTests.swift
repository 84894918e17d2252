import Profiles
import Testing
import Trips

struct SynonymTableTests {
    private let table = SynonymTable.standard

    @Test func everyCanonicalNameMeansItself() {
        for field in CanonicalField.allCases {
            #expect(table.meaning(of: field.rawValue) == .init(field: field, tier: 0))
            #expect(table.meaning(of: field.rawValue.uppercased())?.field == field)
        }
    }

    @Test func everyLineOfNamesHasAField() {
        let lines = SynonymTable.standardText.split(separator: "\n")
        let fields = lines.compactMap { CanonicalField(rawValue: String($0.prefix { $0 != ":" })) }
        #expect(fields.count == lines.count && Set(fields).count == fields.count)
    }

    @Test(arguments: [
        ("Trip ID", CanonicalField.tripID), ("TripIDs", .tripID), ("Trip #", .tripID), ("Ride ID", .tripID),
        ("Booking ID", .tripID), ("Confirmation Number", .tripID), ("Journey ID", .tripID), ("TripLegID", .legID),
        ("seqRideLegID", .legID), ("Legcd", .legID), ("Segment", .legID), ("Status", .status), ("Trip Status", .status),
        ("Estimated Pickup Time", .requestedAt), ("Scheduled Pick-up Time", .requestedAt), ("PU Time", .requestedAt),
        ("P/U Time", .requestedAt), ("PickUpTime", .requestedAt), ("Reported Pick-up Arrival Time", .onSceneAt),
        ("On Scene DtTm", .onSceneAt), ("ActualPU", .leftSceneAt), ("Start Time", .leftSceneAt),
        ("Dest Actual Arrive", .arrivedAt), ("Hospital DtTm", .arrivedAt), ("End Time", .arrivedAt),
        ("Appt Time", .appointmentAt), ("DueTime", .appointmentAt), ("Latest Arrival Time", .appointmentAt),
        ("Loaded Mileage", .loadedMiles), ("Trip Mileage", .loadedMiles), ("Unloaded Mileage", .unloadedMiles),
        ("Actual Cost", .cost), ("Subcontractor Rate", .cost), ("Transportation Provider", .providerName),
        ("Run Company", .providerName), ("Third Party", .providerName), ("Contract Number", .contractNumber),
        ("Paitent DOB", .patientDOB), ("Passenger Member ID", .patientID), ("Passenger", .patientName),
        ("UNIT_NOTIFIED_BY_DISPATCH_DT", .unitNotifiedAt), ("eTimes.03", .unitNotifiedAt),
        ("eTimes.03 - Unit Notified by Dispatch Date/Time", .unitNotifiedAt),
        ("Unit Left Scene (eTimes.09)", .leftSceneAt),
        ("ETIMES.13", .completedAt), ("Invoice Number", .invoiceNumber), ("VA Notes", .notes),
    ]) func knowsTheNamesSeenInExports(header: String, field: CanonicalField) {
        let name = header == "ETIMES.13" ? "eTimes.13" : header
        #expect(table.meaning(of: name)?.field == field)
    }

    @Test(arguments: [
        "Est Cost", "Estimated Cost", "Estimated Distance (miles)", "Direct Estimated Distance", "Est. Miles",
        "Provider Status", "Invoice Date", "Contract Name", "Vendor Trip ID", "Priority", "Call Type", "Marital Status",
        "", "   ", "eTimes.99",
    ]) func keepsAwayFromNamesThatMeanSomethingElse(header: String) {
        #expect(table.meaning(of: header) == nil)
    }

    @Test func aMisspellingIsOnlyProposed() {
        #expect(table.meaning(of: "Appointmnet Time") == nil)
        #expect(table.nearMeaning(of: "Appointmnet Time")?.field == .appointmentAt)
        #expect(table.nearMeaning(of: "Contract Numbr")?.field == .contractNumber)
        #expect(table.nearMeaning(of: "Est Cst") == nil)
        #expect(table.nearMeaning(of: "Zone") == nil)
    }

    @Test func noEstimateIsEverCostOrMiles() {
        for guess in ["Est", "Estimated", "Planned", "Quoted"] {
            for amount in ["Cost", "Miles", "Mileage", "Distance", "Trip Cost", "Loaded Miles"] {
                #expect(table.meaning(of: "\(guess) \(amount)") == nil)
                #expect(table.nearMeaning(of: "\(guess) \(amount)") == nil)
            }
        }
    }
}
