import Foundation
import Profiles
import StrictYAML
import TestSupport
import Testing
import Trips

struct ProfileSuggestionTests {
    private static let header = [
        "Trip ID", "Status", "Trip Type", "Start Time", "End Time", "Actual Cost", "Est Cost", "Loaded Mileage",
        "Passenger", "Paitent DOB", "Free Words", "Contract Numbr",
    ]

    private static func rows(_ start: (Int) -> String) -> [[String]] {
        (1...30).map { row in
            [
                "T\(row)", row % 5 == 0 ? "No Show" : "Completed", row % 2 == 0 ? "Zig" : "Routine", start(row),
                start(row), "$1,0\(row + 10).50", "9", "\(row).5", "Qqq\(row) Zzz", "19\(row + 40)-01-01",
                "call (555) 555-0100 or nobody\(row)@example.invalid", "C\(row)",
            ]
        }
    }

    private static func load(_ yaml: String) throws -> Profile {
        try ProfileFileTests.read(yaml)
    }

    @Test func theProposalLoadsAsAProfile() throws {
        let rows = Self.rows { "\($0 % 12 + 1)/\($0 % 28 + 1)/2026 1:0\($0 % 10) PM" }
        let suggestion = ProfileSuggestion(header: Self.header, rows: rows, source: "x")
        #expect(suggestion.problems.isEmpty)
        let profile = try Self.load(suggestion.yaml)
        #expect(profile.columns[.tripID] == ["Trip ID"])
        #expect(profile.columns[.leftSceneAt] == ["Start Time"])
        #expect(profile.columns[.cost] == ["Actual Cost"])
        #expect(profile.columns[.patientDOB] == ["Paitent DOB"])
        #expect(profile.columns[.contractNumber] == ["Contract Numbr"])
        #expect(profile.datePatterns.map(\.text) == ["M/d/yyyy h:mm a"])
        #expect(profile.zone == nil)
        #expect(profile.valueMaps[.status]?.entries == StandardValues.status)
        #expect(profile.valueMaps[.tripType]?.entries == ["routine": "Routine"])
        #expect(suggestion.yaml.contains("# Not shown, since a value may be a name or an address: 1."))
        #expect(suggestion.yaml.contains("\"Aaa\"") && !suggestion.yaml.contains("Zig"))
    }

    @Test func nothingOfAPersonIsShown() {
        let rows = Self.rows { "\($0 % 12 + 1)/\($0 % 28 + 1)/2026 1:0\($0 % 10) PM" }
        let yaml = ProfileSuggestion(header: Self.header, rows: rows, source: "x").yaml
        for row in rows {
            for index in [0, 3, 5, 8, 9, 10, 11] { #expect(!yaml.contains(row[index]), "column \(index + 1)") }
        }
        #expect(yaml.contains("column 11: e-mail address (by its values)") || yaml.contains("column 11: phone"))
    }

    @Test func dayAndMonthAreNotGuessed() throws {
        let rows = Self.rows { "0\($0 % 9 + 1)/0\($0 % 8 + 1)/2026 13:00" }
        let suggestion = ProfileSuggestion(header: Self.header, rows: rows, source: "x")
        #expect(suggestion.yaml.contains("# - \"MM/dd/yyyy HH:mm\""))
        #expect(suggestion.yaml.contains("# - \"dd/MM/yyyy HH:mm\""))
        #expect(suggestion.problems.contains { $0.contains("day and month") })
        #expect(try Self.load(suggestion.yaml).datePatterns.isEmpty)
    }

    @Test func aDayAboveTwelveSettlesIt() throws {
        let rows = Self.rows { "\($0 % 28 + 1)/01/2026 13:00" }
        let suggestion = ProfileSuggestion(header: Self.header, rows: rows, source: "x")
        #expect(try Self.load(suggestion.yaml).datePatterns.map(\.isDayFirst) == [true])
    }

    @Test func rivalsAreLeftToBeSettled() {
        let header = ["Trip ID", "Start Time", "Trip Cost", "Full Fare"]
        let rows = (1...9).map { ["T\($0)", "2026-01-0\($0)T10:00:00Z", "1.00", "2.00"] }
        let yaml = ProfileSuggestion(header: header, rows: rows, source: "x").yaml
        #expect(yaml.contains("\n  # cost: \"Trip Cost\"") && yaml.contains("\n  # cost: \"Full Fare\""))
        #expect(yaml.contains("choose one"))
    }

    /// Ten are a small count; eleven are not.
    @Test(arguments: [(10, false), (11, true)]) func aRareValueIsNotShown(count: Int, isShown: Bool) {
        var rows = Self.rows { "\($0 % 28 + 1)/01/2026 13:00" }
        for index in rows.indices { rows[index][8] = "Person \(index)" }
        for row in 0..<count { rows[row][2] = "Code 3 Urgent" }
        let yaml = ProfileSuggestion(header: Self.header, rows: rows, source: "x").yaml
        #expect(yaml.contains("Code 3 Urgent") == isShown)
    }

    @Test(arguments: ["Patient Response Zone", "Client Response Zone", "Veteran Service Area"])
    func noValueOfAColumnOfPersonsIsShown(name: String) {
        let header = ["Trip ID", "Start Time", name]
        let rows = (1...40).map { ["T\($0)", "2026-01-01T10:00:00Z", "Wwwwww Xxxxx"] }
        #expect(!ProfileSuggestion(header: header, rows: rows, source: "x").yaml.contains("Wwwwww"))
    }

    /// A phone number, a long number and a date are no regions, however often they occur.
    @Test(arguments: ["555-555-0142", "12345678", "2026-01-01", "nobody@example.invalid"])
    func noIdentifierIsShownAsARegion(value: String) {
        let rows = (1...40).map { ["T\($0)", "2026-01-01T10:00:00Z", $0 > 20 ? value : "Uptown"] }
        let header = ["Trip ID", "Start Time", "County"]
        #expect(!ProfileSuggestion(header: header, rows: rows, source: "x").yaml.contains(value))
    }

    /// A name that looks like a value is not shown, and its column is not proposed.
    @Test func aColumnWhoseNameIsNotShownIsNotMapped() throws {
        let header = ["Trip ID", "Start Time", "End Time", "Status", "Response Zone 1234567"]
        let rows = (1...40).map { ["T\($0)", "2026-01-01T10:00:00Z", "2026-01-01T11:00:00Z", "Completed", "Uptown"] }
        let suggestion = ProfileSuggestion(header: header, rows: rows, source: "x")
        #expect(!suggestion.yaml.contains("1234567") && !suggestion.yaml.contains("Uptown"))
        #expect(try Self.load(suggestion.yaml).columns[.region] == nil)
    }

    @Test func observedRegionsBecomeTheListOfRegions() throws {
        let rows = (1...60).map { ["T\($0)", "2026-01-01T10:00:00Z", ["Uptown", "Lakeside", "Zone 3"][$0 % 3]] }
        let suggestion = ProfileSuggestion(header: ["Trip ID", "Start Time", "County"], rows: rows, source: "x")
        let profile = try Self.load(suggestion.yaml)
        #expect(profile.columns[.region] == ["County"])
        #expect(profile.vocabulary.regions.names == ["Unassigned", "Lakeside", "Uptown", "Zone 3"])
        #expect(suggestion.yaml.contains("region: \"County\"  # ? column 3"))
    }

    /// The first time was called "dispatch", but a column of times lies between it and the next event.
    @Test func aDispatchBeforeAnUnknownTimeIsADoubt() {
        func isDoubtful(_ name: String, minutes: Int) -> Bool {
            let rows = (10..<40).map { row in
                ["T\(row)"] + [0, minutes, 5, 9].map { "2026-01-01T10:\(row + $0):00Z" }
            }
            let header = ["Trip ID", "Dispatch Time", name, "En Route", "On Scene"]
            return ProfileSuggestion(header: header, rows: rows, source: "x").columns[1].isDoubtful
        }
        #expect(isDoubtful("Beeper", minutes: 2))
        #expect(!isDoubtful("Beeper", minutes: 7))
        #expect(!isDoubtful("Call Entry", minutes: 2))
    }

    @Test func eventsOutOfOrderAreADoubt() {
        let rows = (10..<40).map { ["T\($0)", "2026-01-01T10:\($0):00Z", "2026-01-01T09:\($0):00Z"] }
        let suggestion = ProfileSuggestion(header: ["Trip ID", "En Route", "On Scene"], rows: rows, source: "x")
        #expect(suggestion.columns.map(\.isDoubtful) == [false, true, true])
        #expect(suggestion.columns.allSatisfy { $0.isProposed })
    }

    /// One column shows which number is the day; the others are written likewise.
    @Test func dayAndMonthOfOneColumnSettleThoseOfAnother() throws {
        let header = ["Trip ID", "Start Time", "End Time"]
        let rows = (1...30).map { ["T\($0)", "02/0\($0 % 9 + 1)/2026 10:00", "02/\($0 % 15 + 10)/2026 11:00"] }
        let suggestion = ProfileSuggestion(header: header, rows: rows, source: "x")
        #expect(suggestion.problems.isEmpty)
        #expect(suggestion.columns.map(\.isDoubtful) == [false, true, false])
        #expect(try Self.load(suggestion.yaml).datePatterns.map(\.text) == ["MM/dd/yyyy HH:mm"])
    }

    /// 25.12.2026 says nothing of how 02/03/2026 is written.
    @Test func aColumnWrittenOtherwiseSettlesNothing() throws {
        let header = ["Trip ID", "Start Time", "End Time"]
        let rows = (1...30).map { ["T\($0)", "02/0\($0 % 9 + 1)/2026 10:00", "\($0 % 15 + 10).02.2026 11:00"] }
        let suggestion = ProfileSuggestion(header: header, rows: rows, source: "x")
        #expect(suggestion.problems.contains { $0.contains("day and month") })
        #expect(suggestion.columns[1].isDoubtful)
        #expect(try Self.load(suggestion.yaml).datePatterns.map(\.text) == ["dd.MM.yyyy HH:mm"])
    }

    @Test(arguments: ["N/A", "--", "0000-00-00", "00/00/0000 00:00", "NULL", "unknown"])
    func textsForNoValueDecideNoShape(filler: String) {
        let rows = (1...60).map { ["T\($0)", $0 % 2 == 0 ? filler : "02/\($0 % 15 + 10)/2026 11:00"] }
        let suggestion = ProfileSuggestion(header: ["Trip ID", "Start Time"], rows: rows, source: "x")
        #expect(suggestion.columns[1].isProposed && suggestion.problems.isEmpty)
        #expect(suggestion.yaml.contains("MM/dd/yyyy HH:mm"))
    }

    @Test(arguments: ["Carrier", "Company", "Amount Due", "Mileage"]) func aNameOfSeveralMeaningsIsADoubt(name: String)
    {
        let rows = (1...30).map { ["T\($0)", "2026-01-01T10:00:00Z", "1\($0).5"] }
        let suggestion = ProfileSuggestion(header: ["Trip ID", "Start Time", name], rows: rows, source: "x")
        #expect(suggestion.columns[2].isProposed && suggestion.columns[2].isDoubtful)
        #expect(SynonymTable.standard.meaning(of: name) == nil)
    }

    /// Time that grows with the square of the columns would be 16 times as much.
    @Test func fourTimesTheColumnsTakeSomeFourTimesTheTime() {
        func processorSeconds(columns: Int) -> Double {
            let names = (0..<columns).map { "Checkpoint \($0) Reached Somewhere" }
            let rows = (10..<110).map { row in
                ["T\(row)", "2026-01-01T10:00:00Z"]
                    + names.indices.map { "2026-01-02T1\($0 % 10):\(row % 50 + 10):00.000-05:00" }
            }
            let start = Self.processorSeconds()
            let suggestion = ProfileSuggestion(header: ["Trip ID", "Start Time"] + names, rows: rows, source: "x")
            #expect(suggestion.columns.count == columns + 2 && suggestion.problems.isEmpty)
            return Self.processorSeconds() - start
        }
        let few = processorSeconds(columns: 500), many = processorSeconds(columns: 2000)
        #expect(many < 10 * few, "\(few) s, \(many) s")
    }

    /// Of this thread: other tests and programs do not count.
    private static func processorSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    @Test func aFileWithoutHeaderShowsNothingOfItsFirstRow() {
        let first = ["e0e0e0e0-0000-0000-0000-000000000000", "1901-01-01", "000-00-0000", "Qqq901", "Zzzstreet 5"]
        let rows = (1...9).map { ["x\($0)", "190\($0)-01-01", "000-00-000\($0)", "Qqq90\($0)", "Zzzstreet \($0)"] }
        let suggestion = ProfileSuggestion(header: first, rows: rows, source: "x")
        #expect(suggestion.isHeaderless)
        #expect(suggestion.findings.map(\.position).contains(3))
        for cell in first + rows.joined() { #expect(!suggestion.yaml.contains(cell)) }
    }

    @Test func aSecondHeaderRowIsSeen() {
        let second = ["trip id", "status word", "trip type code", "start time of day", "end time of day"]
        let rows = [second] + Self.rows { "\($0 % 28 + 1)/01/2026 13:00" }
        let suggestion = ProfileSuggestion(header: Self.header, rows: rows, source: "x")
        #expect(suggestion.hasSecondHeaderRow)
        #expect(suggestion.yaml.contains("header_rows: 2"))
    }

    @Test func anyHeaderAndValuesGiveAProfileOrComments() throws {
        var random = SplitMix64(seed: 24)
        var proposals = 0
        let cells = Array("aT\"\\:#-{}\n\t\u{0}\u{2028}é 1/20@'&*%".unicodeScalars)
        for _ in 0..<300 {
            func cell() -> String {
                let scalars = (0..<Int.random(in: 0...12, using: &random)).map { _ in
                    cells[Int.random(in: 0..<cells.count, using: &random)]
                }
                return String(String.UnicodeScalarView(scalars))
            }
            let header = ["Trip ID", "Start Time", "Status", "Status " + cell(), cell(), cell(), "Cost " + cell()]
            let rows = (1...8).map { _ in ["T", "2026-01-01T00:00:00Z", cell(), cell(), cell(), cell(), cell()] }
            let suggestion = ProfileSuggestion(header: header, rows: rows, source: "x")
            guard !suggestion.isHeaderless else {
                #expect(suggestion.yaml.split(separator: "\n").allSatisfy { $0.hasPrefix("#") }, "\(suggestion.yaml)")
                continue
            }
            // Comments or not, it is a YAML file with a source.
            let file = try YAMLValue.parse(bytes: Array(suggestion.yaml.utf8), file: "suggestion.yaml")
            #expect(try file.entries().map(\.key).contains("source"), "\(suggestion.yaml)")
            // The trip's id and its time are plain, whatever stands beside them; a status has values that must be mapped.
            #expect(
                suggestion.problems.allSatisfy { $0.contains("values of the status") },
                "\(suggestion.problems) \(header)")
            let profile = try Self.load(suggestion.yaml)
            #expect(profile.columns[.tripID] == ["Trip ID"], "\(header)")
            proposals += 1
        }
        #expect(proposals > 250, "\(proposals)")
    }

    /// A slip such as 99/99/9999 does not make a column of dates one of text; a second way of writing does.
    @Test(arguments: [("99/99/9999 99:99", true), ("25/06/2024 07:00", false)])
    func oneUnreadableDateInAHundredIsASlip(odd: String, isProposed: Bool) {
        var rows = (10..<110).map { ["T\($0)", "06/\(13 + $0 % 15)/2024 07:00"] }
        rows[50][1] = odd
        let suggestion = ProfileSuggestion(header: ["trip_id", "arrived_at"], rows: rows, source: "test")
        #expect(suggestion.columns[1].isProposed == isProposed)
    }

    @Test(.enabled(if: SharedData.isPresent, "\(SharedData.hint)")) func sanFranciscoIsMostlyRecognised() throws {
        let (header, rows) = try Self.shared("sf_fire_calls_2020-04.csv.gz", every: 20)
        let suggestion = ProfileSuggestion(header: header, rows: rows, source: "sf")
        let profile = try Self.load(suggestion.yaml)
        #expect(profile.columns[.tripID] == ["RowID"])
        #expect(profile.columns[.unitNotifiedAt] == ["Dispatch DtTm"])
        #expect(profile.datePatterns.map(\.text).contains("MM/dd/yyyy hh:mm:ss a"))
        Self.expectNothingIdentifying(in: suggestion.yaml, rows: rows, columns: [0, 1, 2, 6, 15, 32, 33])
    }

    @Test(.enabled(if: SharedData.isPresent, "\(SharedData.hint)")) func indianaLacksATripIDAndTimesOfDay() throws {
        let (header, rows) = try Self.shared("indiana_ems_sample_2025.csv.gz")
        let suggestion = ProfileSuggestion(header: header, rows: rows, source: "indiana")
        #expect(suggestion.problems.isEmpty && suggestion.yaml.contains("\n  trip_id: none  #"))
        #expect(suggestion.yaml.contains("\n  service_date: \"INCIDENT_DT\""))
        #expect(suggestion.yaml.contains("\n  # unit_notified_at: \"UNIT_NOTIFIED_BY_DISPATCH_DT\""))
    }

    @Test(.enabled(if: SharedData.isPresent, "\(SharedData.hint)")) func syntheaHasNoHeaderAndShowsNobody() throws {
        let (header, rows) = try Self.shared("synthea_patients.csv.gz")
        let suggestion = ProfileSuggestion(header: header, rows: rows, source: "synthea")
        #expect(suggestion.isHeaderless)
        #expect(suggestion.findings.contains { $0.sign == .socialSecurityNumber && $0.position == 4 })
        Self.expectNothingIdentifying(in: suggestion.yaml, rows: [header] + rows, columns: Array(0..<20))
        let error = #expect(throws: PlainHeaderError.self) { try Profile.plain(header: header, source: "synthea") }
        Self.expectNothingIdentifying(in: "\(String(describing: error))", rows: [header], columns: Array(0..<20))
    }

    private static func expectNothingIdentifying(in text: String, rows: [[String]], columns: [Int]) {
        for row in rows {
            for column in columns where row.indices.contains(column) && row[column].utf8.count >= 5 {
                #expect(!text.contains(row[column]), "a value of column \(column + 1)")
            }
        }
    }

    /// The first rows of a file of the shared data: quoted fields without line ends in them.
    private static func shared(_ name: String, every step: Int = 1) throws -> (header: [String], rows: [[String]]) {
        let path = try #require(SharedData.path("data/" + name))
        let gzip = try CommandRunner(executable: URL(fileURLWithPath: "/usr/bin/gzip"))
        let text = try gzip.run(["-dc", path]).stdoutText
        let lines = text.split(whereSeparator: \.isNewline)
        let rows = stride(from: 0, to: lines.count, by: step).prefix(600).map { index in
            let line = lines[index]
            var fields = [""]
            var isQuoted = false
            for character in line {
                switch character {
                case "\"": isQuoted.toggle()
                case "," where !isQuoted: fields.append("")
                default: fields[fields.count - 1].append(character)
                }
            }
            return fields
        }
        return (try #require(rows.first), Array(rows.dropFirst()))
    }
}

extension DatePattern {
    fileprivate var isDayFirst: Bool {
        if case .day = pieces.first { true } else { false }
    }
}
