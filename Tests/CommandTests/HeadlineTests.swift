import Foundation
import KPIContract
import TestSupport
import Testing

/// The month that outputs lead with, and the months that its figures are compared with.
@Suite struct HeadlineTests {
    private let fixture: CommandFixture

    init() throws {
        fixture = try CommandFixture()
    }

    /// From 2024-01 to 2025-03: 40 trips a month, 12 in the first.
    ///
    /// - Parameters:
    ///   - days: of the last month.
    ///   - others: dates of further trips.
    private static func export(days: Int = 31, others: [String] = []) -> String {
        var dates = others
        for month in 0..<15 {
            let name = "\(2024 + month / 12)-\(month % 12 < 9 ? "0" : "")\(month % 12 + 1)"
            let last = month == 14 ? days : 28
            for trip in 0..<(month == 0 ? 12 : 40) {
                let day = trip == 0 ? last : trip % last + 1
                dates.append("\(name)-\(day < 10 ? "0" : "")\(day)")
            }
        }
        let rows = dates.enumerated().map { "SYN-\($0),completed,\($1),North,Emergency,10\($0 % 7).00\n" }
        return "trip_id,status,service_date,region,trip_type,cost\n" + rows.joined()
    }

    /// - Parameter now: seconds since 1970.
    private func summary(
        _ export: String, audience: String, now: Int, months: [String] = []
    ) throws -> KPISummaryV1 {
        try TemporaryFolder.with { folder in
            try folder.write(export, to: "export.csv")
            let result = try fixture.run(
                [
                    months.isEmpty ? "scan" : "report", "export.csv", "--audience", audience, "--format", "json",
                    "--quiet",
                ] + months,
                environment: ["SOURCE_DATE_EPOCH": String(now)], in: folder.url)
            #expect(result.status == 0, "\(result.stderrText)")
            return try JSONDecoder().decode(KPISummaryV1.self, from: Data(result.stdout))
        }
    }

    /// Neither a first month that begins before the data nor single trips with wrong dates make other months unusual.
    @Test(arguments: ["staff", "release"])
    func aPartialFirstMonthAndWrongDatesAreNoSignal(audience: String) throws {
        // 2025-04-05.
        let summary = try summary(
            Self.export(others: ["1970-01-05", "2025-04-02"]), audience: audience, now: 1_743_854_400)
        #expect(summary.headline?.month == "2025-03")
        #expect(summary.headline?.sentences.first?.hasPrefix("2025-03: 40 trips, level with") == true)
        let chart = try #require(summary.controlCharts?.chart(of: "trips"))
        #expect((chart.lastMonth, chart.monthCount, chart.firstMonth) == ("2025-03", 14, "2024-02"))
        #expect(chart.monthsLeftOut.isEmpty && chart.signals.isEmpty)
    }

    @Test(arguments: ["staff", "release"])
    func aMonthUnderWayIsNotCompared(audience: String) throws {
        // 2025-03-21.
        let summary = try summary(Self.export(days: 20), audience: audience, now: 1_742_558_400)
        #expect(summary.months.last == "2025-03")
        #expect(summary.headline?.month == "2025-02")
        #expect(summary.controlCharts?.isEmpty == false)
        #expect(summary.controlCharts?.allSatisfy { $0.lastMonth == "2025-02" } == true)
        #expect(summary.kpiCards.allSatisfy { $0.isBetter == nil })
    }

    /// An export that ends on the 15th is no whole month, though 31 days after its end it is closed.
    @Test(arguments: ["staff", "release"])
    func aMonthThatLacksDaysIsNotCompared(audience: String) throws {
        // 2025-06-01.
        let summary = try summary(Self.export(days: 15), audience: audience, now: 1_748_736_000)
        #expect(summary.partialMonths == ["2025-03"] && summary.months.last == "2025-03")
        #expect(summary.openMonths.isEmpty && summary.monthsNotWhole == ["2025-03"])
        #expect(summary.headline?.month == "2025-02")
        let last = try #require(summary.comparisons.last)
        #expect(last.month == "2025-03" && last.trips == 40)
        #expect(last.monthOverMonth == nil && last.rolling12Trips == nil && last.fiscalYearToDateTrips == nil)
        #expect(summary.controlCharts?.allSatisfy { $0.lastMonth == "2025-02" } == true)
        #expect(summary.kpiCards.first?.chartData.count == summary.months.count)
        let part = try self.summary(
            Self.export(days: 15), audience: audience, now: 1_748_736_000, months: ["--month", "2025-03"])
        #expect(part.partialMonths == ["2025-03"] && part.headline?.month == nil)
    }

    @Test func aMonthWithoutTripsIsARowAndTheNextIsNotComparedWithIt() throws {
        let export = Self.export().split(separator: "\n").filter { !$0.contains(",2024-11-") }.joined(separator: "\n")
        try TemporaryFolder.with { folder in
            try folder.write(export + "\n", to: "export.csv")
            let result = try fixture.run(
                ["scan", "export.csv", "--long", "--quiet"],
                environment: ["SOURCE_DATE_EPOCH": "1743854400"], in: folder.url)
            let rows = result.stdoutText.split(separator: "\n").filter { $0.hasPrefix("2024-1") }
                .map { $0.split(separator: " ").prefix(3).joined(separator: " ") }
            #expect(rows.contains("2024-11 0 –") && rows.contains("2024-12 40 –"), "\(rows)")
        }
    }

    /// The release of a part is audited too: its charts are of months that it does not show.
    @Test(arguments: ["staff", "release"])
    func aMonthHasTheSameVerdictInEachSelection(audience: String) throws {
        // 2025-04-05.
        let export = Self.export(others: (0..<50).map { "2025-03-\($0 % 28 < 9 ? "0" : "")\($0 % 28 + 1)" })
        let whole = try summary(export, audience: audience, now: 1_743_854_400)
        #expect(whole.headline?.sentences.first?.contains("higher than usual") == true)
        for months in [["--month", "2025-03"], ["--fiscal-year", "2025"], ["--from", "2024-03"]] {
            let part = try summary(export, audience: audience, now: 1_743_854_400, months: months)
            #expect(part.controlCharts == whole.controlCharts, "\(months)")
            #expect(part.headline?.sentences.first?.contains("higher than usual") == true, "\(months)")
        }
    }

    /// The last month is above the others, and falling: it is what its own side of the mean says.
    @Test func sentencesNameWhatIsUnusual() throws {
        let dates = (0..<20).flatMap { month in
            (0..<(month == 19 ? 90 : 40)).map { trip in
                "\(2024 + month / 12)-\(month % 12 < 9 ? "0" : "")\(month % 12 + 1)-\(trip % 28 < 9 ? "0" : "")\(trip % 28 + 1)"
            }
        }
        let rows = dates.enumerated().map { "SYN-\($0),completed,\($1),North,Emergency,100.00\n" }
        let export = "trip_id,status,service_date,region,trip_type,cost\n" + rows.joined()
        // 2025-11-24.
        let summary = try summary(export, audience: "release", now: 1_763_942_400)
        let sentences = try #require(summary.headline?.sentences)
        #expect(sentences.count == 3)
        #expect(
            sentences[0]
                == "2025-08: 90 trips, up from 40 (higher than usual); cost per trip about the same as usual.")
        // There are no response times, so none is hidden.
        #expect(sentences[1] == "Unusual by region: North, trips higher than usual.")
        #expect(
            sentences[2]
                == "Over all trips here, no change has lasted in trips and cost per trip. The last unusual month before was 2025-07: trips lower than usual."
        )
    }

    /// Five trips of the last month have a cost: too few to be published, and nothing is said of its course.
    @Test func aMeasureThatTheMonthDoesNotShowIsNamedAndNotAssessed() throws {
        var costed = 0
        let lines = Self.export().split(separator: "\n").map { line -> String in
            guard line.contains(",2025-03-") else { return String(line) }
            costed += 1
            return costed <= 5 ? String(line) : line.split(separator: ",").dropLast().joined(separator: ",") + ","
        }
        // 2025-04-05.
        let export = lines.joined(separator: "\n") + "\n"
        let release = try summary(export, audience: "release", now: 1_743_854_400)
        let sentences = try #require(release.headline?.sentences)
        #expect(sentences.first?.hasSuffix("; cost per trip not shown.") == true, "\(sentences)")
        #expect(sentences.last?.contains("Not assessed, since 2025-03 cannot be compared: cost per trip.") == true)
        #expect(sentences.last?.contains("has lasted in trips and") == false)
        let staff = try summary(export, audience: "staff", now: 1_743_854_400)
        #expect(staff.headline?.sentences.first?.contains("not shown") == false)
    }
}
