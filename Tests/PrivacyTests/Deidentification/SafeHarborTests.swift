import Basics
import Privacy
import TestSupport
import Testing
import Trips

/// What `safe-harbor` makes of a trip, identifier by identifier.
@Suite struct SafeHarborTests {
    private typealias Fixture = DeidentifierFixture

    @Test func ofDatesOnlyTheYearStays() throws {
        let row = try #require(try Fixture.shown(try Fixture.trip(day: "2024-05-04")))
        #expect(row.date == "2024" && row.birthDate == nil)
    }

    /// 2025 is shown from 31 March 2026 on: 90 days after its end.
    @Test(arguments: [("2026-03-30", false), ("2026-03-31", false), ("2026-04-01", true), ("2026-11-21", true)])
    func aYearIsShownOnceItIsOverLongEnough(today: String, isShown: Bool) throws {
        let day = try #require(CivilDay(today))
        let row = try Fixture.shown(try Fixture.trip(day: "2025-12-31")) { $0.today = day }
        #expect((row != nil) == isShown)
        #expect(try Fixture.shown(try Fixture.trip(day: "2026-01-01")) { $0.today = day } == nil)
    }

    @Test(arguments: [TripStatus.cancelled, .noShow, .void])
    func onlyCompletedTripsAreShown(status: TripStatus) throws {
        var trip = try Fixture.trip()
        trip.status = status
        #expect(try Fixture.shown(trip) == nil)
        #expect(try Fixture.shown(trip, .limitedDataSet) == nil)
    }

    /// The trip is on 4 May 2024, the release on 21 November 2026.
    @Test(
        arguments: [
            ("1980-05-04", "44"), ("1980-05-05", "43"), ("2024-05-04", "0"), ("1936-11-22", "87"),
            ("1936-11-21", "90+"),
            ("1934-05-04", "90+"), ("1910-01-01", "90+"), ("2024-05-05", nil),
        ] as [(String, String?)])
    func agesOver89AreOneClassAtTheTripAndToday(born: String, age: String?) throws {
        var trip = try Fixture.trip()
        trip.patient = try Fixture.patient(born: born)
        let row = try #require(try Fixture.shown(trip))
        #expect(row.age == age && row.birthDate == nil)
        trip.patient = SourcePatient()
        #expect(try Fixture.shown(trip)?.age == nil)
    }

    @Test(arguments: [
        ("60614", "606"), ("60614-1234", "606"), ("606141234", "606"), ("03601", "000"), ("06301", "000"),
        ("20501", "000"), ("36901", "000"), ("09012", "000"), ("34012", "000"), ("96212", "000"), ("2113", "000"),
        ("", "000"), ("K1A 0B1", "000"), ("6061", "000"), ("606", "000"), ("60614-", "000"), ("606l4", "000"),
        ("６０６１４", "000"), ("60614-12345", "000"),
    ])
    func aZIPCodeIsThreeDigitsOrHidden(zip: String, area: String) throws {
        var trip = try Fixture.trip()
        trip.patient = try Fixture.patient(zip: zip)
        #expect(try Fixture.shown(trip)?.zip == area)
    }

    @Test func withoutAColumnThereIsNoZIPArea() throws {
        var trip = try Fixture.trip()
        trip.patient = SourcePatient()
        #expect(try Fixture.shown(trip)?.zip == nil)
    }

    @Test(
        arguments: [
            ("Illinois", "IL", "606"), ("il", "IL", "606"), ("Bavaria", nil, "000"), ("12 Main Street", nil, "000"),
            ("", nil, "606"),
        ] as [(String, String?, String)])
    func onlyAStateIsAState(state: String, code: String?, area: String) throws {
        var trip = try Fixture.trip()
        trip.patient = try Fixture.patient(zip: "60614", city: "Chicago", state: state)
        let row = try #require(try Fixture.shown(trip))
        #expect(row.state == code && row.zip == area && row.city == nil)
    }

    @Test func aRegionIsShownOnlyIfItIsAState() throws {
        #expect(try Fixture.shown(try Fixture.trip())?.region == nil)
        #expect(try Fixture.shown(try Fixture.trip()) { $0.regionsAreStates = true }?.region == "North")
    }

    @Test(arguments: [PrivacyProfile.safeHarbor, .limitedDataSet])
    func aProviderIsShownOnlyIfTheRosterSaysSo(profile: PrivacyProfile) throws {
        let trip = try Fixture.trip()
        #expect(try Fixture.shown(trip, profile)?.provider == nil)
        #expect(try Fixture.shown(trip, profile) { $0.shownProviders = ["p-91"] }?.provider == nil)
        for listed in ["p-90", "example transport"] {
            #expect(try Fixture.shown(trip, profile) { $0.shownProviders = [listed] }?.provider == "Example Transport")
        }
    }

    @Test func measuresAreInStepsAndOneIntervalStays() throws {
        let row = try #require(try Fixture.shown(try Fixture.trip()))
        #expect(row.intervals == [4200, nil, nil, nil, nil, nil])
        #expect(row.costCents == 120_000 && row.loadedHundredths == 1000 && row.unloadedHundredths == nil)
    }

    @Test(arguments: [(0, 0), (1, 300), (449, 300), (450, 600), (14_399, 14_400), (86_400, 14_400)])
    func aDurationIsTheNearestFiveMinutes(seconds: Int, shown: Int) throws {
        var trip = try Fixture.trip()
        trip.intervals[0] = seconds
        #expect(try Fixture.shown(trip)?.intervals[0] == shown)
    }

    @Test(
        arguments: [(-1200, nil), (0, 0), (1, 10_000), (14_999, 10_000), (15_000, 20_000), (9_999_999, 500_000)]
            as [(Int, Int?)])
    func aCostIsTheNearestHundredDollars(cents: Int, shown: Int?) throws {
        var trip = try Fixture.trip()
        trip.costCents = cents
        #expect(try Fixture.shown(trip)?.costCents == shown)
    }

    @Test func allListsOfZIPAreasHoldTogether() throws {
        let areas = try ZIPAreas(try Fixture.table("zip3_restricted.csv"))
        #expect(areas.sizes == ["hhs-2000": 17, "census-2010": 14, "armed-forces": 15])
        let union = areas.restricted.filter { !["09", "34", "96"].contains(String($0.prefix(2))) }
        #expect(union.count == 19 && union.isSuperset(of: ["063", "790", "890", "205", "369"]))
    }
}
