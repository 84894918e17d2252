import Foundation
import TestSupport
import Testing

/// `report` without exports: the store's numbers.
@Suite struct StoreReportCommandTests {
    private let fixture: CommandFixture

    init() throws {
        fixture = try CommandFixture()
    }

    private func withStore(_ body: (TemporaryFolder) throws -> Void) throws {
        try TemporaryFolder.with { folder in
            #expect(try fixture.run(["load", CommandFixture.sample], in: folder.url).status == 0)
            try body(folder)
        }
    }

    private func document(_ result: CommandResult) throws -> [String: Any] {
        #expect(result.status == 0, "\(result.stderrText)")
        return try #require(try JSONSerialization.jsonObject(with: Data(result.stdout)) as? [String: Any])
    }

    /// Everything in a scan of the same exports, except the parts that only a store or only a scan has.
    @Test func itSaysWhatAScanOfTheSameExportsSays() throws {
        try withStore { folder in
            let form = ["--format", "json", "--internal"]
            var report = try document(try fixture.run(["report"] + form, in: folder.url))
            var scan = try document(try fixture.run(["scan", CommandFixture.sample] + form))
            for key in ["runId", "quality"] {
                var quality = report[key] as? [String: Any] ?? [:], other = scan[key] as? [String: Any] ?? [:]
                for part in ["exports", "missingDays", "missingDayCount"] {
                    quality[part] = nil
                    other[part] = nil
                }
                #expect(NSDictionary(dictionary: quality) == NSDictionary(dictionary: other))
                report[key] = nil
                scan[key] = nil
            }
            #expect(report.count > 15)
            for (key, value) in report { #expect(NSObject.equal(value, scan[key]), "\(key)") }
        }
    }

    @Test(arguments: [
        ["--month", "2023-12"], ["--fiscal-year", "2024"], ["--from", "2024-01", "--to", "2024-03"],
        ["--region", "north", "--type", "Emergency"], [],
    ])
    func aPartOfItIsThatPartOfAScan(selection: [String]) throws {
        try withStore { folder in
            for form in [["csv"], ["ndjson"], ["table"], ["table", "--long"], ["table", "--brief"]] {
                let end = selection + ["--format"] + form
                let report = try fixture.run(["report"] + end, in: folder.url)
                let scan = try fixture.run(["report", CommandFixture.sample] + end)
                #expect(report.status == 0)
                #expect(report.stdoutText == scan.stdoutText, "\(form)")
                let equation = "read = added + updated + unchanged + superseded + skipped + rejected"
                #expect(scan.stderrText.contains(equation) == report.stderrText.contains(equation))
            }
        }
    }

    @Test func itSaysWhatIsPublished() throws {
        try withStore { folder in
            #expect(try fixture.run(["report"], in: folder.url).stderrText.contains("nothing is published yet in "))
            #expect(try fixture.run(["publish"], in: folder.url).status == 0)
            let result = try fixture.run(["report"], in: folder.url)
            #expect(result.stderrText.contains("published: 20260101T000000Z-"))
            #expect(result.stderrText.contains(", 2026-01-01T00:00:00Z, of the same exports"))
            let workbook = try fixture.run(["report", "--output", "kpi.xlsx"], in: folder.url)
            #expect(workbook.status == 0)
            #expect(try folder.read("kpi.xlsx").starts(with: Array("PK".utf8)))
            #expect(try fixture.run(["report", "--dry-run"], in: folder.url).stdoutText.hasPrefix("store "))
        }
    }

    @Test func aMonthThatIsNotFinishedIsRefusedAndOthersAreNot() throws {
        try withStore { folder in
            let shell = try CommandRunner(executable: URL(fileURLWithPath: "/usr/bin/env"))
            let sql = """
                import sqlite3
                db = sqlite3.connect("store/tripkpi.sqlite")
                db.execute("UPDATE month_tallies SET is_stale = 1 WHERE month = 2023 * 12 + 11")
                db.commit()
                """
            #expect(try shell.run(["python3", "-c", sql], in: folder.url).status == 0)
            let result = try fixture.run(["report", "--release"], in: folder.url)
            #expect(result.status == 74)
            #expect(result.stderrText.contains("the numbers of 2023-12 are not finished"))
            #expect(result.stdout.isEmpty)
            #expect(try fixture.run(["report", "--from", "2024-01", "--internal"], in: folder.url).status == 0)
            #expect(try fixture.run(["publish"], in: folder.url).status == 0)
            #expect(try fixture.run(["report", "--release"], in: folder.url).status == 0)
        }
    }

    @Test(arguments: [
        ["--rules", "default"], ["--profile", "vetride"], ["--unique"], ["--region", "Nowhere"],
        [CommandFixture.sample, "--store", "x"],
    ])
    func whatMakesNoSenseIs64(arguments: [String]) throws {
        try withStore { folder in
            let result = try fixture.run(["report"] + arguments, in: folder.url)
            #expect(result.status == 64)
        }
    }

    @Test func withoutAStoreItEndsWith66AndMakesNone() throws {
        try TemporaryFolder.with { folder in
            let result = try fixture.run(["report", "--store", "here.sqlite"], in: folder.url)
            #expect(result.status == 66 && result.stderrText.contains("here.sqlite: there is no store"))
            #expect(result.stderrText.contains("name the exports: tripkpi report"))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
        }
    }
}

extension NSObject {
    /// Two values of JSON.
    fileprivate static func equal(_ left: Any, _ right: Any?) -> Bool {
        (left as? NSObject) == (right as? NSObject)
    }
}
