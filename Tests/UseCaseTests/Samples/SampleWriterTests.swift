import Basics
import Foundation
import Testing
import Trips
import UseCases

@Suite("A sample export")
struct SampleWriterTests {
    private func plan(rows: Int = 4000, _ change: (inout SampleOptions) -> Void = { _ in }) -> SampleOptions {
        var plan = SampleOptions(rows: rows, seed: 7, firstMonth: Month(year: 2023, month: 10))
        change(&plan)
        return plan
    }

    private func bytes(_ plan: SampleOptions) throws -> [UInt8] {
        var all: [UInt8] = []
        try SampleWriter.write(plan) { all += $0 }
        return all
    }

    private func rows(_ plan: SampleOptions, decodedBy decode: ([UInt8]) -> String) throws -> [[String]] {
        PlainTable.rows(of: decode(try bytes(plan)), delimiter: plan.format == .tsv ? "\t" : ",")
    }

    private func utf8(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test("is the same for the same plan and another for another seed")
    func isDeterministic() throws {
        #expect(try bytes(plan()) == bytes(plan()))
        #expect(try bytes(plan()) != bytes(plan { $0.seed = 8 }))
    }

    @Test("holds the records asked for, each as wide as the header but for the faults of form")
    func hasItsRows() throws {
        let table = try rows(plan(rows: 20_000), decodedBy: utf8)
        #expect(table.count == 20_001)
        #expect(table[0] == SampleOptions.standardFields.map(\.rawValue))
        let odd = table.filter { $0.count != table[0].count }.count
        #expect((10...100).contains(odd))
        let clean = try rows(plan(rows: 20_000) { $0.hasStructuralFaults = false }, decodedBy: utf8)
        #expect(clean.count == 20_001 && clean.allSatisfy { $0.count == table[0].count })
    }

    @Test("says the same in CSV, TSV, NDJSON and JSON")
    func isTheSameInAllFormats() throws {
        let csv = try rows(plan { $0.hasStructuralFaults = false }, decodedBy: utf8)
        let tsv = try rows(
            plan {
                $0.hasStructuralFaults = false
                $0.format = .tsv
            }, decodedBy: utf8)
        #expect(csv == tsv)
        let header = csv[0]
        let expected = csv.dropFirst().map { row in
            Dictionary(uniqueKeysWithValues: zip(header, row).filter { !$0.1.isEmpty })
        }
        let array = try bytes(
            plan {
                $0.hasStructuralFaults = false
                $0.format = .json
            })
        #expect(try objects(array) == expected)
        let lines = try bytes(
            plan {
                $0.hasStructuralFaults = false
                $0.format = .ndjson
            })
        let joined = "[" + utf8(lines).split(separator: "\n").joined(separator: ",") + "]"
        #expect(try objects(Array(joined.utf8)) == expected)
    }

    /// Objects as text by key, nulls left out; numbers as CSV writes them.
    private func objects(_ json: [UInt8]) throws -> [[String: String]] {
        let parsed = try JSONSerialization.jsonObject(with: Data(json)) as? [[String: Any]] ?? []
        return parsed.map { object in
            object.compactMapValues { value in
                if let text = value as? String { return text }
                guard let number = value as? NSNumber else { return nil }
                let isWhole = number.doubleValue == number.doubleValue.rounded() && number.doubleValue < 9_999
                return isWhole ? String(number.intValue) : String(format: "%.2f", number.doubleValue)
            }
        }
    }

    @Test("has as many unparsable records in JSON as records of a wrong width in CSV")
    func hasTheSameFaultsInAllFormats() throws {
        let table = try rows(plan(rows: 30_000), decodedBy: utf8)
        let odd = table.filter { $0.count != table[0].count }.count
        let lines = utf8(try bytes(plan(rows: 30_000) { $0.format = .ndjson })).split(separator: "\n")
        #expect(lines.count == 30_000)
        let broken = lines.filter { line in
            let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            return object == nil
        }
        #expect(broken.count == odd)
    }

    @Test("says the same in every encoding, with text beyond ASCII")
    func isTheSameInAllEncodings() throws {
        let plain = try bytes(plan())
        #expect(utf8(plain).contains("Café – naïve “synthetic” note, €5"))
        #expect(try bytes(plan { $0.encoding = .utf8WithBOM }) == [0xEF, 0xBB, 0xBF] + plain)
        let utf16 = try bytes(plan { $0.encoding = .utf16 })
        #expect(utf16.prefix(2) == [0xFF, 0xFE])
        #expect(String(data: Data(utf16.dropFirst(2)), encoding: .utf16LittleEndian) == utf8(plain))
        let windows = try bytes(plan { $0.encoding = .windows1252 })
        #expect(String(data: Data(windows), encoding: .windowsCP1252) == utf8(plain))
    }

    @Test("has the same records in another order when shuffled")
    func shufflesRecords() throws {
        let inOrder = try rows(plan(), decodedBy: utf8).map { $0.joined(separator: "|") }
        let shuffled = try rows(plan { $0.isShuffled = true }, decodedBy: utf8).map { $0.joined(separator: "|") }
        #expect(inOrder != shuffled)
        #expect(inOrder.sorted() == shuffled.sorted())
    }

    @Test("starts a gzip member with the magic number, and more of them when asked")
    func compresses() throws {
        let one = try bytes(plan(rows: 40_000) { $0.compression = .gzip })
        let many = try bytes(plan(rows: 40_000) { $0.compression = .gzipMembers })
        #expect(one.prefix(4) == [0x1F, 0x8B, 8, 0])
        #expect(one.suffix(4) != [0, 0, 0, 0])
        #expect(one != many)
        // The last four bytes are the size of the last member alone.
        let whole = try bytes(plan(rows: 40_000)).count
        #expect(size(one) == whole)
        #expect(size(many) < whole)
    }

    private func size(_ gzip: [UInt8]) -> Int {
        gzip.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    @Test(
        "refuses a plan that cannot be met",
        arguments: [
            { $0.fields = [.cost, .onSceneAt] }, { $0.fields = [.tripID, .cost] }, { $0.zone = "Europe/Nowhere" },
            { $0.months = 0 }, { $0.rows = -1 },
            {
                $0.format = .json
                $0.encoding = .utf16
            },
        ] as [@Sendable (inout SampleOptions) -> Void])
    func refusesBadPlans(change: @Sendable (inout SampleOptions) -> Void) {
        #expect(throws: SampleError.self) { try bytes(plan(change)) }
    }
}
