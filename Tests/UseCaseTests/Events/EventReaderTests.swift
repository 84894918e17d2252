import Basics
import Intake
import KPIs
import Profiles
import StrictYAML
import TestSupport
import Testing
import Trips

/// Exports of events by their profile: what is kept of a record, and what becomes of each.
@Suite struct EventReaderTests {
    private static let profile = """
        kind: events
        source: reports
        columns: {date: [when, day], kind: name, latitude: lat, longitude: lon, evacuation: toEvacuate, region: area}
        dates: {patterns: [M/d/yyyy], zone: America/New_York}
        values: {region: {map: {n: North}}}
        lookups: [{column: county, table: {kent: South}}]
        polygons: {file: regions.geojson, property: name}
        kinds: {bee swarm: Other, road work: Road closure}
        max_reject: 60%
        """

    private static let regions = """
        {"type": "FeatureCollection", "features": [{"type": "Feature", "properties": {"name": "east"},
         "geometry": {"type": "Polygon", "coordinates": [[[0, 0], [2, 0], [2, 2], [0, 2], [0, 0]]]}}]}
        """

    private static func read(_ profile: String = profile, regions: String = regions) throws -> EventProfile {
        try EventProfileFile.read(Array(profile.utf8), file: "p.yaml", isKnownZone: { $0.contains("/") }) { _ in
            Array(regions.utf8)
        }
    }

    private static func rows(_ text: String, as name: String) throws -> (rows: [String], EventReader.Outcome) {
        let outcome = try TemporaryFolder.with { folder in
            try EventReader(read()).read(path: folder.write(text, to: name))
        }
        let rows = outcome.tally.rows.map { row in
            "\(row.leaf.month) \(row.leaf.region) \(row.leaf.kind.rawValue) \(row.leaf.isEvacuation) \(row.events)"
        }
        return (rows, outcome)
    }

    @Test func recordsOfJSONBecomeCounts() throws {
        let text = """
            [{"when": "2026-03-01T02:00:00Z", "name": "FLOODED street", "lat": 1.5, "lon": 0.5, "toEvacuate": true},
             {"day": "3/5/2026", "name": "Road work ahead", "lat": "1", "lon": "1", "toEvacuate": "no"},
             {"when": 1772600000, "name": "a bee swarm on fire", "area": "N"},
             {"when": "2026-03-09", "name": null, "county": "Kent", "lat": 0, "lon": 0, "toEvacuate": "yes"},
             {"when": "soon", "name": "fire"}, 7]
            """
        let (rows, outcome) = try Self.rows(text, as: "e.json")
        #expect(
            rows == [
                "2026-02 East Flood true 1", "2026-03 East Road closure false 1", "2026-03 North Other false 1",
                "2026-03 South Other true 1",
            ])
        #expect(outcome.findings.counts.equation.hasPrefix("read 6 = added 4 "))
        #expect(outcome.findings.rejectsByReason == [.noUsableDate: 1, .notAnObject: 1])
        #expect(outcome.newestDay == CivilDay(year: 2026, month: 3, day: 9))
    }

    @Test func csvAndNDJSONAreReadAlike() throws {
        let csv = "day,name,lat,lon,toEvacuate,remark\n2026-01-02,storm,1,1,1,\"a, b\"\n2026-01-03,?,9,9,0,x\n"
        let lines = """
            {"day": "2026-01-02", "name": "storm", "lat": 1, "lon": 1, "toEvacuate": 1}
            {"day": "2026-01-03", "name": "?", "lat": 9, "lon": 9, "toEvacuate": 0}

            """
        let expected = ["2026-01 East Storm true 1", "2026-01 Unassigned Other false 1"]
        #expect(try Self.rows(csv, as: "e.csv").rows == expected)
        let (rows, outcome) = try Self.rows(lines, as: "e.ndjson")
        #expect(rows == expected)
        #expect(outcome.withoutRegion == 1 && outcome.ofOtherKind == 1)
    }

    @Test func aFileWithoutADateColumnIsRefused() throws {
        #expect(throws: (any Error).self) { try Self.rows("name,lat\nfire,1\n", as: "e.csv") }
    }

    @Test func tooManyRejectedRecordsRefuseTheFile() throws {
        let text = "day,name\n" + String(repeating: "soon,fire\n", count: 9) + "2026-01-02,fire\n"
        #expect(throws: (any Error).self) { try Self.rows(text, as: "e.csv") }
    }

    @Test func theWordsOfATextDecideItsKind() {
        let words = EventWords([("bridge work", .roadClosure)])
        #expect(words.kind(of: "Bridge-work on I-95") == .roadClosure)
        #expect(words.kind(of: "Firefly festival") == .other)
        #expect(words.kind(of: "Fire!") == .fire)
        #expect(words.kind(of: "Gas leak and fire") == .hazardousMaterial)
        #expect(words.kind(of: "") == .other)
    }

    @Test(arguments: [
        ("source: reports\ncolumns: {date: d}", "this profile is not of events"),
        ("kind: events\nsource: reports\ncolumns: {kind: name}", "no column is the date"),
        ("kind: events\nsource: reports\ncolumns: {date: d, latitude: a}", "a place needs both coordinates"),
        (
            "kind: events\nsource: reports\ncolumns: {date: d}\npolygons: {file: x, property: name}",
            "polygons need coordinates"
        ),
        ("kind: events\nsource: reports\ncolumns: {date: d}\nkinds: {x: Dragon}", "unknown kind of event"),
        ("kind: events\nsource: reports\ncolumns: {date: d, cost: c}", "unknown field of events"),
        ("kind: events\nsource: reports\ncolumns: {date: d}\neach_export: all", "unknown each_export"),
    ])
    func aWrongProfileIsAnError(_ profile: String, _ message: String) throws {
        let error = #expect(throws: ConfigurationErrors.self) { try Self.read(profile) }
        #expect(error?.description.contains(message) == true)
    }

    @Test(arguments: [
        "[]", "{\"type\": \"FeatureCollection\", \"features\": []}",
        regions.replacing("east", with: "Atlantis"), regions.replacing("[0, 2], [0, 0]", with: "[0, 2]"),
        regions.replacing("\"Polygon\"", with: "\"Point\""), regions.replacing("[2, 2]", with: "[2, 200]"),
        // From 170 degrees east to 170 degrees west: the short way crosses the 180th meridian.
        regions.replacing(
            "[[0, 0], [2, 0], [2, 2], [0, 2], [0, 0]]", with: "[[170, 0], [-170, 0], [-170, 2], [170, 2], [170, 0]]"),
    ])
    func aWrongPolygonFileIsAnError(_ regions: String) {
        #expect(throws: ConfigurationErrors.self) { try Self.read(regions: regions) }
    }

    @Test func aProfileOfEventsIsNoneOfTrips() {
        #expect(throws: ConfigurationErrors.self) {
            try ProfileFile.read(Array(Self.profile.utf8), file: "p.yaml", isKnownZone: { _ in true }) { _ in [] }
        }
    }
}
