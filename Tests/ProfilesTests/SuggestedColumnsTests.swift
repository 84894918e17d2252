import Profiles
import TestSupport
import Testing
import Trips

/// What `map suggest` makes of plain names, of JSON keys, of times without a known name, and of decimal commas.
struct SuggestedColumnsTests {
    private static func suggestion(
        _ name: String, _ value: (Int) -> String, isJSON: Bool = false
    ) -> ProfileSuggestion {
        ProfileSuggestion(
            header: ["Trip ID", "Incident Time", name],
            rows: (10..<60).map { ["T\($0)", "2026-01-01T10:\($0):00Z", value($0)] }, source: "x", isJSON: isJSON)
    }

    @Test(arguments: [
        ("Zone/County", "region"), ("County Zone", "region"), ("responseDistrict", "region"),
        ("Run District", "region"),
        ("Final Dispo", "status"), ("runOutcome", "status"), ("Final Disp", "status"),
        ("Med Rec #", "patient_id"), ("patientGuid", "patient_id"), ("Pt UUID", "patient_id"),
        ("Veh Owner", "provider_name"), ("Unit Operator", "provider_name"), ("Nature of Run", "trip_type"),
    ]) func aPlainNameIsKnown(name: String, field: String) throws {
        let column = Self.suggestion(name) { _ in field == "status" ? "Completed" : "Uptown" }.columns[2]
        #expect(column.field?.rawValue == field && column.isProposed, "\(column.reasons)")
    }

    @Test(arguments: [
        ("T-Clear", "completed_at"), ("Tm Clear", "completed_at"), ("Clear Dt", "completed_at"),
        ("T-At Dest", "arrived_at"), ("T-At Pt Side", "on_scene_at"), ("patientContactTime", "on_scene_at"),
        ("T-Unit Disp", "unit_notified_at"), ("lastEdit", "updated_at"),
    ]) func aTimeIsKnownWhateverBeginsItsName(name: String, field: String) {
        let column = Self.suggestion(name) { "2026-01-01T11:\($0):00Z" }.columns[2]
        #expect(column.field?.rawValue == field && column.isProposed, "\(column.reasons)")
    }

    /// What the reader reads is proposed, with the mark that it needs.
    @Test(arguments: [
        ("1234,56 €", true), ("1\u{A0}234,56\u{A0}$", true), ("123.45-", false), ("USD 12.50", false),
        ("12.50 CR", false),
        ("1'234.50", false), ("1.234,56", true), ("(12.00)", false), ("$1,234.56", false), ("12,-", true),
        ("£12.50", false),
    ]) func amountsThatAreReadAreProposed(value: String, hasComma: Bool) throws {
        let suggestion = Self.suggestion("Amount Paid") { _ in value }
        #expect(suggestion.columns[2].isProposed && !suggestion.columns[2].isDoubtful, "\(suggestion.yaml)")
        let profile = try ProfileFileTests.read(suggestion.yaml)
        #expect(profile.columns[.cost] == ["Amount Paid"] && (profile.decimalMark == .comma) == hasComma)
    }

    /// What a name surely means is not left out: the run says what it cannot read.
    @Test(arguments: ["1.25K", "1.20E+03", "see invoice"]) func costsThatCannotBeReadAreProposedAndMarked(value: String)
    {
        let column = Self.suggestion("Amount Paid") { _ in value }.columns[2]
        #expect(column.field == .cost && column.isProposed && column.isDoubtful, "\(column.reasons)")
    }

    /// Ten digits are a plausible second since 1970 too.
    @Test(arguments: ["Pickup Phone", "PU Phone", "PickupPhone"]) func aPhoneNumberIsNoTime(name: String) {
        let column = Self.suggestion(name) { "30555501\($0)" }.columns[2]
        #expect(!column.isProposed, "\(column.field?.rawValue ?? "")")
    }

    /// A call is closed after the unit is free.
    @Test func theTimeAtWhichTheUnitIsFreeComesBeforeThatOfTheClosedCall() {
        let rows = (10..<40).map { ["T\($0)", "2026-01-01T11:\($0):00Z", "2026-01-01T11:\($0):30Z"] }
        let suggestion = ProfileSuggestion(
            header: ["Trip ID", "Call Closed", "First Call Cleared"], rows: rows, source: "x")
        #expect(suggestion.columns.map(\.isProposed) == [true, false, true])
        let alone = Self.suggestion("Call Closed") { "2026-01-01T11:\($0):00Z" }.columns[2]
        #expect(alone.isProposed && alone.isDoubtful)
    }

    /// The time at the patient stands for that on scene only where there is no other.
    @Test func theTimeAtThePatientComesAfterThatOnScene() {
        let rows = (10..<40).map { ["T\($0)", "2026-01-01T10:\($0):00Z", "2026-01-01T11:\($0):00Z"] }
        let suggestion = ProfileSuggestion(header: ["Trip ID", "On Scene", "At Patient"], rows: rows, source: "x")
        #expect(suggestion.columns.map(\.isProposed) == [true, true, false])
    }

    /// Between dispatch and arrival on the scene only the way there is missing; after the arrival two times may be meant.
    @Test func aTimeOfAnUnknownNameIsPlacedWhereOneFieldFits() {
        let header = ["Trip ID", "Unit Notified", "Zug", "On Scene", "Bem"]
        let rows = (10..<40).map { row in
            ["T\(row)"] + [0, 3, 7, 12].map { "2026-01-01T10:\(row + $0):00Z" }
        }
        let columns = ProfileSuggestion(header: header, rows: rows, source: "x").columns
        #expect(columns[2].field == .enRouteAt && columns[2].isProposed && columns[2].isDoubtful)
        #expect(columns[4].field == nil)
    }

    @Test func commentsOfJSONNameKeys() {
        let yaml = Self.suggestion("zug", { _ in "q" }, isJSON: true).yaml
        #expect(yaml.contains("# - key zug: no known name") && !yaml.contains("column 3"))
        #expect(yaml.contains("trip_id: \"Trip ID\"  # 90 %"))
    }

    @Test(arguments: [("279,82", true), ("1.279,82", true), ("279.82", false), ("1,279", false)])
    func aDecimalCommaIsSeen(amount: String, isComma: Bool) throws {
        let suggestion = Self.suggestion("Cost") { _ in amount }
        #expect(suggestion.yaml.contains("decimal: comma") == isComma)
        let profile = try ProfileFileTests.read(suggestion.yaml)
        #expect(profile.decimalMark == (isComma ? .comma : .point) && profile.columns[.cost] == ["Cost"])
    }

    /// One mark holds for all amounts: of two the cost decides.
    @Test func amountsOfAnotherMarkAreNotProposed() {
        let rows = (10..<40).map { ["T\($0)", "2026-01-01T10:\($0):00Z", "\($0),25", "\($0).5"] }
        let header = ["Trip ID", "Start Time", "Cost", "Loaded Miles"]
        let suggestion = ProfileSuggestion(header: header, rows: rows, source: "x")
        #expect(suggestion.columns.map(\.isProposed) == [true, true, true, false])
        #expect(suggestion.yaml.contains("decimal: comma"))
    }

    /// Most values are known, some are not: without the column every record would count as completed.
    @Test func aStatusWithUnknownValuesIsProposedAndToBeCompleted() throws {
        let values = { (row: Int) in row % 10 == 0 ? "Refusal - no transport" : "Transported" }
        let suggestion = Self.suggestion("Final Dispo", values)
        #expect(suggestion.columns[2].isProposed && suggestion.columns[2].isDoubtful)
        #expect(suggestion.problems.count == 1 && suggestion.problems[0].contains("status"))
        let few = Self.suggestion("Record Status") { $0 % 10 < 9 ? "Active" : "VOID" }
        #expect(few.columns[2].isProposed && few.problems.count == 1)
        let none = Self.suggestion("Final Dispo") { $0 % 10 < 6 ? "Refusal" : "Assist" }
        #expect(!none.columns[2].isProposed && none.problems.isEmpty)
    }

    @Test(arguments: [
        ("Cancelled?", "cancelled"), ("Is_Void", "void"), ("Deleted", "void"), ("CANCEL_FLG", "cancelled"),
    ])
    func aFlagSaysWhichTripsDidNotTakePlace(name: String, status: String) throws {
        let suggestion = Self.suggestion(name) { $0 % 10 == 0 ? "Y" : "N" }
        let profile = try ProfileFileTests.read(suggestion.yaml)
        #expect(profile.columns[.status] == [name] && suggestion.columns[2].isDoubtful, "\(suggestion.yaml)")
        #expect(profile.valueMaps[.status]?.entries["y"] == status)
        #expect(profile.valueMaps[.status]?.entries["n"] == "completed")
    }

    /// A date or another word cannot be mapped; and a reason is no flag.
    @Test func otherSignsOfACancellationAreSaid() {
        #expect(Self.suggestion("Cancelled Date") { $0 % 10 == 0 ? "2026-01-01" : "" }.doubts.count == 1)
        #expect(Self.suggestion("Cancel Reason") { $0 % 10 == 0 ? "weather" : "" }.doubts.isEmpty)
    }

    @Test func costsInCentsHaveTheirUnit() throws {
        let suggestion = Self.suggestion("Amount Paid (cents)") { "1\($0)50" }
        #expect(try ProfileFileTests.read(suggestion.yaml).costUnit == .cents, "\(suggestion.yaml)")
    }

    /// A word for a total is no status.
    @Test func rowsOfTotalsAreNoRecords() throws {
        let rows = (10..<60).flatMap { number in
            [["T\(number)", "2026-01-01T10:\(number):00Z", "Completed", "12.50"]]
                + (number % 10 == 9 ? [["", "", "Subtotal", "125.00"]] : [])
        }
        let suggestion = ProfileSuggestion(
            header: ["Trip ID", "Incident Time", "Status", "Cost"], rows: rows, source: "x")
        #expect(suggestion.problems.isEmpty && !suggestion.yaml.contains("Subtotal"), "\(suggestion.yaml)")
    }

    /// MongoDB writes the type of a value as a key, GraphQL each record as a node.
    @Test(arguments: [
        ("cost.$numberDecimal", "cost"), ("unitNotified.$date", "unit_notified_at"), ("node.tripId", "trip_id"),
        ("node.onScene", "on_scene_at"),
    ]) func aNameIsKnownWithinAContainer(name: String, field: String) {
        #expect(SynonymTable.standard.meaning(of: name)?.field.rawValue == field)
    }

    @Test func whatIsNotFoundIsListed() throws {
        let suggestion = Self.suggestion("Veh Owner") { _ in "Example Ambulance" }
        #expect(
            suggestion.gaps.gaps
                == [.status, .region, .tripType, .patientID, .cost, .loadedMiles, .response, .duration])
        #expect(suggestion.yaml.contains("# Not found: status, trip_type, region") == false)
        #expect(
            suggestion.yaml.contains(
                "# Not found: status, region, trip_type, patient_id, cost, loaded_miles, both ends of response, "
                    + "both ends of duration: every record counts as"))
        #expect(suggestion.yaml.contains("#     when: {in: {provider_name: [OUR-SERVICE]}}"))
    }

    /// An export that a run loads without a profile is of the source `plain`; one whose times only a profile can explain is not.
    @Test(arguments: [("2026-01-01T10:00:00", "plain"), ("01/31/2026 10:00", "site")])
    func anExportThatLoadsWithoutAProfileKeepsItsSource(time: String, source: String) {
        let rows = (1...20).map { ["T\($0)", time, "\($0).50", "x"] }
        let header = ["trip_id", "unit_notified_at", "cost", "Sonst"]
        let suggestion = ProfileSuggestion(header: header, rows: rows, defaultSource: "site")
        #expect(suggestion.source == source)
        #expect(suggestion.yaml.contains("would count twice") == (source == "plain"))
        #expect(ProfileSuggestion(header: header, rows: rows, source: "own", defaultSource: "site").source == "own")
    }
}
