import Foundation
import TestSupport
import Testing

/// Times, dates and stated intervals that can be read in several ways are said, or are no values: no figure is wrong in silence.
@Suite struct ReadTimesTests {
    private struct Summary: Decodable {
        struct Cell: Decodable {
            struct Interval: Decodable {
                let used: Int
                let excluded: Int
                let p50: Int?
            }

            let month: String
            let region: String
            let tripType: String
            let trips: Int?
            let response: Interval
        }

        let cells: [Cell]

        var all: Cell? { cells.first { $0.month == "All" && $0.region == "All" && $0.tripType == "All" } }
        var months: [String] {
            cells.filter { $0.month != "All" && $0.region == "All" && $0.tripType == "All" }.map(\.month)
        }
    }

    private func scan(_ header: String, _ rows: [String], _ profile: String) throws -> (Summary?, CommandResult) {
        try TemporaryFolder.with { folder in
            try folder.write(([header] + rows).joined(separator: "\n") + "\n", to: "export.csv")
            try folder.write("source: site\n" + profile, to: "site.yaml")
            let result = try CommandFixture().run(
                ["scan", "export.csv", "--audience", "staff", "--format", "json", "--profile", "./site.yaml"],
                in: folder.url)
            return (try? JSONDecoder().decode(Summary.self, from: Data(result.stdout)), result)
        }
    }

    private static let columns = "columns: {trip_id: id, unit_notified_at: disp, on_scene_at: scene}\n"

    // MARK: - Dates in columns of their own

    @Test(arguments: [
        "dates: {date: {unit_notified_at: d1, on_scene_at: d2}, patterns: [MM/dd/yyyy]}\n",
        "dates: {date: d2, patterns: [MM/dd/yyyy, \"MM/dd/yyyy HH:mm\"]}\n",
    ]) func unreadableDatesOfTimesOfDayCountAsUnread(dates: String) throws {
        let rows = (10..<40).map { number in
            let date = number % 3 == 0 ? "Jan 05 2025" : "01/05/2025"
            return "T\(number),01/05/2025,\(dates.contains("d1") ? "" : "01/05/2025 ")10:00,\(date),10:08"
        }
        let profile = Self.columns + dates
        let (_, refused) = try scan("id,d1,disp,d2,scene", rows, profile)
        #expect(refused.status == 65, "\(refused.stderrText)")
        #expect(refused.stderrText.contains("10 of 30 values of on_scene_at"), "\(refused.stderrText)")
        let (_, said) = try scan("id,d1,disp,d2,scene", rows, profile + "max_unreadable: 50%\n")
        #expect(said.status == 0 && said.stderrText.contains("10 of 30 values of on_scene_at"), "\(said.stderrText)")
        #expect(said.stderrText.contains("they look like Aaa 99 9999"), "\(said.stderrText)")
    }

    @Test func theServiceDateIsCountedOnceIfItIsTheDateOfTheTimesToo() throws {
        let rows = (10..<40).map { number in
            "T\(number),\(number == 10 ? "soon" : "01/05/2025"),01/05/2025 10:00,10:08"
        }
        let (_, result) = try scan(
            "id,day,disp,scene", rows,
            "columns: {trip_id: id, service_date: day, unit_notified_at: disp, on_scene_at: scene}\n"
                + "dates: {date: day, patterns: [MM/dd/yyyy, \"MM/dd/yyyy HH:mm\"]}\n")
        #expect(result.stderrText.contains("1 of 30 values of service_date (3.33 %)"), "\(result.stderrText)")
        #expect(result.stderrText.contains("1 of 30 values of on_scene_at (3.33 %)"), "\(result.stderrText)")
    }

    @Test(arguments: [
        ("columns: {trip_id: id, unit_notified_at: disp}\ndates: {date: Date}\n", "for date"),
        (
            "columns: {trip_id: id, unit_notified_at: disp}\ndates: {date: {unit_notified_at: Date}}\n",
            "for date of unit_notified_at"
        ),
        (
            "columns: {trip_id: id, service_date: day}\nintervals: {response: {column: Date, unit: seconds}}\n",
            "for interval response"
        ),
        ("columns: {trip_id: id, service_date: day}\nfilter: {present: Date}\n", "for filter"),
        ("columns: {trip_id: id, service_date: day}\nlookups: [{column: Date, table: {x: North}}]\n", "for lookup"),
    ]) func aNameOfSeveralColumnsIsRefusedWhereverAProfileHasIt(profile: String, what: String) throws {
        let (_, result) = try scan("id,Date,disp,Date,day", ["T1,2025-01-05,10:00,2025-01-09,2025-01-05"], profile)
        #expect(result.status == 65, "\(result.stderrText)")
        #expect(
            result.stderrText.contains("columns 2, 4 have the one name that the profile gives \(what)"),
            "\(result.stderrText)")
    }

    @Test(arguments: [
        ("2025-02-01T03:30:00Z", "2025-01"), ("1738380600", "2025-01"), ("2025-02-01T00:00:00Z", "2025-02"),
    ])
    func aDateThatIsATimeOfUTCIsTheDayOfTheZone(date: String, month: String) throws {
        let profile = Self.columns + "dates: {date: day, patterns: [epoch], zone: America/New_York}\n"
        let (summary, result) = try scan("id,day,disp,scene", ["T1,\(date),22:30,22:38"], profile)
        #expect(summary?.months == [month] && summary?.all?.response.p50 == 480, "\(result.stderrText)")
        let (_, bare) = try scan(
            "id,day,disp,scene", ["T1,\(date),22:30,22:38"], profile.replacing(", zone: America/New_York", with: ""))
        #expect(
            bare.stderrText.contains("1 dates are times of UTC") == !date.contains("00:00:00"), "\(bare.stderrText)")
    }

    // MARK: - Times of day

    /// The next day is said, and a clock that is twelve hours wrong is no next day.
    @Test func aClockThatIsTwelveHoursWrongIsNoNextDay() throws {
        let profile = Self.columns + "dates: {date: day}\n"
        let (slip, result) = try scan(
            "id,day,disp,scene", ["T1,2025-01-05,22:00,10:08", "T2,2025-01-05,12:50,1:05"], profile)
        #expect(slip?.all?.response.used == 0 && slip?.all?.response.excluded == 2, "\(result.stderrText)")
        let (night, said) = try scan(
            "id,day,disp,scene", ["T1,2025-01-05,23:55,0:05", "T2,2025-01-05,10:00,10:08"], profile)
        #expect(night?.all?.response.used == 2)
        #expect(
            said.stderrText.contains("1 of 4 times of day are read as times of the next day"), "\(said.stderrText)")
    }

    @Test(arguments: [false, true]) func aClockOfTwelveHoursWithoutAMAndPMIsSaid(isFull: Bool) throws {
        let rows = (0..<60).map { number in
            let hour = number % 12 + 1, date = "01/05/2025"
            return isFull
                ? "T\(number),,\(date) \(hour):10,\(date) \(hour):18" : "T\(number),\(date),\(hour):10,\(hour):18"
        }
        let dates =
            isFull ? "dates: {patterns: [\"MM/dd/yyyy H:mm\"]}\n" : "dates: {date: day, patterns: [MM/dd/yyyy]}\n"
        let (_, result) = try scan("id,day,disp,scene", rows, Self.columns + dates)
        #expect(
            result.stderrText.contains("all times of unit_notified_at are from 1:00 to 12:59"), "\(result.stderrText)")
        let (_, day) = try scan(
            "id,day,disp,scene", rows.map { $0.replacing(" 5:1", with: " 17:1").replacing(",5:1", with: ",17:1") },
            Self.columns + dates)
        #expect(!day.stderrText.contains("from 1:00 to 12:59"), "\(day.stderrText)")
    }

    @Test func aSingleZeroIsNoTimeOfDay() throws {
        let profile = Self.columns + "dates: {date: day, patterns: [HHmm]}\n"
        let (summary, result) = try scan(
            "id,day,disp,scene", ["T1,2025-01-05,2355,0", "T2,2025-01-05,2352,0000"], profile)
        #expect(summary?.all?.response.used == 1 && summary?.all?.response.p50 == 480, "\(result.stderrText)")
    }

    @Test(arguments: ["1899-12-30", "1899-12-31", "1900-01-01", "1970-01-01", "2000-01-01", "0001-01-01"])
    func timesOfDayMayHaveADateThatIsNone(date: String) throws {
        let rows = (10..<40).map { "T\($0),2025-01-05,\(date) 10:\($0):00,\(date)T10:\($0 + 8):00" }
        let (summary, result) = try scan("id,day,disp,scene", rows, Self.columns + "dates: {date: day}\n")
        #expect(summary?.months == ["2025-01"] && summary?.all?.response.p50 == 480, "\(result.stderrText)")
        if date == "0001-01-01" { return }
        let (_, refused) = try scan("id,day,disp,scene", rows, Self.columns)
        #expect(refused.status == 65, "\(refused.stderrText)")
    }

    /// The trip is of its date, though it was ordered in the evening before.
    @Test(arguments: [
        ("22:00", "03:00", "2025-01"), ("23:50", "00:05", "2025-02"), ("2025-02-01 09:00", "03:00", "2025-01"),
    ])
    func theRequestMovesNoTripToTheNextDay(requested: String, notified: String, month: String) throws {
        let (summary, result) = try scan(
            "id,day,req,disp,scene", ["T1,2025-01-31,\(requested),\(notified),03:08"],
            "columns: {trip_id: id, requested_at: req, unit_notified_at: disp, on_scene_at: scene}\ndates: {date: day}\n"
        )
        #expect(summary?.months == [month], "\(result.stderrText)")
    }

    @Test func allTimesAtMidnightAreSaidOfAFewRecordsToo() throws {
        let rows = (1...5).map { "T\($0),2025-01-05 00:00:00,2025-01-05 00:00:00" }
        let (_, result) = try scan("id,disp,scene", rows, Self.columns)
        #expect(result.stderrText.contains("all 5 values of unit_notified_at are at 0:00"), "\(result.stderrText)")
    }

    @Test func timesWithAndWithoutAnOffsetAskForTheZone() throws {
        let rows = ["T1,2025-01-05T10:00:00,2025-01-05T15:08:00Z"]
        let (summary, result) = try scan("id,disp,scene", rows, Self.columns)
        #expect(summary?.all?.response.used == 0)
        #expect(
            result.stderrText.contains("1 intervals are excluded, since one of their times has an offset"),
            "\(result.stderrText)")
    }

    // MARK: - Stated intervals

    @Test(arguments: [
        ("seconds", "8", "under a minute in 20 of 20"), ("clock", "00:08", "under a minute in 20 of 20"),
        ("minutes", "480", "over four hours in 20 of 20"),
    ]) func aStatedIntervalThatNoTripHasIsSaid(unit: String, value: String, remark: String) throws {
        let rows = (0..<20).map { "T\($0),2025-01-05,\(value)" }
        let profile =
            "columns: {trip_id: id, service_date: day}\nintervals: {response: {column: took, unit: \(unit)}}\n"
        let (_, result) = try scan("id,day,took", rows, profile)
        #expect(result.stderrText.contains("the stated response is \(remark)"), "\(result.stderrText)")
        let (_, turnout) = try scan("id,day,took", rows, profile.replacing("response", with: "turnout"))
        #expect(turnout.stderrText.contains("under a minute") == false)
    }

    @Test func aPointAmongNumbersWithADecimalCommaIsNoFraction() throws {
        let rows = (0..<20).map { "T\($0);2025-01-05;\($0 == 0 ? "1.200" : "540,5")" }
        let (summary, result) = try scan(
            "id;day;took", rows,
            "decimal: comma\ncolumns: {trip_id: id, service_date: day}\n"
                + "intervals: {response: {column: took, unit: seconds}}\n")
        #expect(summary?.all?.response.used == 19 && summary?.all?.response.p50 == 541, "\(result.stderrText)")
        #expect(result.stderrText.contains("1 of 20 values of the stated response cannot be read"))
    }

    /// Opened in a spreadsheet of the United States, 05/03/2025 becomes the third of May, and 25/03/2025 stays a text.
    @Test func datesThatASpreadsheetHasSwappedAreRefused() throws {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        func scan(_ date: (Int) -> String) throws -> CommandResult {
            try self.scan(
                "id,scene", (0..<90).map { "T\($0),\(date($0 % 30 + 1))" },
                "columns: {trip_id: id, on_scene_at: scene}\ndates: {patterns: [\"dd/MM/yyyy HH:mm\"]}\n"
            ).1
        }
        let swapped = try scan { $0 > 12 ? "\($0)/03/2025 10:00" : "2025-\(two($0))-03 10:00:00" }
        #expect(
            swapped.status == 65 && swapped.stderrText.contains("has swapped day and month"), "\(swapped.stderrText)")
        // Two ways of writing in one column are none by themselves.
        let mixed = try scan { $0 % 2 == 0 ? "\(two($0))/03/2025 10:00" : "2025-03-\(two($0)) 10:00:00" }
        #expect(mixed.status == 0, "\(mixed.stderrText)")
    }
}
