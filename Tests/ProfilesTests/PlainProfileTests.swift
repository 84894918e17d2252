import Profiles
import Testing
import Trips

struct PlainProfileTests {
    @Test func everyCanonicalHeaderIsTakenAsItIs() throws {
        let profile = try Profile.plain(header: CanonicalField.allCases.map(\.rawValue), source: "canonical")
        for field in CanonicalField.allCases { #expect(profile.columns[field] == [field.rawValue]) }
        #expect(profile.valueMaps[.status]?.entries["canceled"] == "cancelled")
    }

    @Test func aPreferredNameComesFirst() throws {
        let profile = try Profile.plain(
            header: ["Mileage", "Trip ID", "Loaded Mileage", "Est Cost", "Comments", "VA Notes", "Start Time"],
            source: "x")
        #expect(profile.columns[.loadedMiles] == ["Loaded Mileage", "Mileage"])
        #expect(profile.columns[.notes] == ["Comments", "VA Notes"])
        #expect(profile.columns[.cost] == nil)
    }

    @Test func twoColumnsOfEqualRightAreRefused() {
        let header = ["Trip ID", "Start Time", "Trip Cost", "Full Fare", "trip_id"]
        #expect(
            throws: PlainHeaderError(problems: [
                .ambiguous(.tripID, columns: [1, 5]), .ambiguous(.cost, columns: [3, 4]),
            ])
        ) { try Profile.plain(header: header, source: "x") }
    }

    @Test func aFileThatCannotBeTripsIsRefused() {
        #expect(throws: PlainHeaderError(problems: [.missingTripID, .missingTimes])) {
            try Profile.plain(header: ["Name", "Cost", "Region"], source: "x")
        }
    }

    @Test func nemsisDispositionsNeedTheirProfile() {
        #expect(throws: PlainHeaderError(problems: [.nemsisDisposition(columns: [3])])) {
            try Profile.plain(header: ["eResponse.04", "eTimes.03", "eDisposition.30"], source: "x")
        }
    }

    @Test func anErrorHoldsNoNameOfAFileWithoutHeader() throws {
        let header = ["Zyx901", "Qwertz, Asdf", "1901-01-01", "000-00-0000"]
        let error = try #require(throws: PlainHeaderError.self) { try Profile.plain(header: header, source: "x") }
        #expect(error.problems == [.noHeader])
        for cell in header { #expect(!"\(error)".contains(cell)) }
    }
}
