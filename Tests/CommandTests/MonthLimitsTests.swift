import Foundation
import TestSupport
import Testing

/// `first_month` and `last_month`: months at the edges are named, and left out of every figure, while the records add up.
@Suite struct MonthLimitsTests {
    private let fixture: CommandFixture
    private static let limits = ["TRIPKPI_FIRST_MONTH": "2024-01", "TRIPKPI_LAST_MONTH": "2024-03"]
    private static let equation =
        "read 183 = added 183 + updated 0 + unchanged 0 + superseded 0 + skipped 0 + rejected 0"

    init() throws {
        fixture = try CommandFixture()
    }

    /// 60 trips in each of three months, two in 1970 and one in 2025; each costs 100 dollars.
    private static var export: String {
        let days = (0..<180).map { "2024-0\($0 % 3 + 1)-\($0 % 20 + 10)" } + ["1970-01-02", "1970-01-02", "2025-11-05"]
        let rows = days.enumerated().map { "SYN-\($0),\($1),\($0.isMultiple(of: 2) ? "QN" : ""),MED1,100.00" }
        return "trip_id,service_date,hcpcs_modifiers,provider_id,cost\n" + rows.joined(separator: "\n") + "\n"
    }

    private struct Summary: Decodable {
        struct Quality: Decodable { var read: Int? }
        var months: [String]
        var withheldMonths: [String]
        var totalTrips: Int
        var dateBasis: String
        var quality: Quality
    }

    private func summary(_ bytes: some Sequence<UInt8>) throws -> Summary {
        try JSONDecoder().decode(Summary.self, from: Data(bytes))
    }

    @Test func scanNamesTheEdgesAndLeavesThemOut() throws {
        try TemporaryFolder.with { folder in
            try folder.write(Self.export, to: "trips.csv")
            let scan = ["scan", "trips.csv", "--internal", "--format", "json"]
            let whole = try fixture.run(scan, in: folder.url)
            #expect(whole.status == 0)
            #expect(whole.stderrText.contains("note: 1970-01 has under 5 % of the trips of 2024-01"))
            #expect(whole.stderrText.contains("the setting last_month: 2024-03 leaves such trips out"))
            #expect(try summary(whole.stdout).months == ["1970-01", "2024-01", "2024-02", "2024-03", "2025-11"])
            let part = try fixture.run(scan, environment: Self.limits, in: folder.url)
            #expect(part.status == 0)
            #expect(!part.stderrText.contains("under 5 %"))
            for result in [whole, part] { #expect(result.stderrText.contains(Self.equation)) }
            let figures = try summary(part.stdout)
            #expect(figures.months == ["2024-01", "2024-02", "2024-03"])
            #expect(figures.totalTrips == 180)
            #expect(figures.quality.read == 183)
            #expect(figures.dateBasis.contains("only months from 2024-01 to 2024-03, by the settings"))
            let table = try fixture.run(["scan", "trips.csv"], in: folder.url).stdoutText
            #expect(table.replacingOccurrences(of: "\n", with: " ").contains("January 1970 has under 5 % of the trips"))
        }
    }

    @Test func costsAndRowsOfExportsLeaveThemOut() throws {
        try TemporaryFolder.with { folder in
            try folder.write(Self.export, to: "trips.csv")
            let costs = ["costs", "trips.csv", "--internal", "--output", "costs.xlsx"]
            #expect(try fixture.run(costs, environment: Self.limits, in: folder.url).status == 0)
            let trips = ["trips", "trips.csv", "--privacy", "limited-data-set"]
            let rows = try fixture.run(trips, environment: Self.limits, in: folder.url)
            #expect(rows.stdoutText.split(separator: "\n").count { $0.contains("2024-0") } == 180)
            #expect(!rows.stdoutText.contains("1970-01-01") && !rows.stdoutText.contains("2025-11-05"))
        }
    }

    @Test func aPublishedSetLeavesThemOutUntilTheSettingIsGone() throws {
        try TemporaryFolder.with { folder in
            try folder.write(Self.export, to: "inbox/trips.csv")
            let places = ["--store", "store/trips.sqlite", "--reports", "published"]
            func run(_ words: [String], _ environment: [String: String] = [:]) throws -> CommandResult {
                try fixture.run(words + places, environment: environment, in: folder.url)
            }
            func published(_ audience: String) throws -> Summary {
                try summary(folder.read("published/\(audience)/current/kpi-summary.json"))
            }
            let inside = ["2024-01", "2024-02", "2024-03"]
            let first = try run(["run", "--inbox", "inbox"], Self.limits)
            #expect(first.status == 0, "\(first.stderrText)")
            #expect(first.stderrText.contains("183 read = 183 added"))
            #expect(try published("staff").months == inside)
            #expect(try published("staff").quality.read == 183)
            #expect(try published("release").months == inside)
            #expect(try published("release").withheldMonths == [])
            let verified = try run(["verify"], Self.limits)
            #expect(verified.status == 0, "\(verified.stdoutText)")
            #expect(try run(["report", "--internal"], Self.limits).stdoutText.contains("180"))
            #expect(try run(["costs", "--internal", "--output", "c.xlsx"], Self.limits).status == 0)
            let outside = ["costs", "--internal", "--month", "1970-01", "--output", "d.xlsx"]
            #expect(try run(outside, Self.limits).stderrText.contains("no trip is in the months asked for"))
            let rows = try run(["trips", "--privacy", "limited-data-set"], Self.limits).stdoutText
            #expect(rows.contains("2024-02-") && !rows.contains("1970-01-01"))

            let second = try run(["run", "--inbox", "inbox"])
            #expect(second.status == 0, "\(second.stderrText)")
            #expect(second.stderrText.contains("1970-01 has under 5 % of the trips of 2024-01"))
            #expect(try published("staff").months == ["1970-01"] + inside + ["2025-11"])
            // Too few trips for a group are not released; the months before stay as they were released.
            #expect(try published("release").months == inside)
            #expect(try run(["verify"]).status == 0)
        }
    }

    @Test func aMonthThatIsReleasedIsNotShownWhileItIsLeftOut() throws {
        try TemporaryFolder.with { folder in
            try folder.write(Self.export, to: "inbox/trips.csv")
            let run = ["run", "--inbox", "inbox", "--store", "store/trips.sqlite", "--reports", "published"]
            let verify = ["verify", "--store", "store/trips.sqlite", "--reports", "published"]
            func released() throws -> [String] {
                try summary(folder.read("published/release/current/kpi-summary.json")).months
            }
            let later = ["TRIPKPI_FIRST_MONTH": "2024-02"]
            #expect(try fixture.run(run, in: folder.url).status == 0)
            #expect(try released() == ["2024-01", "2024-02", "2024-03"])
            #expect(try fixture.run(run, environment: later, in: folder.url).status == 0)
            #expect(try released() == ["2024-02", "2024-03"])
            #expect(try fixture.run(verify, environment: later, in: folder.url).status == 0)
            #expect(try fixture.run(run, in: folder.url).status == 0)
            #expect(try released() == ["2024-01", "2024-02", "2024-03"])
        }
    }

    @Test(arguments: [
        (["TRIPKPI_FIRST_MONTH": "2024-13"], "first_month is not a month"),
        (["TRIPKPI_FIRST_MONTH": "2024-02", "TRIPKPI_LAST_MONTH": "2024-01"], "last_month (2024-01) is before"),
    ])
    func wrongLimitsAreRefused(_ environment: [String: String], _ text: String) throws {
        let result = try fixture.run(["scan", CommandFixture.sample], environment: environment)
        #expect(result.status == 78)
        #expect(result.stderrText.contains(text))
    }
}
