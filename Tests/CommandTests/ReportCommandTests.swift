import Foundation
import TestSupport
import Testing

@Suite struct ReportCommandTests {
    private let fixture: CommandFixture

    init() throws {
        fixture = try CommandFixture()
    }

    /// Rows of `--format csv --internal` by month, region and type, without the release column.
    private func rows(_ arguments: [String]) throws -> [String: String] {
        let result = try fixture.run(arguments + [CommandFixture.sample, "--internal", "--quiet", "--format", "csv"])
        #expect(result.status == 0)
        var rows: [String: String] = [:]
        for line in result.stdoutText.split(separator: "\r\n").dropFirst() {
            // What the report is restricted to may have commas.
            let line = line.hasPrefix("\"") ? "x" + line.dropFirst().drop { $0 != "\"" }.dropFirst() : String(line)
            let fields = line.split(separator: ",", omittingEmptySubsequences: false)
            rows[fields[1...3].joined(separator: "|")] = fields[4...].joined(separator: ",")
        }
        return rows
    }

    @Test func aMonthsReportIsThatMonthOfTheScanAndAllMeansThatMonth() throws {
        let scan = try rows(["scan"])
        let report = try rows(["report", "--month", "2023-12"])
        for (key, row) in report {
            let inScan = key.hasPrefix("All|") ? "2023-12|" + key.dropFirst(4) : key
            #expect(row == scan[inScan], "\(key)")
        }
        #expect(report.keys.contains("2023-12|North|Emergency"))
        #expect(!report.keys.contains { $0.hasPrefix("2024") })
    }

    @Test func aRegionsReportSumsThatRegionOnly() throws {
        let scan = try rows(["scan"])
        let report = try rows(["report", "--region", "north", "--region", "Unassigned", "--type", "Emergency"])
        #expect(report["2023-11|North|Emergency"] == scan["2023-11|North|Emergency"])
        #expect(!report.keys.contains { $0.contains("South") || $0.contains("Routine") })
        let trips = { (rows: [String: String], key: String) in
            rows[key].flatMap { Int($0.split(separator: ",", omittingEmptySubsequences: false)[6]) } ?? -1
        }
        let parts = ["North", "Unassigned"].map { trips(scan, "All|\($0)|Emergency") }
        #expect(trips(report, "All|All|All") == parts.reduce(0, +))
    }

    @Test func aFiscalYearRunsFromOctoberToSeptember() throws {
        let year = try rows(["report", "--fiscal-year", "2024"])
        let span = try rows(["report", "--from", "2023-10", "--to", "2024-09"])
        #expect(year == span)
        #expect(
            try rows(["report", "--fiscal-year", "2023"])["All|All|All"]?.hasPrefix(
                "false,true,false,false,classified,,0") == true)
    }

    @Test func anEmptySelectionIsZeroAndSaid() throws {
        let result = try fixture.run(["report", CommandFixture.sample, "--month", "2031-01"])
        #expect(result.status == 0)
        #expect(
            result.stderrText.contains(
                "no trip is in the selection (only month 2031-01); there are trips from 2023-"))
    }

    @Test func theSelectionIsSaidInEveryForm() throws {
        let selection = ["report", CommandFixture.sample, "--month", "2023-12", "--quiet"]
        #expect(try fixture.run(selection).stdoutText.contains("only month December 2023"))
        #expect(try fixture.run(selection + ["--long"]).stdoutText.contains("only month 2023-12"))
        for form in ["json", "csv", "ndjson", "md", "html"] {
            let text = try fixture.run(selection + ["--format", form]).stdoutText
            #expect(text.contains("only month 2023-12"), "\(form)")
        }
        let all = try fixture.run(["report", CommandFixture.sample, "--quiet", "--format", "json"]).stdoutText
        #expect(!all.contains("\"selection\""))
    }

    /// The report of one month has the same numbers as the report of all months.
    @Test(arguments: [[], ["--release"]])
    func aMonthIsComparedWithMonthsThatAreNotSelected(mode: [String]) throws {
        func comparisons(_ arguments: [String]) throws -> [[String: Any]] {
            let result = try fixture.run(arguments + mode + ["--quiet", "--format", "json"])
            let object = try JSONSerialization.jsonObject(with: Data(result.stdout))
            return (object as? [String: Any])?["comparisons"] as? [[String: Any]] ?? []
        }
        let all = try comparisons(["scan", CommandFixture.sample])
        let month = try #require(all.last?["month"] as? String)
        let one = try comparisons(["report", CommandFixture.sample, "--month", month])
        // Months of the release leave out a few unclassified trips, so they are not compared.
        #expect(one.count == 1 && (one.first?["previousMonthTrips"] is Int) == mode.isEmpty)
        #expect(one.map { NSDictionary(dictionary: $0) } == all.suffix(1).map { NSDictionary(dictionary: $0) })
    }

    /// The four trips of one cell cannot be released, so there is no report.
    @Test func smallCountsOfTheSelectionAreHidden() throws {
        let result = try fixture.run(
            [
                "report", CommandFixture.sample, "--month", "2023-12", "--region", "North", "--type", "Emergency",
                "--release",
            ])
        #expect(result.status == 65)
        #expect(result.stdout.isEmpty)
    }

    @Test(arguments: [
        ["--month", "2023-13"], ["--month", "2023-12", "--fiscal-year", "2024"], ["--region", "Nowhere"],
        ["--type", "Nothing"], ["--from", "2024-02", "--to", "2024-01"], ["--format", "pdf"], ["--format", "xlsx"],
        ["--brief", "--long"], ["--brief", "--format", "csv"], ["--long", "--format", "md"],
    ])
    func aSelectionThatMakesNoSenseIs64(arguments: [String]) throws {
        let result = try fixture.run(["report", CommandFixture.sample] + arguments)
        #expect(result.status == 64)
        #expect(result.stdout.isEmpty)
    }
}
