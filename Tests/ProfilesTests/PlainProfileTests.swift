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
            header: ["Miles", "Trip ID", "Loaded Mileage", "Est Cost", "Comments", "VA Notes", "Start Time"],
            source: "x")
        // Miles of a manifest are planned ones, unless a profile says that they were driven.
        #expect(profile.columns[.loadedMiles] == ["Loaded Mileage"])
        #expect(profile.columns[.notes] == ["Comments", "VA Notes"])
        #expect(profile.columns[.cost] == nil)
    }

    private func problems(_ header: [String]) -> [String] {
        do throws(PlainHeaderError) {
            _ = try Profile.plain(header: header, source: "x")
            return []
        } catch {
            return error.problems.map { String($0.prefix { $0 != "—" }) }
        }
    }

    @Test func twoColumnsOfEqualRightAreRefused() {
        #expect(
            problems(["Trip ID", "Start Time", "Trip Cost", "Full Fare", "trip_id"])
                == ["columns 1, 5 may all be trip_id ", "columns 3, 4 may all be cost "])
    }

    @Test func aFileThatCannotBeTripsIsRefused() {
        #expect(
            problems(["Name", "Cost", "Region"])
                == ["no column is known to be trip_id ", "no column is known to be a time or a service_date "])
    }

    @Test func nemsisDispositionsNeedTheirProfile() {
        #expect(
            problems(["eResponse.04", "eTimes.03", "eDisposition.30"])
                == ["column 3 hold NEMSIS dispositions, which a plain file cannot explain "])
    }

    @Test func anErrorHoldsNoNameOfAFileWithoutHeader() throws {
        let header = ["Zyx901", "Qwertz, Asdf", "1901-01-01", "000-00-0000"]
        let error = try #require(throws: PlainHeaderError.self) { try Profile.plain(header: header, source: "x") }
        #expect(error.problems.count == 1 && error.problems[0].hasPrefix("the first row does not look like a header"))
        for cell in header { #expect(!"\(error)".contains(cell)) }
    }
}
