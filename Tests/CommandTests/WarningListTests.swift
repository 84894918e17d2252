import Foundation
import TestSupport
import Testing

/// `quarantine list --warnings`: where the records are of which a measure is not counted.
@Suite struct WarningListTests {
    private struct Listed: Decodable {
        struct Place: Decodable {
            var recordNumber: Int
            var byteOffset: Int
            var field: String?
            var shape: String?
        }
        var label: String
        var code: String
        var records: Int
        var places: [Place]
    }

    private static let header = "trip_id,status,service_date,unit_notified_at,on_scene_at,cost,loaded_miles,region\n"

    private func list(_ export: String, jobs: Int = 2, in folder: TemporaryFolder) throws -> (
        json: [Listed], table: String, csv: String
    ) {
        let fixture = try CommandFixture()
        try folder.write(export, to: "trips.csv")
        let store = ["--store", "trips\(jobs).sqlite"]
        let load = try fixture.run(
            ["load", "trips.csv", "--jobs", "\(jobs)"] + store, environment: ["TRIPKPI_MAX_UNREADABLE": "100%"],
            in: folder.url)
        #expect(load.status == 0, "\(load.stderrText)")
        func text(_ format: String) throws -> CommandResult {
            let words = ["quarantine", "list", "--warnings", "--format", format]
            let result = try fixture.run(words + store, in: folder.url)
            #expect(result.status == 0, "\(result.stderrText)")
            #expect(result.leaks == [])
            return result
        }
        let json = try JSONDecoder().decode([Listed].self, from: Data(text("json").stdout))
        return (json, try text("table").stdoutText, try text("csv").stdoutText)
    }

    @Test func eachWarningHasItsRecordColumnAndShape() throws {
        try TemporaryFolder.with { folder in
            let export =
                Self.header + """
                    SYN-1,completed,2024-01-02,2024-01-02 08:00:00,2024-01-02 09:00:00,10.00,5,North
                    SYN-2,completed,2024-01-02,2024-01-02 08:00:00,2024-01-02 07:00:00,12..5,-3,North
                    SYN-3,completed,2024-01-02,2024-01-02 08:00:00,99/99/2024,10.00,far,Nowhere
                    SYN-4,cancelled,2024-01-02,2024-01-02 08:00:00,,10.00,,North
                    SYN-5,void,2024-01-02,2024-01-02 08:00:00,,CANARYNOTE,,North

                    """
            let (json, table, csv) = try list(export, in: folder)
            func found(_ code: String) -> [String] {
                json.filter { $0.code == code }.flatMap(\.places).map {
                    "\($0.recordNumber) \($0.field ?? "-") \($0.shape ?? "-")"
                }
            }
            #expect(found("bad_cost") == ["2 cost 99..9"])
            #expect(found("negative_miles") == ["2 loaded_miles -9"])
            #expect(found("bad_miles") == ["3 loaded_miles aaa"])
            #expect(found("bad_time") == ["3 on_scene_at 99/99/9999"])
            #expect(found("unmapped_region") == ["3 region Aaaaaaa"])
            #expect(found("cost_on_uncompleted_trip") == ["4 cost 99.99"])
            #expect(found("interval_negative") == ["2 on_scene_at 9999-99-99 99:99:99"])
            #expect(json.allSatisfy { $0.records >= $0.places.count && $0.label == "trips.csv" })
            let second = export.split(separator: "\n").prefix(2).reduce(0) { $0 + $1.utf8.count + 1 }
            #expect(json.first { $0.code == "bad_cost" }?.places.first?.byteOffset == second)
            #expect(table.contains("LOADED, WITH WARNINGS: 1 export"))
            #expect(table.contains("bad_cost, 1 record: a cost is present and is not an exact amount"))
            #expect(table.contains("record 2 at byte \(second), cost, like 99..9"))
            #expect(csv.hasPrefix("sha256,label,source,code,records,record_number,byte_offset,field,shape"))
            #expect(csv.contains(",trips.csv,plain,bad_cost,1,2,\(second),cost,99..9"))
        }
    }

    /// The first 20 are the same for any number of threads, and all are counted.
    @Test func theFirst20OfACodeAreListedAndAllAreCounted() throws {
        try TemporaryFolder.with { folder in
            let rows = (1...20_000).map { number in
                let cost = number.isMultiple(of: 3) ? "lost" : "10.00"
                return "SYN-\(number),completed,2024-01-02,2024-01-02 08:00:00,2024-01-02 09:00:00,\(cost),5,North"
            }
            let export = Self.header + rows.joined(separator: "\n") + "\n"
            let one = try list(export, jobs: 1, in: folder), four = try list(export, jobs: 4, in: folder)
            for (json, table, _) in [one, four] {
                let costs = try #require(json.first { $0.code == "bad_cost" })
                #expect(costs.records == 6666)
                #expect(costs.places.map(\.recordNumber) == (1...20).map { $0 * 3 })
                #expect(table.contains("and 6,663 more"))
            }
            #expect(one.csv == four.csv)
        }
    }

    @Test func aWithdrawnExportHasNone() throws {
        try TemporaryFolder.with { folder in
            let fixture = try CommandFixture()
            let store = ["--store", "trips2.sqlite"]
            let export = Self.header + "SYN-1,completed,2024-01-02,,,lost,5,North\n"
            let (json, _, csv) = try list(export, in: folder)
            #expect(json.contains { $0.code == "bad_cost" })
            let hash = String(try #require(csv.split(whereSeparator: \.isNewline).last).prefix(8))
            #expect(try fixture.run(["load", "--withdraw", hash] + store, in: folder.url).status == 0)
            let rest = try fixture.run(["quarantine", "list", "--warnings"] + store, in: folder.url)
            #expect(rest.stdoutText.contains("no export has a warning on record"))
            #expect(try fixture.run(["load", "trips.csv"] + store, in: folder.url).status == 0)
        }
    }
}
