import Basics
import Testing
import Trips

@Suite struct ExportDateTests {
    @Test(arguments: [
        "2026-03-01.csv", "trips_20260301.csv.gz", "trips-2026_03_01-final.csv", "trips.2026.03.01.json",
        "/exports/2025-01-01/trips20260301", "20260301T093000Z.csv", "20260301t20150312.csv", "2026-03-01T09:30.csv",
        "2026-03-01T20150312", "20260301_093000.csv", "2026-03-01_0930.csv", "2026-03-01_09-30-00.csv",
        "2026-03-01-2.csv", "20260301 to 2026-03-01.csv", "unit 12 20260301 (3).csv", "1234567890-20260301",
        "2026-02-30 2026-03-01", "18991231-20260301",
    ])
    func aNameWithOneDateHasIt(name: String) {
        #expect(ExportDate(name: name)?.day == CivilDay("2026-03-01"))
    }

    @Test(arguments: [
        "", "/", "trips.csv", "2026-03-01/trips.csv", "20260301093000.csv", "120260301.csv",
        "2026-02-30.csv", "20261301.csv", "2026-00-10", "2025-02-29", "19891231", "2100-01-01", "2026-3-1", "2026-03-1",
        "2026-03-011", "12026-03-01", "2026-03.01", "2026--03-01", "01-03-2026", "2026", "٢٠٢٦-٠٣-٠١",
        "20260301_20260302.csv", "2026-03-01--2026-03-31.csv", "20260301-20260301-20260302",
    ])
    func aNameWithNoneOrWithSeveralHasNone(name: String) {
        #expect(ExportDate(name: name) == nil)
    }

    @Test(arguments: [
        "trips-2026-03.csv", "202603.zip", "2026_03-", "2026.03.csv.gz", "2026-03_v2.csv", "202603-2026-03.csv",
    ])
    func aMonthIsItsLastDay(name: String) {
        #expect(ExportDate(name: name)?.day == CivilDay("2026-03-31"))
        #expect(ExportDate(name: "2026-03-01 of " + name)?.day == CivilDay("2026-03-01"))
    }

    @Test(arguments: ["2026-13.csv", "2026-00", "202600.csv", "198912", "2026-01 to 2026-03.csv", "2026-031", "2026-3"])
    func whatIsNotOneMonthIsNone(name: String) {
        #expect(ExportDate(name: name) == nil)
    }

    @Test func monthsHaveTheirLengths() {
        #expect(ExportDate(name: "2024-02")?.day == CivilDay("2024-02-29"))
        #expect(ExportDate(name: "2025-02")?.day == CivilDay("2025-02-28"))
        #expect(ExportDate(name: "2025-04")?.day == CivilDay("2025-04-30"))
    }

    @Test(arguments: ["19900101", "20240229", "2099-12-31"])
    func theEdgesOfTheCalendarAreDates(name: String) throws {
        let day = try #require(ExportDate(name: name)?.day)
        #expect(day.description.filter { $0 != "-" } == name.filter { $0 != "-" })
    }
}
