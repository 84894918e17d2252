import Foundation
import GRDB
import TestSupport
import Testing

/// `costs`: its files, its refusals, its audit entries. `check_costs.py` checks the numbers.
@Suite struct CostsCommandTests {
    private let fixture: CommandFixture

    init() throws {
        fixture = try CommandFixture()
    }

    @Test func aMonthOfTheStoreIsAWorkbookAndTheSameBytesAgain() throws {
        try TemporaryFolder.with { folder in
            #expect(try fixture.run(["load", CommandFixture.sample], in: folder.url).status == 0)
            for name in ["a.xlsx", "b.xlsx"] {
                let result = try fixture.run(["costs", "--internal", "--month", "2024-03", "-o", name], in: folder.url)
                #expect(result.status == 0, "\(result.stderrText)")
                #expect(result.stdout.isEmpty && result.stderrText.contains("wrote \(name)"))
            }
            #expect(try folder.read("a.xlsx") == folder.read("b.xlsx"))
            #expect(try folder.read("a.xlsx").starts(with: [0x50, 0x4B]))
        }
    }

    @Test(arguments: [
        ["costs", "--release", "--detail", "d.xlsx"], ["costs", "-o", "costs.csv"],
        ["costs", "--release", "--internal"],
        ["costs", "--internal", "--detail", "d.xlsx", "-o", "d.xlsx"],
        ["costs", "--internal", "--detail", "./d.xlsx", "-o", "d.xlsx"], ["costs", "--zone", "UTC"],
        ["costs", CommandFixture.sample, "--store", "s.sqlite"],
        ["costs", "--month", "2024-03", "--fiscal-year", "2024"], ["costs", "--region", "Nowhere"],
    ])
    func whatMakesNoSenseIsRefused(arguments: [String]) throws {
        try TemporaryFolder.with { folder in
            #expect(try fixture.run(["load", CommandFixture.sample], in: folder.url).status == 0)
            let result = try fixture.run(arguments, in: folder.url)
            #expect(result.status == 64, "\(result.stderrText)")
            let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(!left.contains { $0.hasSuffix(".xlsx") })
        }
    }

    /// Line and column are named, and nothing that the file holds.
    @Test(arguments: [[], [CommandFixture.sample]])
    func aFaultyBudgetMakesNoWorkbook(source: [String]) throws {
        try TemporaryFolder.with { folder in
            #expect(try fixture.run(["load", CommandFixture.sample], in: folder.url).status == 0)
            try folder.write("fiscal_year,region,type,sourcing,trips,cost\n2024,Jane,,,1,1\n", to: "budget.csv")
            let words = ["costs"] + source + ["--internal", "-o", "c.xlsx", "--budget"]
            let faulty = try fixture.run(words + ["budget.csv"], in: folder.url)
            #expect(faulty.status == 65, "\(faulty.stderrText)")
            #expect(faulty.stderrText.contains("budget.csv, line 2, column region: "))
            #expect(!faulty.stderrText.contains("Jane"))
            let missing = try fixture.run(words + ["nowhere.csv"], in: folder.url)
            #expect(missing.status == 66, "\(missing.stderrText)")
            #expect(!FileManager.default.fileExists(atPath: folder.path(of: "c.xlsx")))
        }
    }

    /// Exceptions of trips that were never published get their ids as they are listed; who has no key gets a note.
    @Test func withoutTheKeyExceptionsHaveNoIDs() throws {
        try TemporaryFolder.with { folder in
            #expect(try fixture.run(["load", CommandFixture.sample], in: folder.url).status == 0)
            let keys = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".key") }
            #expect(keys.count == 1)
            for key in keys {
                try FileManager.default.moveItem(atPath: folder.path(of: key), toPath: folder.path(of: "elsewhere"))
            }
            let without = try fixture.run(["costs", "--internal", "-o", "c.xlsx"], in: folder.url)
            #expect(without.status == 0, "\(without.stderrText)")
            #expect(without.stderrText.contains("listed exceptions have no public id, and none could be given: "))
            for key in keys {
                try FileManager.default.moveItem(atPath: folder.path(of: "elsewhere"), toPath: folder.path(of: key))
            }
            let with = try fixture.run(["costs", "--internal", "-o", "c.xlsx"], in: folder.url)
            #expect(with.status == 0 && !with.stderrText.contains("public id"), "\(with.stderrText)")
        }
    }

    /// Ids that look like cell references, a text that is too long for a cell, and an offset beyond 100 million bytes.
    @Test func whatLooksLikeACellIsNoReasonToRefuse() throws {
        try TemporaryFolder.with { folder in
            var rows = ["trip_id,service_date,provider_name,invoice_number,cost,notes"]
            for number in 0..<1_400 {
                let name = number == 900 ? String(repeating: "a b ", count: 10_000) : "Provider \(number)"
                rows.append("C\(number + 1),2024-01-\(number % 18 + 10),\(name),INV\(number / 2),100.00,")
            }
            try folder.write(rows.joined(separator: "\n") + "\n", to: "trips.csv")
            for words in [["scan", "-o", "kpi.xlsx"], ["costs", "--internal", "-o", "c.xlsx", "--detail", "d.xlsx"]] {
                let result = try fixture.run([words[0], "trips.csv"] + words.dropFirst(), in: folder.url)
                #expect(result.status == 0, "\(result.stderrText)")
            }
        }
    }

    @Test func withoutAStoreNothingIsMade() throws {
        try TemporaryFolder.with { folder in
            for arguments in [["costs"], ["costs", "--internal", "--detail", "d.xlsx"]] {
                let result = try fixture.run(arguments, in: folder.url)
                #expect(result.status == 66, "\(result.stderrText)")
            }
            let left = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
            #expect(left.isEmpty)
        }
    }

    /// As with `report`; the workbook says that it has no trips, not that the cost is 0.
    /// A workbook for staff never takes the name, or the place, of one for release.
    @Test func theAudienceMayComeFromASetting() throws {
        try TemporaryFolder.with { folder in
            let costs = ["costs", CommandFixture.sample, "--detail", "d.xlsx"]
            let result = try fixture.run(costs, in: folder.url)
            #expect(result.status == 0)
            #expect(result.stderrText.contains("wrote costs-internal.xlsx"))
            let release = ["TRIPKPI_AUDIENCE": "release"]
            #expect(try fixture.run(costs, environment: release, in: folder.url).status == 64)
            let released = try fixture.run(Array(costs.dropLast(2)), environment: release, in: folder.url)
            #expect(released.stderrText.contains("wrote costs-release.xlsx"))
        }
    }

    @Test(arguments: [["--release"], ["--detail", "d.xlsx"], ["--release", "--accessible"], ["--accessible"]])
    func monthsWithoutTripsAreZeroAndSaid(flags: [String]) throws {
        try TemporaryFolder.with { folder in
            #expect(try fixture.run(["load", CommandFixture.sample], in: folder.url).status == 0)
            #expect(try fixture.run(["publish", "--quiet"], in: folder.url).status == 0)
            let periods = [["--month", "2031-01"], ["--from", "2031-01"], ["--to", "2001-01"]]
            for (source, period) in [[], [CommandFixture.sample]].flatMap({ source in periods.map { (source, $0) } }) {
                let result = try fixture.run(["costs"] + source + period + ["-o", "c.xlsx"] + flags, in: folder.url)
                #expect(result.status == 0, "\(result.stderrText)")
                #expect(
                    result.stderrText.contains("no trip is in the months asked for; there are trips from 2023-10 to "))
                #expect(try folder.read("c.xlsx").starts(with: [0x50, 0x4B]))
            }
        }
    }

    /// As `report` and `trips` do. A period with a released month is a workbook.
    @Test func aPeriodWithoutAReleasedMonthIs65() throws {
        try TemporaryFolder.with { folder in
            var lines = "trip_id,service_date,cost\n"
            for month in ["2025-09", "2025-10", "2025-12"] {
                for number in 0..<60 { lines += "T\(month)\(number),\(month)-\(number % 20 + 10),100.00\n" }
            }
            try folder.write(lines, to: "trips.csv")
            // December 2025 is open on the 30th.
            let today = ["SOURCE_DATE_EPOCH": "1767052800"]
            for words in [["load", "trips.csv"], ["publish", "--quiet"]] {
                let made = try fixture.run(words, environment: today, in: folder.url)
                #expect(made.status == 0, "\(made.stderrText)")
            }
            for words in [["costs", "--release", "-o", "c.xlsx"], ["report", "--release"]] {
                let open = try fixture.run(words + ["--month", "2025-12"], environment: today, in: folder.url)
                #expect(open.status == 65, "\(words): \(open.stderrText)")
                #expect(open.stderrText.contains("no month that was asked for is released yet"))
            }
            #expect(!FileManager.default.fileExists(atPath: folder.path(of: "c.xlsx")))
            for words in [
                ["--from", "2025-10", "--release"], ["--month", "2025-12"], ["--month", "2025-11", "--release"],
            ] {
                let made = try fixture.run(["costs", "-o", "c.xlsx"] + words, environment: today, in: folder.url)
                #expect(made.status == 0, "\(words): \(made.stderrText)")
            }
        }
    }

    @Test(arguments: [[], ["--release"]])
    func aFiscalYearInPartIsSaid(flags: [String]) throws {
        try TemporaryFolder.with { folder in
            var lines = "trip_id,service_date,cost\n"
            for month in ["2025-06", "2025-07", "2025-08", "2025-09", "2025-10"] {
                for number in 0..<60 { lines += "T\(month)\(number),\(month)-\(number % 20 + 10),100.00\n" }
            }
            try folder.write(lines, to: "trips.csv")
            let year = "note: FY2025: 4 of 12 months have trips: 2025-06 to 2025-09"
            for (period, notes) in [
                (["--fiscal-year", "2025"], [year]), (["--month", "2025-06"], []),
                ([], [year, "note: FY2026: 1 of 12 months has trips: 2025-10"]),
            ] {
                let result = try fixture.run(
                    ["costs", "trips.csv", "-o", "c.xlsx"] + period + flags, in: folder.url)
                #expect(result.status == 0, "\(result.stderrText)")
                let found = result.stderrText.split(separator: "\n").filter { $0.hasPrefix("note: FY") }.map(
                    String.init)
                #expect(found == notes)
            }
        }
    }

    @Test func whatIsInternalIsWrittenDown() throws {
        try TemporaryFolder.with { folder in
            let log = folder.url.appendingPathComponent("audit.jsonl")
            let environment = ["TRIPKPI_AUDIT_LOG": log.path]
            let result = try fixture.run(
                ["costs", CommandFixture.sample, "--internal", "--detail", "d.xlsx"], environment: environment,
                in: folder.url)
            #expect(result.status == 0, "\(result.stderrText)")
            let entries = try String(contentsOf: log, encoding: .utf8).split(separator: "\n")
                .filter { $0.contains("\"event\":\"report\"") }
            #expect(entries.count == 2)
            #expect(entries.allSatisfy { $0.contains("\"internal\":true") && $0.contains("tripkpi costs") })
        }
    }

    /// The rules' name, which looks like a telephone number, is only in the workbook, not in the detail file.
    @Test func noDetailFileIsWrittenIfTheWorkbookIsRefused() throws {
        try TemporaryFolder.with { folder in
            let log = folder.url.appendingPathComponent("audit.jsonl")
            try folder.write(CommandFixture.trips(200), to: "trips.csv")
            let rule = "rules: [{id: a, reason: As paid., when: {present: cost}, then: contracted}]"
            for (name, status) in [("317-555-0142", Int32(65)), ("trial", 0)] {
                try folder.write("name: \"\(name)\"\n\(rule)\n", to: "rules.yaml")
                let result = try fixture.run(
                    [
                        "costs", "trips.csv", "--rules", "rules.yaml", "--internal", "-o", "c.xlsx", "--detail",
                        "d.xlsx",
                    ],
                    environment: ["TRIPKPI_AUDIT_LOG": log.path], in: folder.url)
                #expect(result.status == status, "\(result.stderrText)")
                let made = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
                    .filter { $0.hasSuffix(".xlsx") }
                #expect(made.sorted() == (status == 0 ? ["c.xlsx", "d.xlsx"] : []))
                let said = try String(contentsOf: log, encoding: .utf8)
                #expect(
                    said.contains("\"event\":\"report\"") == (status == 0), "only a published workbook is recorded")
            }
        }
    }

    @Test func standardInputIsEnoughForWhatIsReleasedOnly() throws {
        try TemporaryFolder.with { folder in
            let bytes = Array(CommandFixture.trips(200).utf8)
            let released = try fixture.run(["costs", "-", "--release", "-o", "r.xlsx"], stdin: bytes, in: folder.url)
            #expect(released.status == 0, "\(released.stderrText)")
            let inside = try fixture.run(["costs", "-", "-o", "i.xlsx"], stdin: bytes, in: folder.url)
            #expect(inside.status == 65)
            #expect(inside.stderrText.contains("name the export as a file"))
        }
    }

    @Test func noIdentifierIsSaid() throws {
        try TemporaryFolder.with { folder in
            let export = folder.url.appendingPathComponent("export.csv")
            try CommandFixture.canaryExport.write(to: export, atomically: true, encoding: .utf8)
            let result = try fixture.run(
                ["costs", export.path, "--internal", "--max-reject", "100%"], in: folder.url)
            #expect(result.leaks.isEmpty)
        }
    }

    /// A store with more rows than are scanned completely.
    @Test func damagedRowsOfALargeStoreAre74() throws {
        try TemporaryFolder.with { folder in
            var export = "trip_id,service_date,cost\n"
            for number in 0..<100_300 {
                export += "T\(number),2025-\(number % 12 < 9 ? "0" : "")\(number % 12 + 1)-15,\(number % 90 + 10).00\n"
            }
            try folder.write(export, to: "trips.csv")
            #expect(try fixture.run(["load", "trips.csv"], in: folder.url).status == 0)
            let store = try DatabaseQueue(path: folder.path(of: "store/tripkpi.sqlite"))
            try store.write { db in
                try db.execute(
                    sql: "UPDATE trips SET cost_cents = cost_cents + 100 WHERE (key_high, key_low) IN "
                        + "(SELECT key_high, key_low FROM trips WHERE month = 2025 * 12 + 11 ORDER BY key_high DESC LIMIT 1)"
                )
            }
            try store.close()
            for period in [[], ["--month", "2025-12"]] {
                let damaged = try fixture.run(["costs", "--internal"] + period, in: folder.url)
                #expect(damaged.status == 74, "\(damaged.stderrText)")
                #expect(damaged.stderrText.contains("the store is damaged"))
            }
            let other = try fixture.run(["costs", "--internal", "--month", "2025-03"], in: folder.url)
            #expect(other.status == 0, "\(other.stderrText)")
        }
    }
}
