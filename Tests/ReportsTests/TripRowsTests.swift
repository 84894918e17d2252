import Basics
import Foundation
import KPIContract
import Privacy
import Reports
import Rules
import TestSupport
import Testing
import Trips

/// Rows as the dashboard decodes them.
@Suite struct TripRowsTests {
    /// The app's own type.
    private struct Trip: Decodable {
        let id: String
        let title: String
        let duration: TimeInterval
        let phiField: String
    }

    private func table(_ name: String) throws -> CSVTable {
        try CSVTable(bytes: Array(Repository.bytes("data/reference/\(name)")), file: name, hasHeader: true)
    }

    private func row(_ profile: PrivacyProfile, providers: Set<String> = []) throws -> DeidentifiedTrip {
        var terms = Deidentifier.Policy(
            profile: profile, zipAreas: try ZIPAreas(try table("zip3_restricted.csv")),
            states: try States(try table("states.csv")), today: try #require(CivilDay("2026-11-21")))
        terms.shownProviders = providers
        var trip = SourceTrip(
            id: PublicTripID(high: 1, low: 2), status: .completed, day: try #require(CivilDay("2024-05-04")))
        trip.tripType = "Emergency"
        trip.providerName = "=Example, Transport"
        trip.intervals[0] = 4321
        trip.costCents = 123_456
        trip.loadedHundredths = 1234
        return try #require(Deidentifier(terms).deidentify(trip))
    }

    private func text(_ format: TripRowFormat, _ trip: DeidentifiedTrip) -> String {
        var bytes: [UInt8] = []
        TripRows(format).append(TripRow(trip), to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(arguments: [PrivacyProfile.safeHarbor, .limitedDataSet])
    func theAppDecodesARow(profile: PrivacyProfile) throws {
        let trip = try JSONDecoder().decode(Trip.self, from: Data(text(.ndjson, try row(profile)).utf8))
        #expect(trip.id == "00000000000000010000000000000002" && trip.phiField == "••••••••")
        #expect(trip.duration == (profile == .safeHarbor ? 4200 : 4321) && trip.title.hasPrefix("Emergency"))
    }

    @Test func aRowIsTheseBytes() throws {
        #expect(
            text(.ndjson, try row(.safeHarbor)) == """
                {"id":"00000000000000010000000000000002","title":"Emergency","duration":4200,"phiField":"••••••••",\
                "date":"2024","provider":"","distance":10.00,\
                "accessibilityLabel":"Trip in 2024, provider not shown, distance 10 miles.","cost":1200.00,"patientId":"••••••••",\
                "privacy":"safe-harbor","tripType":"Emergency","region":null,"sourcing":"unclassified",\
                "response":null,"turnout":null,"scene":null,"transport":null,"turnaround":null,\
                "unloadedDistance":null,"age":null,"birthDate":null,"zip":null,"city":null,"state":null}

                """)
    }

    @Test func theHeadStatesTheBasisAndIsNoRow() throws {
        for profile in [PrivacyProfile.safeHarbor, .limitedDataSet] {
            let head = TripRows(.ndjson).head(profile, minimumGroup: 11, generatedAt: "2026-11-21T00:00:00Z")
            #expect(head.count { $0 == 0x0A } == 1)
            let line = try JSONSerialization.jsonObject(with: Data(head)) as? [String: [String: Any]]
            let header = try #require(line?["header"])
            #expect(header["statement"] as? String == profile.statement)
            #expect((header["identifiers"] as? [String: String])?.count == 18)
            #expect(throws: DecodingError.self) { try JSONDecoder().decode(Trip.self, from: Data(head)) }
        }
    }

    @Test func jsonIsAnArrayOfWhatAListShows() throws {
        let one = TripRow(try row(.limitedDataSet)), rows = TripRows(.json)
        for count in 0...3 {
            var bytes = rows.head(.limitedDataSet, minimumGroup: 1, generatedAt: "2026-11-21T00:00:00Z")
            for place in 0..<count { rows.append(one, place: place, to: &bytes) }
            bytes += rows.tail
            #expect(
                try JSONDecoder().decode([KPIContract.Trip].self, from: Data(bytes))
                    == Array(repeating: one.detail.trip, count: count))
            #expect(!String(decoding: bytes, as: UTF8.self).contains("cost"))
        }
    }

    @Test func inCSVNothingIsAFormula() throws {
        let line = text(.csv, try row(.limitedDataSet, providers: ["=example, transport"]))
        #expect(line.contains("\"'=Example, Transport\"") && line.hasSuffix("\r\n"))
        let head = TripRows(.csv).head(.limitedDataSet, minimumGroup: 1, generatedAt: "")
        let columns = String(decoding: head, as: UTF8.self).split(separator: ",").count
        #expect(columns == 24 && line.split(separator: ",", omittingEmptySubsequences: false).count == columns + 3)
    }
}
