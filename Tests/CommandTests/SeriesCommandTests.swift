import Foundation
import TestSupport
import Testing

/// What sets of different nights and reports of the store hide, by the command.
@Suite struct SeriesCommandTests {
    private let fixture: CommandFixture

    init() throws {
        fixture = try CommandFixture()
    }

    /// Completed trips of a month by region.
    private static func trips(_ month: String, from first: Int = 0, _ counts: [(region: String, trips: Int)]) -> String
    {
        var rows = ["trip_id,service_date,region"]
        for (region, trips) in counts {
            rows += (first..<first + trips).map { "SYN-\(month)-\(region)-\($0),\(month)-\($0 % 18 + 10),\(region)" }
        }
        return rows.joined(separator: "\n") + "\n"
    }

    /// A store of two months, of which the first is over.
    private func withStore(_ settings: String = "", _ body: (TemporaryFolder) throws -> Void) throws {
        try TemporaryFolder.with { folder in
            try folder.write("regions: [North, South, East]\n" + settings, to: "tripkpi.yaml")
            try folder.write(
                Self.trips("2024-01", [("North", 20), ("South", 5), ("East", 60)]), to: "xx_20240201.csv")
            try folder.write(Self.trips("2024-02", [("North", 40)]), to: "xx_20240210.csv")
            #expect(try run(["load", "xx_20240201.csv", "xx_20240210.csv"], folder).status == 0)
            try body(folder)
        }
    }

    /// 2024-02-12, 12:00 UTC.
    private static let midFebruary = 1_707_739_200

    private func run(
        _ words: [String], _ folder: TemporaryFolder, epoch: Int = midFebruary
    ) throws -> CommandResult {
        try fixture.run(words, environment: ["SOURCE_DATE_EPOCH": "\(epoch)"], in: folder.url)
    }

    private func summary(_ bytes: [UInt8]) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    }

    private func published(_ folder: TemporaryFolder, epoch: Int = midFebruary) throws -> [String: Any] {
        let result = try run(["publish"], folder, epoch: epoch)
        #expect(result.status == 0, "\(result.stderrText)")
        #expect(try run(["verify"], folder).status == 0)
        return try summary(folder.read("reports/published/current/kpi-summary.json"))
    }

    private func reported(_ words: [String] = [], _ folder: TemporaryFolder) throws -> [String: Any] {
        let result = try run(["report", "--format", "json"] + words, folder)
        #expect(result.status == 0, "\(result.stderrText)")
        return try summary(result.stdout)
    }

    /// Names of regions whose cell of the month is hidden.
    private func hidden(_ summary: [String: Any], _ month: String) -> Set<String> {
        let cells = summary["cells"] as? [[String: Any]] ?? []
        return Set(
            cells.filter { $0["month"] as? String == month && $0["suppressed"] as? Bool == true }
                .compactMap { $0["region"] as? String })
    }

    @Test func whatWasHiddenOfAMonthThatWasOverStaysHidden() throws {
        try withStore { folder in
            #expect(hidden(try published(folder), "2024-01") == ["North", "South"])
            try folder.write(Self.trips("2024-01", from: 100, [("South", 7)]), to: "xx_20240211.csv")
            #expect(try run(["load", "xx_20240211.csv"], folder).status == 0)
            // A report says no more than the set that will be published.
            #expect(hidden(try reported([], folder), "2024-01") == ["North", "South"])
            #expect(hidden(try reported(["--month", "2024-01"], folder), "2024-01") == ["North", "South"])
            #expect(hidden(try published(folder), "2024-01") == ["North", "South"])
            #expect(hidden(try published(folder), "2024-01") == ["North", "South"])
            #expect(hidden(try reported(["--internal"], folder), "2024-01") == [])
            // Nothing asks for it but what was published.
            try FileManager.default.removeItem(atPath: folder.path(of: "reports"))
            #expect(hidden(try published(folder), "2024-01") == [])
        }
    }

    /// Who publishes once a month has no trip of the next one yet: the newest month is over all the same.
    @Test(arguments: [(day: "30", isOver: true), (day: "28", isOver: false)])
    func theNewestMonthIsOverOnceItsEndIsThere(day: String, isOver: Bool) throws {
        try TemporaryFolder.with { folder in
            try folder.write("regions: [North, South, East]\nrunning_month: publish\n", to: "tripkpi.yaml")
            let rows = Self.trips("2024-01", [("North", 20), ("South", 5), ("East", 60)])
                .replacing("2024-01-27", with: "2024-01-\(day)").replacing("2024-01-26", with: "2024-01-\(day)")
                .replacing("2024-01-25", with: "2024-01-\(day)")
            try folder.write(rows, to: "xx_20240201.csv")
            #expect(try run(["load", "xx_20240201.csv"], folder).status == 0)
            #expect(hidden(try published(folder), "2024-01") == ["North", "South"])
            try folder.write(
                Self.trips("2024-01", from: 90, [("South", 7)]), to: "xx_20240211.csv")
            #expect(try run(["load", "xx_20240211.csv"], folder).status == 0)
            #expect(hidden(try published(folder), "2024-01") == (isOver ? ["North", "South"] : []))
        }
    }

    /// Many of them: fewer are withheld.
    @Test func tripsOfTheFutureDoNotOpenMonthsThatWereOver() throws {
        try withStore { folder in
            try folder.write(Self.trips("2099-01", [("East", 30)]), to: "xx_20240212.csv")
            try folder.write(Self.trips("2023-01", [("East", 3)]), to: "xx_20240213.csv")
            #expect(try run(["load", "xx_20240212.csv", "xx_20240213.csv"], folder).status == 0)
            #expect(hidden(try published(folder), "2024-01") == ["North", "South"])
            try folder.write(Self.trips("2024-01", from: 100, [("South", 7)]), to: "xx_20240214.csv")
            #expect(try run(["load", "xx_20240214.csv"], folder).status == 0)
            #expect(hidden(try published(folder), "2024-01") == ["North", "South"])
        }
    }

    @Test func aClockThatIsBehindShowsNoRunningMonth() throws {
        try withStore { folder in
            let result = try fixture.run(
                ["report", "--format", "json"], environment: ["SOURCE_DATE_EPOCH": "0"], in: folder.url)
            #expect(result.status == 0, "\(result.stderrText)")
            #expect(try summary(result.stdout)["withheldMonths"] as? [String] == ["2024-02"])
        }
    }

    @Test func theRunningMonthIsLeftOutUntilItIsOver() throws {
        try withStore { folder in
            for document in [try published(folder), try reported([], folder)] {
                #expect(document["withheldMonths"] as? [String] == ["2024-02"])
                #expect(document["months"] as? [String] == ["2024-01"])
                #expect(document["totalTrips"] as? Int == 85)
                #expect((document["dataThrough"] as? String ?? "").hasPrefix("2024-01"))
            }
            #expect(try reported(["--internal"], folder)["totalTrips"] as? Int == 125)
            // Of an earlier month it is not the newest one that is looked at, but the store's.
            #expect(try reported(["--month", "2024-01"], folder)["totalTrips"] as? Int == 85)
            let running = try run(["report", "--month", "2024-02"], folder)
            #expect(running.status == 65 && running.stderrText.contains("running_month to publish"))
            let costs = try run(["costs", "--output", "costs.xlsx", "--month", "2024-02"], folder)
            #expect(!costs.stderrText.isEmpty)
            // The newest month that is shown is over, too: what it hides stays hidden.
            try folder.write(Self.trips("2024-01", from: 100, [("South", 7)]), to: "xx_20240211.csv")
            #expect(try run(["load", "xx_20240211.csv"], folder).status == 0)
            #expect(hidden(try published(folder), "2024-01") == ["North", "South"])
            // A slip of one trip is no month that has begun.
            try folder.write(Self.trips("2024-03", [("East", 1)]), to: "xx_20240301.csv")
            #expect(try run(["load", "xx_20240301.csv"], folder).status == 0)
            #expect(try published(folder)["withheldMonths"] as? [String] == ["2024-02", "2024-03"])
            try folder.write(Self.trips("2024-03", from: 50, [("East", 12)]), to: "xx_20240302.csv")
            #expect(try run(["load", "xx_20240302.csv"], folder).status == 0)
            let march = Self.midFebruary + 25 * 86_400
            #expect(try published(folder, epoch: march)["withheldMonths"] as? [String] == ["2024-03"])
            // Nobody waits for the rest of it for ever.
            let may = march + 60 * 86_400
            let withheld = try published(folder, epoch: may)["withheldMonths"] as? [String]
            #expect(withheld == [])
        }
    }

    @Test func aSlipOfADateEndsNoMonth() throws {
        try withStore { folder in
            for (number, month) in ["2024-03", "2024-12"].enumerated() {
                try folder.write(Self.trips(month, [("East", 1)]), to: "xx_2024021\(number + 1).csv")
                #expect(try run(["load", "xx_2024021\(number + 1).csv"], folder).status == 0)
            }
            let march = Self.midFebruary + 20 * 86_400
            let months = try published(folder, epoch: march)["months"] as? [String]
            #expect(months == ["2024-01"])
            // Months of which the store knows nothing are no running ones.
            #expect(try run(["report", "--month", "2030-01"], folder).status == 0)
        }
    }

    @Test func theRunningMonthIsShownWhereThatIsAskedFor() throws {
        try withStore("running_month: publish\n") { folder in
            let months = try published(folder)["months"] as? [String]
            #expect(months == ["2024-01", "2024-02"])
        }
    }

    @Test func aRunningMonthAloneIsNotPublished() throws {
        try TemporaryFolder.with { folder in
            try folder.write("regions: [North]\n", to: "tripkpi.yaml")
            try folder.write(Self.trips("2024-02", [("North", 40)]), to: "xx_20240210.csv")
            #expect(try run(["load", "xx_20240210.csv"], folder).status == 0)
            let result = try run(["publish"], folder)
            #expect(result.status == 65)
            #expect(result.stderrText.contains("running_month to publish"))
        }
    }
}
