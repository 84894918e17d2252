import Basics
import Profiles
import StrictYAML
import TestSupport
import Testing
import Trips

/// A proposed profile reads the times that it was proposed for, as they were meant.
struct SuggestedTimesTests {
    /// A time of 2024, by its parts.
    private struct Moment {
        let day: CivilDay
        let second: Int

        init(_ random: inout SplitMix64) {
            day = CivilDay(daysSince1970: Int32.random(in: 19_723...20_088, using: &random))
            second = Int.random(in: 0..<86_400, using: &random)
        }

        var localSeconds: Int { Int(day.daysSince1970) * 86_400 + second }
        var year: Int { day.components.year }
        var month: Int { day.components.month }
        var dayOfMonth: Int { day.components.day }
        var hour: Int { second / 3600 }
        var clock: String { "\(two(hour)):\(two(second / 60 % 60)):\(two(second % 60))" }
        var clock12: String { "\((hour + 11) % 12 + 1):\(two(second / 60 % 60)):\(two(second % 60))" }
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    }

    private static let english = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    private static let french = [
        "janv.", "févr.", "mars", "avr.", "mai", "juin", "juil.", "août", "sept.", "oct.", "nov.", "déc.",
    ]
    private static let german = ["Jan", "Feb", "Mär", "Apr", "Mai", "Jun", "Jul", "Aug", "Sep", "Okt", "Nov", "Dez"]

    private struct Form: CustomTestStringConvertible {
        let testDescription: String
        let write: @Sendable (Moment) -> String

        init(_ name: String, _ write: @escaping @Sendable (Moment) -> String) {
            testDescription = name
            self.write = write
        }
    }

    private static let forms = [
        Form("month first") { "\($0.month)/\($0.dayOfMonth)/\($0.year) \($0.clock)" },
        Form("day first") { "\($0.two($0.dayOfMonth)).\($0.two($0.month)).\($0.year) \($0.clock)" },
        Form("SAS") {
            "\($0.two($0.dayOfMonth))\(english[$0.month - 1].uppercased())\($0.year):\($0.clock)"
        },
        Form("two-digit year") { "\($0.two($0.month))-\($0.two($0.dayOfMonth))-\($0.year % 100) \($0.clock)" },
        Form("slashes, year first") { "\($0.year)/\($0.two($0.month))/\($0.two($0.dayOfMonth)) \($0.clock)" },
        Form("a.m.") { "\($0.month)/\($0.dayOfMonth)/\($0.year) \($0.clock12) \($0.hour < 12 ? "a.m." : "P.M.")" },
        Form("am, no blank") {
            "\($0.two($0.month))/\($0.two($0.dayOfMonth))/\($0.year) \($0.clock12)\($0.hour < 12 ? "am" : "pm")"
        },
        Form("comma before the time") { "\($0.dayOfMonth)/\($0.month)/\($0.year), \($0.clock)" },
        Form("English month") {
            "\($0.two($0.dayOfMonth))-\(english[$0.month - 1].uppercased())-\($0.year) \($0.clock)"
        },
        Form("French month") { "\($0.dayOfMonth) \(french[$0.month - 1]) \($0.year) \($0.clock)" },
        Form("German month") { "\($0.dayOfMonth). \(german[$0.month - 1]) \($0.year) \($0.clock)" },
        Form("weekday") { "Sun, \($0.dayOfMonth) \(english[$0.month - 1]) \($0.year) \($0.clock)" },
        Form("ctime") { "Sun \(english[$0.month - 1]) \($0.dayOfMonth) \($0.clock) \($0.year)" },
        Form("month, day, year") { "\(english[$0.month - 1]) \($0.dayOfMonth), \($0.year) \($0.clock)" },
        Form("fourteen digits") {
            "\($0.year)\($0.two($0.month))\($0.two($0.dayOfMonth))\($0.clock.replacing(":", with: ""))"
        },
        Form("digits, blank, digits") {
            "\($0.year)\($0.two($0.month))\($0.two($0.dayOfMonth)) \($0.clock.replacing(":", with: ""))"
        },
        Form("milliseconds") { "\($0.two($0.month))/\($0.two($0.dayOfMonth))/\($0.year) \($0.clock).123" },
        Form("basic ISO") {
            "\($0.year)\($0.two($0.month))\($0.two($0.dayOfMonth))T\($0.clock.replacing(":", with: ""))"
        },
        Form("epoch") { "\($0.localSeconds)" }, Form("epoch, float") { "\($0.localSeconds).0" },
        Form("milliseconds since 1970") { "\($0.localSeconds)250" }, Form(".NET") { "/Date(\($0.localSeconds)000)/" },
        Form("serial") { moment in
            let millionths = (moment.second * 1_000_000 + 43_200) / 86_400
            return "\(Int(moment.day.daysSince1970) + 25_569).\(String(1_000_000 + millionths).dropFirst())"
        },
        Form("two forms") { moment in
            moment.second % 3 == 0
                ? "\(moment.month)/\(moment.dayOfMonth)/\(moment.year) \(moment.clock)"
                : "\(moment.day) \(moment.clock)"
        },
        Form("three forms") { moment in
            switch moment.second % 3 {
            case 0: "\(moment.two(moment.month))/\(moment.two(moment.dayOfMonth))/\(moment.year) \(moment.clock)"
            case 1: "\(moment.two(moment.dayOfMonth))-\(english[moment.month - 1])-\(moment.year) \(moment.clock)"
            default: "\(moment.localSeconds)"
            }
        },
        Form("EST") { "\($0.day) \($0.clock) EST" }, Form("GMT") { "\($0.day) \($0.clock) GMT-0500" },
    ]

    @Test(arguments: forms) private func aProposedProfileReadsTheTimesAsTheyWereMeant(form: Form) throws {
        var random = SplitMix64(seed: 0x5A6)
        let moments = (0..<200).map { _ in Moment(&random) }
        let rows = moments.enumerated().map { ["T\($0)", form.write($1), form.write($1)] }
        let header = ["trip_id", "unit_notified_at", "on_scene_at"]
        // A number may be one form of several only in a column of its own.
        if form.testDescription == "three forms" { return }
        let suggestion = ProfileSuggestion(header: header, rows: rows, source: "x")
        #expect(suggestion.problems.isEmpty, "\(suggestion.problems)")
        let profile = try ProfileFileTests.read(suggestion.yaml)
        #expect(profile.columns[.onSceneAt] == ["on_scene_at"], "\(suggestion.yaml)")
        let forms = profile.timeForms(of: .unitNotifiedAt)
        for (moment, row) in zip(moments, rows) {
            guard case .time(let time) = forms.reading(row[1]) else {
                Issue.record("\(row[1]) is not read")
                continue
            }
            #expect(time.localSeconds == moment.localSeconds && time.hasTime, "\(row[1])")
        }
    }

    @Test func aZoneOfSeveralMeaningsAsks() throws {
        let rows = (10..<50).map { ["T\($0)", "2025-01-05 10:\($0):00 AST"] }
        let suggestion = ProfileSuggestion(header: ["trip_id", "unit_notified_at"], rows: rows, source: "x")
        #expect(suggestion.problems.contains { $0.contains("AST (Atlantic, Arabia)") && $0.contains("zones: {AST:") })
        let other = ProfileSuggestion(
            header: ["trip_id", "unit_notified_at"], rows: rows.map { [$0[0], $0[1].replacing("AST", with: "QQX")] },
            source: "x")
        #expect(other.problems.contains { $0.contains("zones: {") } && !other.yaml.contains("QQX"))
    }

    @Test(arguments: ["HH:mm:ss", "h:mm a", "HHmm", "HHmmss"])
    func timesOfDayGetTheColumnOfTheirDate(form: String) throws {
        let rows = (0..<60).map { number -> [String] in
            let hour = number * 7 % 24, minute = number * 11 % 60
            let two = { (number: Int) in number < 10 ? "0\(number)" : "\(number)" }
            let clock =
                switch form {
                case "HH:mm:ss": "\(two(hour)):\(two(minute)):00"
                case "h:mm a": "\((hour + 11) % 12 + 1):\(two(minute)) \(hour < 12 ? "AM" : "PM")"
                // As a spreadsheet writes a number.
                case "HHmm": "\(hour * 100 + minute)"
                default: "\((hour * 100 + minute) * 100)"
                }
            return ["T\(number)", "1/\(number % 28 + 1)/2025", "2/\(number % 28 + 1)/1950", clock, clock]
        }
        let header = ["Trip ID", "Incident Date", "DOB", "Time Dispatched", "Time On Scene"]
        let suggestion = ProfileSuggestion(header: header, rows: rows, source: "x")
        #expect(suggestion.problems.isEmpty, "\(suggestion.yaml)")
        let profile = try ProfileFileTests.read(suggestion.yaml)
        #expect(profile.dateSource == .column("Incident Date"), "\(suggestion.yaml)")
        let forms = profile.timeForms(of: .onSceneAt)
        // A single 0 is what systems write where there is no time.
        for (number, row) in rows.enumerated() where row[3] != "0" {
            let second = (number * 7 % 24) * 3600 + (number * 11 % 60) * 60
            guard case .clock(let clock) = forms.reading(row[3]) else {
                Issue.record("\(row[3]) is not read")
                continue
            }
            #expect(clock.localSeconds == second, "\(row[3])")
        }
    }

    @Test func eachTimeMayHaveItsOwnDateOrTheDateThreeColumns() throws {
        let own = (10..<50).map { ["T\($0)", "2025-01-05", "23:\($0):00", "2025-01-06", "00:\($0):00"] }
        let header = ["Trip ID", "Dispatch Date", "Dispatch Time", "On Scene Date", "On Scene Time"]
        let first = try ProfileFileTests.read(ProfileSuggestion(header: header, rows: own, source: "x").yaml)
        #expect(first.dateColumns == [.unitNotifiedAt: "Dispatch Date", .onSceneAt: "On Scene Date"])
        let parts = (10..<50).map { ["T\($0)", "2025", "1", "\($0 % 28 + 1)", "23:\($0):00"] }
        let second = try ProfileFileTests.read(
            ProfileSuggestion(header: ["Trip ID", "Year", "Month", "Day", "Dispatch Time"], rows: parts, source: "x")
                .yaml)
        #expect(second.dateSource == .parts(year: "Year", month: "Month", day: "Day"))
    }

    /// All hours of the sample may have two digits, and later ones one.
    @Test func hoursWithoutAZeroBeforeThemMayHaveOneDigit() throws {
        let rows = (10..<50).map { ["T\($0)", "2025-01-05", "11:\($0) PM"] }
        let suggestion = ProfileSuggestion(header: ["Trip ID", "Date", "Dispatch Time"], rows: rows, source: "x")
        #expect(try ProfileFileTests.read(suggestion.yaml).datePatterns.map(\.text) == ["h:mm a"])
    }

    @Test func timesOfDayWithoutADateAreNotProposed() {
        let rows = (10..<50).map { ["T\($0)", "10:\($0):00"] }
        let suggestion = ProfileSuggestion(header: ["Trip ID", "Dispatch Time"], rows: rows, source: "x")
        #expect(!suggestion.columns[1].isProposed && suggestion.yaml.contains("no column has their date"))
    }

    @Test(arguments: [
        ("response_seconds", "510", StatedInterval.Unit.seconds), ("Response Time (min)", "8.5", .minutes),
        ("Response Interval", "8:30", .clock), ("Response Time", "0:08:30", .clock),
        ("Response Time (hh:mm)", "00:08", .hoursMinutes), ("Response Time", "00:08", .hoursMinutes),
        ("Response Time", "8:30", .clock), ("Response Time", "510", .seconds), ("Response Time", "8", .minutes),
        ("Response Time", "8.5", .minutes), ("Response Time (hrs)", "0.1417", .hours),
        ("Response Time", "0.005902778", .days), ("Response Time", "0 days 00:08:30", .clock),
        ("Response Time", "8m 30s", .clock), ("Response Time", "8 min 30 s", .clock),
        ("Response Time", "PT8M30S", .clock),
    ]) func statedIntervalsAreProposed(name: String, value: String, unit: StatedInterval.Unit) throws {
        let rows = (10..<50).map { ["T\($0)", "2025-01-05T10:\($0):00", value] }
        let suggestion = ProfileSuggestion(header: ["trip_id", "requested_at", name], rows: rows, source: "x")
        let profile = try ProfileFileTests.read(suggestion.yaml)
        #expect(profile.statedIntervals == [.response: StatedInterval(column: name, unit: unit)], "\(suggestion.yaml)")
    }

    @Test(arguments: [
        ("8m 30s", 510), ("8 min 30 s", 510), ("PT8M30S", 510), ("pt1h", 3600), ("1 hr, 2 minutes", 3720),
        ("90 sec", 90),
        ("0 days 00:08:30", 510), ("1 day, 0:00:01", 86_401), ("2d 3h", 183_600), ("8:30", 510), ("-8:30", -510),
        ("8m 30m", nil), ("30s 8m", nil), ("8 apples", nil), ("PT", nil), ("8m30", nil), ("9:30 AM", nil), ("m", nil),
        ("1 day", 86_400), ("days 00:08:30", nil),
    ]) func lengthsOfTimeAreReadAsWritten(text: String, seconds: Int?) {
        #expect(StatedInterval(column: "", unit: .clock).seconds(Array(text.utf8).span) == seconds)
    }

    @Test func anIntervalWithoutAUnitIsSaid() {
        let rows = (10..<60).map { ["T\($0)", "2026-01-01T10:\($0):00Z", "5\($0)000"] }
        let suggestion = ProfileSuggestion(header: ["Trip ID", "Requested", "response_ms"], rows: rows, source: "x")
        #expect(suggestion.doubts.contains { $0.contains("may state the response") }, "\(suggestion.yaml)")
    }

    /// Ten-millionths since the year 1 or 1601 are no count since 1970 in a smaller unit.
    @Test(arguments: ["638718912000000000", "133801344000000000"]) func ticksAreNoEpoch(value: String) {
        let rows = (10..<60).map { ["T\($0)", String(value.dropLast(10)) + "\($0)00000000"] }
        let suggestion = ProfileSuggestion(header: ["Trip ID", "Dispatched"], rows: rows, source: "x")
        #expect(!suggestion.columns[1].isProposed, "\(suggestion.yaml)")
    }

    /// Ids, amounts and ZIP codes have the digits of times.
    @Test func numbersOfOtherColumnsAreNoTimes() throws {
        let rows = (10..<60).map { ["17360712\($0)", "45662.\($0)", "456\($0)", "2025-01-05T10:\($0):00"] }
        let suggestion = ProfileSuggestion(
            header: ["trip_id", "cost", "patient_zip", "unit_notified_at"], rows: rows, source: "x")
        #expect(suggestion.problems.isEmpty)
        let profile = try ProfileFileTests.read(suggestion.yaml)
        #expect(profile.columns[.tripID] != nil && profile.columns[.cost] != nil && profile.datePatterns.isEmpty)
    }

    @Test func columnsOfDifferentOrdersGetPatternsOfTheirOwn() throws {
        let rows = (10..<60).map { ["T\($0)", "01/\($0 % 15 + 13)/2025 10:00", "\($0 % 15 + 13)/01/2025 11:00"] }
        let suggestion = ProfileSuggestion(
            header: ["trip_id", "unit_notified_at", "on_scene_at"], rows: rows, source: "x")
        let profile = try ProfileFileTests.read(suggestion.yaml)
        #expect(profile.timeForms(of: .unitNotifiedAt).reading(rows[0][1]) != .bad)
        #expect(profile.timeForms(of: .onSceneAt).reading(rows[0][2]) != .bad)
    }
}

extension SuggestedTimesTests {
    /// Levels, and values that by the unit of the name are no interval of a trip.
    @Test(arguments: [
        ("Response Level Sec", "2"), ("Response Score M", "3"), ("Transport Mode Min", "3"), ("Response Min", "480"),
        ("Response Sec", "8"), ("Response Time", "105"), ("Response Time", "10:35:00"), ("Response Time", "10:55"),
    ]) func otherNumbersAreProposedAsNoInterval(name: String, value: String) throws {
        let rows = (10..<50).map { ["T\($0)", "2025-01-05T10:\($0):00", value] }
        let suggestion = ProfileSuggestion(header: ["trip_id", "requested_at", name], rows: rows, source: "x")
        #expect(try ProfileFileTests.read(suggestion.yaml).statedIntervals.isEmpty, "\(suggestion.yaml)")
    }
}
