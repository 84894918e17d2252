import Foundation
import TestSupport
import Testing

/// Times of day with their date in another column, intervals that are stated, and 24:00.
@Suite struct TimesOfDayTests {
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
            let duration: Interval
        }

        let cells: [Cell]

        var all: Cell? { cells.first { $0.month == "All" && $0.region == "All" && $0.tripType == "All" } }
        var months: [String] {
            cells.filter { $0.month != "All" && $0.region == "All" && $0.tripType == "All" }.map(\.month)
        }
    }

    private static let head =
        "source: site\ncolumns: {trip_id: id, unit_notified_at: disp, on_scene_at: scene, completed_at: clear}\n"

    private func scan(_ rows: String, _ profile: String, columns: String = "id,day,disp,scene,clear") throws -> (
        Summary?, CommandResult
    ) {
        try TemporaryFolder.with { folder in
            try folder.write(columns + "\n" + rows + "\n", to: "export.csv")
            try folder.write(Self.head + profile, to: "site.yaml")
            let result = try CommandFixture().run(
                ["scan", "export.csv", "--audience", "staff", "--format", "json", "--profile", "./site.yaml"],
                in: folder.url)
            return (try? JSONDecoder().decode(Summary.self, from: Data(result.stdout)), result)
        }
    }

    private static let date = "dates: {date: day, patterns: [MM/dd/yyyy, HHmm, \"h:mm a\"]}\n"

    @Test(arguments: [
        // Within a day, over midnight, over two of them by steps, and over the end of a month.
        ("01/05/2025,10:00:00,10:08:30,11:00:00", 510, 3600, "2025-01"),
        ("01/31/2025,23:58:00,00:06:30,01:00:00", 510, 3720, "2025-01"),
        ("01/31/2025,23:58,0:06,20:00", 480, 72_120, "2025-01"),
        ("02/28/2025,11:58 PM,12:06 am,12:06 p.m.", 480, 43_680, "2025-02"),
        ("01/05/2025,5,930,1000", 33_900, 35_700, "2025-01"),
        // 24:00 is the next midnight, and full times keep their dates.
        ("12/31/2024,23:50:00,24:00:00,00:30:00", 600, 2400, "2024-12"),
        ("01/05/2025,23:50,2025-01-06 00:00:00,00:30", 600, 2400, "2025-01"),
    ]) func aTimeBeforeTheEventBeforeItIsOfTheNextDay(row: String, response: Int, duration: Int, month: String) throws {
        let (summary, result) = try scan("T1," + row, Self.date)
        let all = try #require(summary?.all, "\(result.stderrText)")
        #expect(all.response.p50 == response && all.duration.p50 == duration && summary?.months == [month])
    }

    /// A clock that runs late gives a negative interval, and no trip of nearly a day.
    @Test func aClockThatIsAMinuteWrongIsNoMidnight() throws {
        let (summary, result) = try scan("T1,01/05/2025,10:02:00,10:01:00,11:00:00", Self.date)
        let all = try #require(summary?.all, "\(result.stderrText)")
        #expect(all.response.used == 0 && all.response.excluded == 1 && all.duration.p50 == 3480)
    }

    @Test func theLimitOfAnIntervalBoundsTheNextDay() throws {
        let (summary, result) = try scan("T1,01/05/2025,23:00,06:00,06:30", Self.date + "max_interval_hours: 6\n")
        #expect(try #require(summary?.all, "\(result.stderrText)").response.used == 0)
    }

    @Test func theHoursOfANightAreThoseOfTheZone() throws {
        let zone = "dates: {date: day, patterns: [MM/dd/yyyy], zone: America/New_York}\n"
        // The clocks go forward at 2:00 on 9 March, and back at 2:00 on 2 November.
        let (spring, _) = try scan("T1,03/08/2025,23:30:00,03:30:00,04:00:00", zone)
        #expect(spring?.all?.response.p50 == 3 * 3600)
        let (autumn, _) = try scan("T1,11/01/2025,23:30:00,03:30:00,04:00:00", zone)
        #expect(autumn?.all?.response.p50 == 5 * 3600)
        // 1:10 after 1:50 is of the hour that comes again, and of no next day; which of the two 1:50 is, is not known.
        let (repeated, _) = try scan("T1,11/02/2025,01:50:00,01:10:00,03:00:00", zone)
        #expect(repeated?.all?.response.used == 0 && repeated?.months == ["2025-11"])
    }

    @Test func theDateMayBeInThreeColumnsOrBesideEachTime() throws {
        let parts = "dates: {date: {year: y, month: m, day: d}}\n"
        let (three, result) = try scan(
            "T1,2025,Feb,28.0,23:58:00,00:06:00,01:00:00\nT2,24,2,29,10:00:00,10:08:00,11:00:00", parts,
            columns: "id,y,m,d,disp,scene,clear")
        #expect(three?.all?.response.p50 == 480 && three?.months == ["2024-02", "2025-02"], "\(result.stderrText)")
        let own = "dates: {date: {unit_notified_at: d1, on_scene_at: d2, completed_at: d2}}\n"
        let (each, failed) = try scan(
            "T1,2025-01-31,23:58:00,2025-02-01,00:06:00,01:00:00", own, columns: "id,d1,disp,d2,scene,clear")
        #expect(each?.all?.response.p50 == 480 && each?.months == ["2025-01"], "\(failed.stderrText)")
    }

    @Test func aTimeWithoutADateIsNoTime() throws {
        let (summary, result) = try scan(
            "T1,,10:00:00,10:08:00,11:00:00\nT2,01/05/2025,10:00:00,10:08:00,11:00:00", Self.date + "max_reject: 60%\n")
        #expect(summary?.all?.trips == 1 && result.stderrText.contains("rejected 1"), "\(result.stderrText)")
        let (_, missing) = try scan("T1,01/05/2025,10:00:00,10:08:00,11:00:00", "dates: {date: Tag}\n")
        #expect(
            missing.status == 65 && missing.stderrText.contains("no column \"Tag\", which has the date of the times"))
    }

    // MARK: - 24:00

    @Test(arguments: [
        ("2025-03-21 23:54:00,2025-03-21 24:00:00,2025-03-22 01:00:00", 360),
        // Written with the day that it begins.
        ("2025-03-21 23:54:00,2025-03-22 24:00:00,2025-03-22 01:00:00", 360),
        ("2025-02-06 24:00:00,2025-02-06 00:07:55,2025-02-06 01:17:40", 475),
        ("2025-02-06T24:00:00,2025-02-07T00:07:55,2025-02-07T01:17:40", 475),
    ]) func twentyFourOClockIsTheMidnightThatFits(times: String, response: Int) throws {
        let (summary, result) = try scan("T1," + times, "", columns: "id,disp,scene,clear")
        #expect(summary?.all?.response.p50 == response, "\(result.stderrText)")
    }

    // MARK: - Stated intervals

    private func stated(_ unit: String, _ rows: String, times: Bool = false) throws -> (Summary?, CommandResult) {
        try scan(
            rows, "intervals: {response: {column: took, unit: \(unit)}}\n",
            columns: times ? "id,disp,scene,clear,took" : "id,disp,took")
    }

    @Test(arguments: [
        ("seconds", "510", 510), ("seconds", "509.5", 510), ("minutes", "8.5", 510), ("minutes", "8", 480),
        ("clock", "8:30", 510), ("clock", "1:02:03", 3723), ("clock", "0:08:29.6", 510), ("clock", "90:00", 5400),
        ("seconds", "0", 0),
    ]) func anIntervalMayBeStated(unit: String, value: String, seconds: Int) throws {
        let (summary, result) = try stated(unit, "T1,2025-01-05 10:00:00,\(value)")
        #expect(summary?.all?.response.p50 == seconds, "\(result.stderrText)")
    }

    @Test(arguments: ["-5", "N/A", "", "90000", "99999999999999999999", "see log"])
    func whatIsNoIntervalIsExcluded(value: String) throws {
        let (summary, result) = try stated("seconds", "T1,2025-01-05 10:00:00,\(value)")
        #expect(summary?.all?.response.used == 0 && summary?.all?.response.excluded == 1, "\(result.stderrText)")
    }

    @Test func theStatedIntervalCountsAndItsDifferenceIsNamed() throws {
        let (summary, result) = try stated(
            "seconds",
            "T1,2025-01-05 10:00:00,2025-01-05 10:08:00,,500\nT2,2025-01-05 10:00:00,2025-01-05 10:08:00,,700\n"
                + "T3,2025-01-05 10:00:00,2025-01-05 10:08:00,,", times: true)
        #expect(summary?.all?.response.used == 3 && summary?.all?.response.p50 == 500)
        #expect(
            result.stderrText.contains(
                "the stated response differs by more than a minute from that between its times in 1 of 2 records"),
            "\(result.stderrText)")
    }

    @Test func aColumnOfAnotherUnitIsRefused() throws {
        let rows = (10..<40).map { "T\($0),2025-01-05 10:00:00,8:\($0)" }.joined(separator: "\n")
        let (_, result) = try stated("seconds", rows)
        #expect(result.status == 65 && result.stderrText.contains("unit: clock"), "\(result.stderrText)")
        #expect(result.stderrText.contains("they look like 9:99"))
    }
}
