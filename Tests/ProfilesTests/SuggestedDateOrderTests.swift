import Basics
import Profiles
import StrictYAML
import Testing
import Trips

/// A proposed profile has an order of day, month and year only where values show it, and says what shows it.
struct SuggestedDateOrderTests {
    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    private static func suggestion(_ header: [String], _ rows: [[String]]) -> ProfileSuggestion {
        ProfileSuggestion(header: header, rows: rows, source: "x")
    }

    // MARK: - Years of two digits

    @Test func aYearOfTwoDigitsThatMayComeFirstAsks() {
        let rows = (1...8).map { ["T\($0)", "25-01-0\($0) 10:00"] }
        let suggestion = Self.suggestion(["trip_id", "unit_notified_at"], rows)
        #expect(suggestion.problems.contains { $0.contains("day and month cannot be distinguished") })
        for pattern in ["dd-MM-yy HH:mm", "yy-MM-dd HH:mm"] {
            #expect(suggestion.yaml.contains("    # - \"\(pattern)\""), "\(suggestion.yaml)")
        }
        let unclear = Self.suggestion(
            ["trip_id", "unit_notified_at"], (1...8).map { ["T\($0)", "05-01-0\($0) 10:00"] })
        for pattern in ["MM-dd-yy HH:mm", "dd-MM-yy HH:mm", "yy-MM-dd HH:mm"] {
            #expect(unclear.yaml.contains("    # - \"\(pattern)\""), "\(unclear.yaml)")
        }
    }

    /// Days taken for years would be spread over decades.
    @Test(arguments: ["yy-MM-dd", "dd-MM-yy", "dd-MMM-yy", "yy-MMM-dd"])
    func theYearsOfManyTripsShowTheOrder(form: String) throws {
        let rows = (0..<60).map { number -> [String] in
            let day = Self.two(number % 28 + 1), month = form.contains("MMM") ? "JAN" : "01"
            return ["T\(number)", form.hasPrefix("yy") ? "25-\(month)-\(day)" : "\(day)-\(month)-25"]
        }
        let suggestion = Self.suggestion(["trip_id", "service_date"], rows)
        #expect(suggestion.problems.isEmpty, "\(suggestion.problems)")
        let forms = try ProfileFileTests.read(suggestion.yaml).timeForms(of: .serviceDate)
        let days = rows.map { row in
            if case .time(let time) = forms.reading(row[1]) { time.localDay.description } else { "" }
        }
        #expect(days == (0..<60).map { "2025-01-\(Self.two($0 % 28 + 1))" })
    }

    @Test func aDayOf19To21BeforeItsMonthIsNoYear() throws {
        let rows = (15...25).map { ["T\($0)", "\($0)012025 1015"] }
        let suggestion = Self.suggestion(["trip_id", "unit_notified_at"], rows)
        #expect(try ProfileFileTests.read(suggestion.yaml).datePatterns.map(\.text) == ["ddMMyyyy HHmm"])
    }

    // MARK: - What shows the order

    /// The months first in one form prove nothing of another system's form.
    @Test func anOrderThatOnlyAnotherFormShowsIsMarked() {
        let rows =
            (13...28).map { ["T\($0)", "03/\($0)/2025 3:05 PM"] } + (1...9).map { ["U\($0)", "0\($0)/04/2025 15:05"] }
        let suggestion = Self.suggestion(["trip_id", "unit_notified_at"], rows)
        #expect(suggestion.columns[1].isDoubtful)
        #expect(suggestion.yaml.contains("only values in another form show which number is the day"))
    }

    @Test func theOrderOfTheDateOfTimesOfDayIsMarkedIfOtherColumnsShowIt() {
        let rows = (1...12).map { number in
            ["T\(number)", "\(Self.two(number))/03/2025", "10:\(number + 10):00", "03/\(number + 13)/2025"]
        }
        let header = ["trip_id", "Alarm Day", "Dispatch Time", "Invoice Date"]
        let yaml = Self.suggestion(header, rows).yaml
        #expect(yaml.contains("  date: \"Alarm Day\"  # ? only other columns show which number is the day"), "\(yaml)")
    }

    @Test func theOrderOfTheDateOfTimesOfDayIsAskedFor() {
        let rows = (1...12).map { ["T\($0)", "\(Self.two($0))/03/2025", "10:\($0 + 10):00"] }
        let suggestion = Self.suggestion(["trip_id", "Alarm Day", "Dispatch Time"], rows)
        #expect(suggestion.problems.contains { $0.contains("day and month cannot be distinguished") })
        let mixed = (13...28).map { ["T\($0)", "03/\($0)/2025", "23:\($0 + 10)", "\($0)/03/2025", "23:\($0 + 20)"] }
        let own = Self.suggestion(
            ["trip_id", "Dispatch Date", "Dispatch Time", "On Scene Date", "On Scene Time"], mixed)
        #expect(own.problems.contains { $0.contains("have day and month in different orders") }, "\(own.yaml)")
    }

    // MARK: - The date of times of day

    @Test(arguments: ["Authorization Date", "Referral Date", "Order Date"])
    func theOnlyDateIsMarkedUnlessItsNameIsThatOfATrip(name: String) {
        let rows = (13...28).map { ["T\($0)", "2025-03-\($0)", "10:\($0):00"] }
        let yaml = Self.suggestion(["trip_id", name, "Dispatch Time"], rows).yaml
        #expect(yaml.contains("  date: \"\(name)\"  # ? the only column of dates"), "\(yaml)")
        for usual in ["Incident Date", "Date of Service", "Call Date"] {
            let yaml = Self.suggestion(["trip_id", usual, "Dispatch Time"], rows).yaml
            #expect(yaml.contains("  date: \"\(usual)\"  # of the times of day"), "\(yaml)")
        }
        let two = rows.map { [$0[0], $0[1], $0[1], $0[2]] }
        let both = Self.suggestion(["trip_id", "Call Date", "Trip Date", "Dispatch Time"], two).yaml
        #expect(both.contains("# ? other columns may have the date too") || both.contains("service_date:"), "\(both)")
    }

    @Test func columnsThatShareTheirNameAreNamedByTheirNumber() throws {
        let rows = (13...28).map { ["T\($0)", "2025-03-\($0)", "10:\($0):00", "480", "480"] }
        let header = ["trip_id", "Date", "Dispatch Time", "Date", "Response Seconds"]
        let dates = rows.map { [$0[0], $0[1], $0[2], "x", $0[4]] }
        let profile = try ProfileFileTests.read(Self.suggestion(header, dates).yaml)
        #expect(profile.dateSource == .column("#2"))
        let shared = ["trip_id", "service_date", "Dispatch Time", "Response Seconds", "Response Seconds"]
        let stated = try ProfileFileTests.read(Self.suggestion(shared, rows).yaml)
        #expect(stated.statedIntervals[.response]?.column == "#4")
    }

    /// Years look like times of day: 2025 may be 20:25.
    @Test func yearMonthAndDayNeedNoPattern() throws {
        let rows = (13...28).map { ["T\($0)", "2025", "3", "\($0)", "23:\($0):00"] }
        let profile = try ProfileFileTests.read(
            Self.suggestion(["Trip ID", "Year", "Month", "Day", "Dispatch Time"], rows).yaml)
        #expect(profile.dateSource != nil && profile.datePatterns.isEmpty && profile.datePatternsByField.isEmpty)
    }

    // MARK: - Lists of patterns

    /// A general pattern of another order would read each value that the own one does not.
    @Test func aFieldWithPatternsOfItsOwnIsReadByThemAlone() throws {
        let profile = try ProfileFileTests.read(
            "source: x\ncolumns: {trip_id: a, unit_notified_at: b, on_scene_at: c}\ndates:\n  patterns: [MM/dd/yyyy HH:mm]\n"
                + "  fields: {on_scene_at: [dd/MM/yyyy HH:mm]}\n")
        #expect(profile.timeForms(of: .onSceneAt).reading("03/25/2025 10:00") == .bad)
        #expect(profile.timeForms(of: .onSceneAt).reading("25/03/2025 10:00") != .bad)
        #expect(profile.timeForms(of: .unitNotifiedAt).reading("03/25/2025 10:00") != .bad)
    }

    @Test(arguments: [
        ("dd/MM/yy HH:mm", "yy/MM/dd HH:mm"), ("epoch", "yyyyMMddHHmm"), ("epoch", "yyMMddHHmm"), ("serial", "yyMMdd"),
        ("dd/MM/yyyy", "M/d/yyyy"), ("dd-MMM-yy", "yy-MMM-dd"), ("serial", "serial-1904"),
    ]) func patternsThatReadOneTextInTwoWaysAreRefused(first: String, second: String) {
        for list in ["\"\(first)\", \"\(second)\"", "\"\(second)\", \"\(first)\""] {
            let error = #expect(throws: ConfigurationErrors.self) {
                try ProfileFileTests.read(
                    "source: x\ncolumns: {trip_id: a, service_date: b}\ndates: {patterns: [\(list)]}\n")
            }
            #expect("\(error.map { "\($0)" } ?? "")".contains("one text fits"))
        }
    }

    @Test(arguments: [
        ("epoch", "yyyyMMddHHmmss"), ("epoch", "yyyyMMdd"), ("epoch", "serial"),
        ("M/d/yyyy H:mm:ss", "M/d/yyyy H:mm z"),
        ("M/d/yyyy h:mm a", "M/d/yyyy H:mm"), ("M/d/yyyy H:mm", "dd.MM.yyyy HH:mm"), ("d MMM yyyy", "d MMM yy"),
        ("M/d/yyyy h:mm a", "M/d/yyyy H:mm z"), ("yyyy/MM/dd", "MM/dd/yyyy"), ("serial", "yyyyMMdd"),
    ]) func patternsOfDifferentTextsMayBeInOneList(first: String, second: String) throws {
        _ = try ProfileFileTests.read(
            "source: x\ncolumns: {trip_id: a, service_date: b}\ndates: {patterns: [\"\(first)\", \"\(second)\"]}\n")
    }

    @Test(arguments: ["yyyy-d-M", "yyyyddMM", "yyyyddMM HHmm", "yyyy-dd-MM HH:mm"])
    func aPatternAgainstISO8601IsRefused(pattern: String) {
        let error = #expect(throws: ConfigurationErrors.self) {
            try ProfileFileTests.read(
                "source: x\ncolumns: {trip_id: a, service_date: b}\ndates: {patterns: [\"\(pattern)\"]}\n")
        }
        #expect("\(error.map { "\($0)" } ?? "")".contains("always read as ISO 8601"))
    }

    // MARK: - Times of day

    @Test(arguments: ["1899-12-30", "1970-01-01", "2000-01-01"])
    func timesWithADayThatIsNoneAreTimesOfDay(day: String) throws {
        let rows = (10..<50).map { ["T\($0)", "2025-01-05", "\(day) 10:\($0):00"] }
        let profile = try ProfileFileTests.read(
            Self.suggestion(["Trip ID", "Incident Date", "Dispatch Time"], rows).yaml)
        #expect(profile.dateSource == .column("Incident Date"))
        #expect(profile.columns[.unitNotifiedAt] == ["Dispatch Time"])
    }

    @Test func aClockOfTwelveHoursIsMarked() {
        let rows = (0..<60).map { ["T\($0)", "2025-01-05", "\($0 % 12 + 1):10"] }
        let header = ["Trip ID", "Incident Date", "Dispatch Time"]
        let yaml = Self.suggestion(header, rows).yaml
        #expect(yaml.contains("all times are from 1:00 to 12:59"), "\(yaml)")
        let day = Self.suggestion(header, rows.map { [$0[0], $0[1], $0[2].replacing("5:10", with: "17:10")] }).yaml
        #expect(!day.contains("from 1:00 to 12:59"), "\(day)")
    }
}
