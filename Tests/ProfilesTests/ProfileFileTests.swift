import Basics
import Profiles
import Rules
import StrictYAML
import TestSupport
import Testing
import Trips

struct ProfileFileTests {
    private static let zones: Set<String> = ["America/Los_Angeles", "America/New_York"]
    private static let minimal = "source: cad\ncolumns:\n  trip_id: Id\n  unit_notified_at: Sent\n"

    static func read(_ text: String, files: [String: String] = [:]) throws(ConfigurationErrors) -> Profile {
        try read(Array(text.utf8), files: files)
    }

    static func read(_ bytes: [UInt8], files: [String: String] = [:]) throws(ConfigurationErrors) -> Profile {
        struct Missing: Error {}
        return try ProfileFile.read(bytes, file: "profiles/test.yaml", isKnownZone: { zones.contains($0) }) { path in
            guard let text = files[path] else { throw Missing() }
            return Array(text.utf8)
        }
    }

    /// The errors as `line: message`.
    private static func complaints(_ text: String, files: [String: String] = [:]) -> [String] {
        do throws(ConfigurationErrors) {
            _ = try read(text, files: files)
            return []
        } catch {
            return error.errors.map { "\($0.line ?? 0): \($0.message)" }
        }
    }

    @Test func everyShippedProfileLoads() throws {
        let files = try Self.profilesOfTrips
        #expect(files.count >= 4)
        for file in files {
            let profile = try Self.read(try Repository.bytes(file))
            #expect(file == "data/profiles/\(profile.source).yaml")
        }
    }

    @Test func requiredFieldsMustHaveAColumn() throws {
        let text = Self.minimal + "constants: {region: North}\nrequired: "
        #expect(try Self.read(text + "[trip_id, unit_notified_at]\n").required == [.tripID, .unitNotifiedAt])
        #expect(try Self.read(Self.minimal).required == [])
        #expect(
            Self.complaints(text + "[cost, coast, region]\n") == [
                "6: cost is required and has no column", "6: unknown field “coast”",
                "6: region is required and has no column",
            ])
    }

    @Test func sanFranciscoIsReadAsAgreed() throws {
        let profile = try Self.read(try Repository.bytes("data/profiles/sf-fire-calls.yaml"))
        #expect(profile.columns[.tripID] == ["RowID"])
        #expect(profile.columns[.providerID] == ["Unit Type"])
        #expect(profile.zone == "America/Los_Angeles")
        #expect(
            profile.valueMaps[.tripType]
                == ValueMap(entries: ["3": "Emergency", "2": "Routine"], otherwise: "Unassigned"))
        #expect(profile.valueMaps[.region]?.entries.count == 10)
        #expect(profile.valueMaps[.region]?.entries["b09"] == "South")
        #expect(
            profile.filter
                == .all([
                    .test(FieldTest("Unit Type", .isIn(["MEDIC", "PRIVATE"]))),
                    .test(FieldTest("Transport DtTm", .present)),
                ]))
        #expect(profile.datePatterns.map(\.text) == ["MM/dd/yyyy hh:mm:ss a"])
        #expect(profile.intervalPairs.isEmpty)
    }

    @Test func vetRideMapsItsThirtyTwoColumns() throws {
        let header = """
            Trip ID,Vendor Trip ID,Trip Type,Passenger Member ID,Passenger,Phone Number,Mobility,Extra,\
            Estimated Pickup Time,Earliest Departure Time,Latest Arrival Time,Appointment Time,Buffer (minutes),\
            Pickup Address,Dropoff Address,Estimated Distance (miles),Third Party,Contract Name,Contract Number,Status,\
            Start Odometer,End Odometer,Start Time,End Time,Comments,VA Notes,Loaded Mileage,Wait Time (Minutes),\
            Unloaded Mileage,Invoice Number,Invoice Date,Actual Cost
            """.split(separator: ",").map(String.init)
        #expect(header.count == 32)
        let profile = try Self.read(try Repository.bytes("data/profiles/vetride.yaml"))
        let plain = try Profile.plain(header: header, source: "vetride")
        // That a column of estimates is one must be said by a profile.
        #expect(profile.columns[.estimatedMiles] == ["Estimated Distance (miles)"])
        for field in CanonicalField.allCases where field != .patientDOB && field != .estimatedMiles {
            let names = profile.columns[field] ?? []
            #expect(names.allSatisfy(header.contains), "\(field)")
            #expect(names == plain.columns[field] ?? [], "the header alone says the same of \(field)")
        }
        let mapped = PHIColumnCheck.mappedColumns(of: profile, in: header)
        #expect(PHIColumnCheck.findings(header: header, mapped: mapped, rows: []).isEmpty)
    }

    @Test func nemsisColumnsAreKnownWithAndWithoutTheirNames() throws {
        let profile = try Self.read(try Repository.bytes("data/profiles/nemsis.yaml"))
        for (field, names) in profile.columns where field != .status {
            for name in names { #expect(SynonymTable.standard.meaning(of: name)?.field == field, "\(name)") }
        }
        let header = ["eTimes.03 - Unit Notified", "Unit Left Scene (eTimes.09)", "ePatient.12"]
        #expect(PHIColumnCheck.mappedColumns(of: profile, in: header) == [0, 1])
    }

    private static var profilesOfTrips: [String] {
        get throws {
            try Repository.files(under: "data/profiles", withExtension: "yaml").filter { file in
                try !EventProfileFile.isOfEvents(Repository.bytes(file), file: file)
            }
        }
    }

    @Test func everyShippedProfileOfEventsLoads() throws {
        let all = Repository.files(under: "data/profiles", withExtension: "yaml")
        let events = try all.filter { try !Self.profilesOfTrips.contains($0) }
        #expect(events.count == 2)
        for file in events + ["data/samples/safepassage.yaml"] {
            let profile = try EventProfileFile.read(Repository.bytes(file), file: file, isKnownZone: { _ in true }) {
                try Repository.bytes($0)
            }
            #expect(profile.columns[.date]?.isEmpty == false, "\(file)")
            // Of a report no other column is read.
            let identifying: Set = ["description", "image", "notes"]
            #expect(identifying.isDisjoint(with: profile.columnNames), "\(file)")
        }
    }

    @Test func everyKeyOfAProfileOfEventsIsDocumented() throws {
        let page = try Repository.text("docs/events.md")
        for key in EventProfileFile.keys { #expect(page.contains("`\(key)`"), "\(key)") }
    }

    @Test func everyKeyIsDocumented() throws {
        let readme = try Repository.text("data/profiles/README.md")
        for key in ProfileFile.keys { #expect(readme.contains("`\(key)`"), "\(key)") }
    }

    @Test func estimatesAreMappedByNoShippedProfile() throws {
        var amounts = 0
        for file in try Self.profilesOfTrips {
            let columns = try Self.read(try Repository.bytes(file)).columns
            for name in [CanonicalField.cost, .loadedMiles, .unloadedMiles].flatMap({ columns[$0] ?? [] }) {
                #expect(!SynonymTable.isEstimate(HeaderName(name)), "\(file): \(name)")
                amounts += 1
            }
        }
        #expect(amounts > 3)
    }

    @Test func readsEveryKey() throws {
        let profile = try Self.read(
            """
            source: cad-north
            format: json
            encoding: utf-8
            records_path: data.trips
            columns: {trip_id: id, unit_notified_at: [times.sent, sent], region: county, status: state}
            constants: {provider_id: VA-1, trip_type: Emergency}
            dates: {patterns: [yyyyMMddHHmmss], fields: {unit_notified_at: M/d/yy H:mm}, zone: America/New_York}
            values: {status: {map: {Done: completed}, otherwise: void}, region: {map: {A: Alpha}}}
            lookups: [{column: zip, file: zips.csv, prefix_length: 3}, {column: site, table: {9A: Beta}}]
            filter: {present: id}
            units: {distance: km}
            decimal: comma
            intervals: {duration: [unit_notified_at, arrived_at]}
            max_interval_hours: 12.5
            max_reject: 0.25%
            max_unreadable: 2%
            accept_unreadable: [cost]
            max_miles: {ground: 600, air: 2000}
            missing: [see log, "0"]
            max_record_bytes: 4096
            regions: [Alpha, {name: Beta, from: 2025-01-01, to: 2025-12-31}]
            trip_types: [Emergency]
            """, files: ["profiles/zips.csv": "zone,key,region\r\nAmerica/Los_Angeles,\"941\",Alpha\r\n\r\n"])
        #expect(profile.recordsPath == ["data", "trips"])
        #expect(profile.decimalMark == .comma)
        #expect(profile.columns[.unitNotifiedAt] == ["times.sent", "sent"])
        #expect(profile.constants == [.providerID: "VA-1", .tripType: "Emergency"])
        #expect(profile.datePatternsByField[.unitNotifiedAt]?.map(\.text) == ["M/d/yy H:mm"])
        #expect(profile.valueMaps[.status] == ValueMap(entries: ["done": "completed"], otherwise: "void"))
        #expect(profile.lookups[0].regions == ["941": "Alpha"])
        #expect(profile.lookups[0].zones == ["941": "America/Los_Angeles"])
        #expect(profile.lookups[1].regions == ["9a": "Beta"])
        #expect(profile.distanceUnit == .kilometers)
        #expect(profile.intervalPairs[.duration] == EventPair(.unitNotified, .arrived))
        #expect(profile.maximumIntervalSeconds == 45_000)
        #expect(profile.maximumRejectPerMillion == 2_500)
        #expect(profile.maximumUnreadablePerMillion == 20_000 && profile.acceptedUnreadable == [.cost])
        #expect(profile.maximumMiles.ground == 600 && profile.maximumMiles.air == 2000)
        #expect(profile.missingWords == ["see log", "0"])
        #expect(profile.vocabulary.regions.names == ["Unassigned", "Alpha", "Beta"])
        #expect(profile.vocabulary.regionValidity[2]?.upperBound.description == "2025-12-31")
    }

    @Test(arguments: [
        ("colour: x\n", "5: unknown key “colour”"),
        ("values: {region: {map: {A: Nrth}}}\n", "5: region has values and no column"),
        ("values: {region: {map: {A: Nrth}}}\n", "5: unknown region “Nrth”"),
        ("dates: {zone: EST}\n", "5: unknown time zone “EST”"),
        ("dates: {patterns: [MM/dd/yyyy hh:mm]}\n", "5: the date pattern has a 12-hour 'h' without 'a' (AM or PM)"),
        ("dates:\n  fields: {cost: MM/dd/yyyy}\n", "6: “cost” is not allowed here"),
        ("dates: {patterns: [HH:mm]}\n", "5: the date pattern “HH:mm” has no year, month and day"),
        (
            "dates: {patterns: [yyyy-dd-MM]}\n",
            "5: “yyyy-dd-MM” has the day before the month, and 2025-03-04 is always read as ISO 8601 writes it"
        ),
        ("dates: {language: [de, xx]}\n", "5: unknown language “xx”"),
        ("dates: {zones: {EST: -5}}\n", "5: the zone EST has no offset"),
        ("dates: {zones: {E-T: \"-05:00\"}}\n", "5: “E-T” is no abbreviation of a zone"),
        ("max_reject: 1\n", "5: max_reject is not a percentage"),
        ("max_unreadable: 1\n", "5: max_unreadable is not a percentage"),
        ("accept_unreadable: [costs]\n", "5: unknown field “costs”"),
        ("max_reject: 101%\n", "5: max_reject is above 100%"),
        ("max_record_bytes: 12\n", "5: max_record_bytes is out of bounds"),
        ("max_interval_hours: -1\n", "5: max_interval_hours is out of bounds"),
        ("format: xls\n", "5: unknown format “xls”"),
        ("delimiter: x\n", "5: unknown delimiter"),
        ("format: ndjson\nheader_rows: 2\n", "6: a JSON file has no header_rows"),
        ("format: csv\nrecords_path: a.b\n", "6: a csv file has no records_path"),
        ("records_path: a..b\n", "5: the records_path has an empty step"),
        ("units: {distance: leagues}\n", "5: unknown unit of distance “leagues”"),
        (
            "intervals: {duration: [arrived_at, unit_notified_at]}\n",
            "5: arrived_at does not come before unit_notified_at"
        ),
        ("intervals: {wait: [arrived_at, completed_at]}\n", "5: unknown interval “wait”"),
        ("intervals: {scene: [arrived_at]}\n", "5: an interval has two ends"),
        ("constants: {patient_name: x}\n", "5: “patient_name” is not allowed here"),
        ("constants: {region: Middle}\n", "5: “Middle” is not a known region"),
        ("lookups: [{column: a}]\n", "5: a lookup needs a “file” or a “table”"),
        ("lookups: [{column: a, file: no.csv}]\n", "5: the file “profiles/no.csv” cannot be read"),
        ("lookups: [{column: a, table: {x: Mars}}]\n", "5: unknown region “Mars”"),
        ("regions: [\"A\u{A0}\"]\n", "5: a region needs a name of 1 to 64 characters"),
        ("regions: [\"\u{200B}A\"]\n", "5: a region needs a name of 1 to 64 characters"),
        ("regions: [A, a]\n", "5: the region “a” appears twice in the list"),
        ("regions: [All]\n", "5: “All” is a reserved name"),
        ("regions: [{name: A, from: 2026-02-30}]\n", "5: this is not a day of the calendar"),
        ("regions: [{name: A, from: 2026-02-03, to: 2026-02-01}]\n", "5: “to” lies before “from”"),
        ("trip_types: [{name: A, from: 2026-02-03}]\n", "5: unknown key “from”"),
    ]) func namesThePlaceOfAnError(lines: String, expected: String) {
        let complaints = Self.complaints(Self.minimal + lines)
        #expect(complaints.contains(expected), "\(complaints)")
    }

    @Test(arguments: [(32, 32, false), (60, 20, true)])
    func morePairsThanCanBePublishedAreRefused(regions: Int, types: Int, isRefused: Bool) {
        func list(_ letter: String, _ count: Int) -> String {
            (1...count).map { "\(letter)\($0)" }.joined(separator: ", ")
        }
        let complaints = Self.complaints(
            Self.minimal + "regions: [\(list("R", regions))]\ntrip_types: [\(list("K", types))]\n")
        #expect(complaints.contains { $0.contains("60 regions and 20 trip types make 1200 pairs") } == isRefused)
        #expect(isRefused || complaints.isEmpty)
    }

    @Test func columnsAreCheckedTogether() {
        let complaints = Self.complaints(
            """
            source: a b
            columns:
              trip_idd: Id
              cost: Amount
              loaded_miles: " amount "
              odometer_start: Start
            """)
        #expect(
            complaints == [
                "1: the source is not a plain name", "3: unknown field “trip_idd”", "3: no column is trip_id",
                "3: no column is a time or service_date", "3: an odometer needs both ends",
                "5: the column “ amount ” is used twice: for cost in line 4 and for loaded_miles",
            ])
    }

    @Test(arguments: [("km", true), ("miles", false)])
    func unitsOfChargeLinesAreMiles(unit: String, isWrong: Bool) {
        let complaints = Self.complaints(
            """
            source: bills
            records: lines
            units: {distance: \(unit)}
            columns: {trip_id: Id, service_date: Day, hcpcs_code: Code, cost: Paid, units: Units}
            """)
        let expected = ["4: a unit of A0425, A0435 and A0436 is a mile, and the distances of this profile are in km"]
        #expect(complaints == (isWrong ? expected : []))
    }

    @Test func dayAndMonthAreNotLeftToChance() {
        let complaints = Self.complaints(Self.minimal + "dates: {patterns: [MM/dd/yyyy, M/d/yyyy, dd/MM/yyyy]}\n")
        #expect(complaints.count == 1)
        #expect(complaints.first?.contains("one text fits") == true)
    }

    @Test func errorsOfALookupFileNameItsLine() {
        let text = Self.minimal + "lookups: [{column: zip, file: zips.csv}]\n"
        let csv =
            "key,region,zone\n941,North,\n941,South,\n942,Nowhere,\n943,,\n944,North,Mars/Base\n945\n\"946,North,\n"
        #expect(
            Self.complaints(text, files: ["profiles/zips.csv": csv]) == ["8: a quoted field is never closed"])
        #expect(
            Self.complaints(text, files: ["profiles/zips.csv": String(csv.split(separator: "\"")[0])]) == [
                "3: the key appears twice in the table", "4: unknown region “Nowhere”",
                "5: the row gives neither region nor zone", "6: unknown time zone “Mars/Base”",
                "7: the row has not as many fields as the header",
            ])
    }

    @Test func everyErrorSaysHowToMendIt() {
        let text = "sorce: x\ncolumns: {trip_id: a, cost: a}\nfilter: {presnt: x}\nformat: 3\n"
        do throws(ConfigurationErrors) {
            _ = try Self.read(text)
            Issue.record("the profile should not load")
        } catch {
            #expect(error.errors.count >= 5)
            #expect(error.errors.allSatisfy { !$0.hint.isEmpty && $0.line != nil && $0.column != nil })
        }
    }

    @Test func mutatedProfilesNeverCrash() throws {
        var random = SplitMix64(seed: 23)
        let seeds = try Repository.files(under: "data/profiles", withExtension: "yaml").map(Repository.bytes)
        let inserts = Array("{}[]:,-\n\"'#&*!| %\t0\u{0}é".utf8)
        var loaded = 0
        for round in 0..<3_000 {
            var bytes = seeds[round % seeds.count]
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: place)
                case 2: bytes.insert(inserts[Int.random(in: 0..<inserts.count, using: &random)], at: place)
                default: bytes.removeSubrange(place..<min(bytes.count, place + 40))
                }
                if bytes.isEmpty { bytes = [0x0A] }
            }
            if (try? Self.read(bytes)) != nil { loaded += 1 }
        }
        #expect(loaded > 0 && loaded < 3_000)
    }
}
