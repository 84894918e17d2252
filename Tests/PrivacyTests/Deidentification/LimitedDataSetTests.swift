import Privacy
import Testing
import Trips

@Suite struct LimitedDataSetTests {
    private typealias Fixture = DeidentifierFixture

    @Test func datesPlacesAndMeasuresStay() throws {
        var trip = try Fixture.trip(day: "2026-11-20")
        trip.patient = try Fixture.patient(born: "1930-02-03", zip: "03601-1234", city: "St. Mary's", state: "nh")
        let row = try #require(try Fixture.shown(trip, .limitedDataSet))
        #expect(row.date == "2026-11-20" && row.birthDate == "1930-02-03" && row.age == "96")
        #expect(row.zip == "03601" && row.city == "St. Mary's" && row.state == "NH" && row.region == "North")
        #expect(row.intervals == trip.intervals && row.costCents == 123_456)
        #expect(row.loadedHundredths == 1234 && row.unloadedHundredths == 77)
    }

    /// A column that is mapped wrongly lets no street, number or text through.
    @Test(arguments: ["12 Main Street", "x@example.org", "555-0142", String(repeating: "a", count: 41), ""])
    func whatIsNoCityIsNotShown(city: String) throws {
        var trip = try Fixture.trip()
        trip.patient = try Fixture.patient(zip: "2113", city: city, state: city)
        let row = try #require(try Fixture.shown(trip, .limitedDataSet))
        #expect(row.city == nil && row.zip == nil && row.state == nil)
    }

    @Test func itSaysThatItIsPHI() {
        #expect(PrivacyProfile.limitedDataSet.statement.contains("This is protected health information"))
        #expect(PrivacyProfile.limitedDataSet.statement.contains("data use agreement"))
        #expect(PrivacyProfile.limitedDataSet.label.contains("PHI"))
        #expect(!PrivacyProfile.safeHarbor.statement.contains("protected health information"))
    }
}
