import Foundation
import TestSupport
import Testing

/// No total is quietly too low: what cannot be read is counted, named, and refused where it is much.
@Suite struct UnreadableValuesTests {
    private let fixture: CommandFixture

    init() throws {
        fixture = try CommandFixture()
    }

    private static let columns = [
        "trip_id", "trip_type", "region", "unit_notified_at", "on_scene_at", "left_scene_at", "loaded_miles", "cost",
    ]

    /// Trips of March 2025, with what `change` makes of one by its number.
    private static func export(_ count: Int, _ change: (Int, inout [String: String]) -> Void = { _, _ in }) -> String {
        let rows = (0..<count).map { number in
            let day = "2025-03-" + String(number % 20 + 10)
            var row = [
                "trip_id": "T\(number)", "trip_type": "Routine", "region": "North",
                "unit_notified_at": "\(day) 10:00:00",
                "on_scene_at": "\(day) 10:10:00", "left_scene_at": "\(day) 10:30:00", "loaded_miles": "5.0",
                "cost": "100.00",
            ]
            change(number, &row)
            return columns.map { row[$0] ?? "" }.joined(separator: ",")
        }
        return columns.joined(separator: ",") + "\n" + rows.joined(separator: "\n") + "\n"
    }

    private static let profile = """
        source: site
        columns:
          trip_id: trip_id
          trip_type: trip_type
          region: region
          unit_notified_at: unit_notified_at
          on_scene_at: on_scene_at
          left_scene_at: left_scene_at
          loaded_miles: loaded_miles
          cost: cost

        """

    private func scan(_ export: some Sequence<UInt8>, profile lines: String? = nil, _ flags: [String] = []) throws
        -> CommandResult
    {
        try TemporaryFolder.with { folder in
            try folder.write(export, to: "export.csv")
            var command = ["scan", "export.csv", "--audience", "staff", "--format", "json"] + flags
            if let lines {
                try folder.write(Self.profile + lines, to: "site.yaml")
                command += ["--profile", "./site.yaml"]
            }
            return try fixture.run(command, in: folder.url)
        }
    }

    private func scan(_ export: String, profile lines: String? = nil) throws -> CommandResult {
        try scan(export.utf8, profile: lines)
    }

    /// An object or a list where a value belongs is no blank.
    @Test(arguments: [#"{"amount": 100.00}"#, "[100.00]"]) func valuesOfJSONThatHaveParts(cost: String) throws {
        try TemporaryFolder.with { folder in
            let rows = (0..<40).map { number in
                let value = number % 2 == 0 ? "100.00" : cost
                return #"{"trip_id": "T\#(number)", "service_date": "2025-03-10", "cost": \#(value)}"# + "\n"
            }
            try folder.write(rows.joined(), to: "export.ndjson")
            let failed = try fixture.run(["scan", "export.ndjson", "--audience", "staff"], in: folder.url)
            #expect(failed.status == 65 && failed.stdoutText.isEmpty)
            #expect(
                failed.stderrText.contains("20 of 40 values of cost (50 %) cannot be read"), "\(failed.stderrText)")
        }
    }

    @Test func anExportThatLosesMuchOfAColumnFailsUntilThatIsAccepted() throws {
        let export = Self.export(400) { number, row in
            if number % 2 == 1 { row["cost"] = "see invoice" } else if number % 8 == 0 { row["cost"] = "N/A" }
        }
        let failed = try scan(export)
        #expect(failed.status == 65 && failed.stdoutText.isEmpty)
        for part in [
            "200 of 350 values of cost (57.14 %) cannot be read (they look like aaa aaaaaaa)", "5 %", "max_unreadable",
            "accept_unreadable: [cost]", "record 2 at byte ", "cost: looks like aaa aaaaaaa",
        ] {
            #expect(failed.stderrText.contains(part), "\(part): \(failed.stderrText)")
        }
        let accepted = try scan(export, profile: "accept_unreadable: [cost]\n")
        #expect(accepted.status == 0 && accepted.stdoutText.contains("\"costedTrips\":150"))
        #expect(accepted.stderrText.contains("warning: export.csv: 200 of 350 values of cost (57.14 %) cannot be read"))
        #expect(try scan(export, profile: "max_unreadable: 60%\n").status == 0)
        #expect(try scan(export, profile: "accept_unreadable: [loaded_miles]\n").status == 65)
    }

    @Test func aSmallShareIsOneLineWithItsFirstPlaces() throws {
        let read = try scan(
            Self.export(400) { number, row in
                if number % 100 == 7 { row["cost"] = "see invoice" }
                if number == 3 { row["unit_notified_at"] = "10h00" }
            })
        #expect(read.status == 0)
        #expect(read.stderrText.contains("4 of 400 values of cost (1 %) cannot be read"), "\(read.stderrText)")
        #expect(read.stderrText.contains("record 8 at byte") && read.stderrText.contains("record 108 at byte"))
        #expect(
            read.stderrText.contains(
                "1 of 400 values of unit_notified_at (0.25 %) cannot be read (they look like 99a99)"))
    }

    @Test func everyValueCountsNotASample() throws {
        // Each second row only: a sample of every second row would see all or none of them.
        for first in 0...1 {
            let read = try scan(
                Self.export(20_000) { number, row in if number % 2 == first { row["loaded_miles"] = "far" } })
            #expect(read.status == 65 && read.stderrText.contains("10000 of 20000 values of loaded_miles (50 %)"))
        }
    }

    @Test func costsInMoreThanOneCurrencyFail() throws {
        let euros = Self.export(40) { number, row in
            if number < 3 { row["cost"] = "100.00 EUR" } else { row["cost"] = "$100.00" }
        }
        let read = try scan(euros)
        #expect(
            read.status == 65 && read.stderrText.contains("more than one currency (37 in USD, 3 in EUR)"),
            "\(read.stderrText)")
        #expect(try scan(Self.export(40) { number, row in if number < 3 { row["cost"] = "USD 100.00" } }).status == 0)
    }

    @Test func costsOfTwoExportsInTwoCurrenciesFail() throws {
        func export(_ currency: String) -> String {
            Self.export(20) { number, row in
                row["trip_id"] = "\(currency)\(number)"
                row["cost"] = "\(currency) 100.00"
            }
        }
        try TemporaryFolder.with { folder in
            for currency in ["USD", "EUR"] { try folder.write(export(currency), to: "\(currency).csv") }
            let read = try fixture.run(["scan", "USD.csv", "EUR.csv", "--audience", "staff"], in: folder.url)
            #expect(read.status == 65 && read.stdout.isEmpty)
            #expect(
                read.stderrText.contains(
                    "the exports: their costs are in more than one currency (20 in EUR, 20 in USD)"),
                "\(read.stderrText)")
            #expect(try fixture.run(["scan", "EUR.csv", "--audience", "staff"], in: folder.url).status == 0)
        }
    }

    @Test func aRefusedExportNamesItsFirstRejectedRecords() throws {
        let export = Self.export(400) { number, row in if number % 10 == 4 { row["trip_id"] = "" } }
        let read = try scan(export)
        #expect(read.status == 65 && read.stderrText.contains("40 of 400 records are rejected"))
        #expect(read.stderrText.contains("record 5 at byte") && read.stderrText.contains("trip_id: missing_trip_id"))
        #expect(read.stderrText.components(separatedBy: "missing_trip_id").count == 22)
        try TemporaryFolder.with { folder in
            try folder.write(export, to: "inbox/export.csv")
            let run = try fixture.run(
                ["run", "--inbox", "inbox", "--store", "store/t.sqlite", "--reports", "published"], in: folder.url)
            #expect(run.status == 65 && run.stderrText.contains("trip_id: missing_trip_id"), "\(run.stderrText)")
        }
    }

    @Test func milesThatNoTripCanHaveAreExcludedAndCounted() throws {
        let export = Self.export(40) { number, row in
            if number == 1 { row["loaded_miles"] = "400000" }
            if number == 2 { row["loaded_miles"] = "500.0" }
        }
        let read = try scan(export)
        #expect(read.stdoutText.contains("\"implausible_miles\": 1"))
        #expect(read.stdoutText.contains("\"loadedMiles\":690.0"))
        #expect(try scan(export, profile: "max_miles: 400\n").stdoutText.contains("\"implausible_miles\": 2"))
    }

    @Test func flightsMayBeLongerAndOdometersAreBoundedToo() throws {
        let header = "trip_id,service_date,hcpcs_code,odometer_start,odometer_end\n"
        let rows = ["A0430", "A0431QN", "A0428", ""].enumerated().map { "T\($0),2025-03-0\($0 + 1),\($1),1000,2200\n" }
        let read = try scan(header + rows.joined() + "T9,2025-03-09,A0430,1000,5000\n")
        #expect(read.stdoutText.contains("\"implausible_miles\": 3"), "\(read.stderrText)")
        #expect(read.stdoutText.contains("\"loadedMiles\":2400.0"))
    }

    @Test func textsThatAreNoUTF8AreNamedAndRefusedWhereTheyAreMany() throws {
        func export(_ isDamaged: (Int) -> Bool) -> [UInt8] {
            var bytes: [UInt8] = []
            for (number, line) in Self.export(200).split(separator: "\n").enumerated() {
                let parts = line.split(separator: "North")
                bytes += Array(parts[0].utf8)
                if parts.count > 1 {
                    bytes += (isDamaged(number) ? [0xD6] : Array("Ö".utf8)) + Array("st".utf8) + Array(parts[1].utf8)
                }
                bytes.append(0x0A)
            }
            return bytes
        }
        let regions = "regions: [Öst]\n"
        let half = try scan(export { $0 > 100 }, profile: regions)
        #expect(half.status == 65, "\(half.stderrText)")
        #expect(half.stderrText.contains("100 of 200 values of region (50 %) are no UTF-8"), "\(half.stderrText)")
        #expect(half.stderrText.contains("record 101 at byte"))
        let one = try scan(export { $0 == 7 }, profile: regions)
        #expect(one.status == 0 && one.stderrText.contains("1 of 200 values of region (0.50 %) are no UTF-8"))
        #expect(one.stderrText.contains("record 7 at byte"))
        #expect(!(try scan(export { _ in false }, profile: regions)).stderrText.contains("UTF-8"))
    }

    @Test func timesThatAreAlwaysMidnightAreDates() throws {
        let read = try scan(Self.export(60) { number, row in row["on_scene_at"] = "2025-03-20 00:00:00" })
        #expect(
            read.status == 0 && read.stderrText.contains("on_scene_at is at 0:00 in the first records"),
            "\(read.stderrText)")
        #expect(!read.stderrText.contains("response is"))
        #expect(read.stdoutText.contains("\"interval_negative\": 0"))
        let few = try scan(Self.export(19) { number, row in row["on_scene_at"] = "2025-03-20 00:00:00" })
        #expect(few.stderrText.contains("all 19 values of on_scene_at are at 0:00"), "\(few.stderrText)")
        let two = try scan(Self.export(2) { number, row in row["on_scene_at"] = "2025-03-20 00:00:00" })
        #expect(!two.stderrText.contains("at 0:00"))
    }

    @Test func intervalsThatCannotBeRightAreNamed() throws {
        let swapped = try scan(
            Self.export(60) { number, row in
                (row["on_scene_at"], row["left_scene_at"]) = (row["left_scene_at"], row["on_scene_at"])
            })
        #expect(swapped.stderrText.contains("scene is negative in 60 of 60 trips"), "\(swapped.stderrText)")
        let apart = try scan(
            Self.export(60) { number, row in row[number % 2 == 0 ? "unit_notified_at" : "on_scene_at"] = "" })
        #expect(apart.stderrText.contains("response has no trip with both times, of 60"), "\(apart.stderrText)")
        let same = try scan(
            Self.export(60) { number, row in if number > 0 { row["on_scene_at"] = row["unit_notified_at"] } })
        #expect(same.stderrText.contains("response is 0:00 or whole days in 59 of 60 trips"), "\(same.stderrText)")
        #expect(!(try scan(Self.export(60))).stderrText.contains("trips with both times"))
    }
}
