import ExportBytes
import Foundation
import TestSupport
import Testing
import Trips

/// The csv-spectrum corpus: twelve small files and what they mean as JSON.
@Suite struct CSVSpectrumTests {
    @Test(.enabled(if: SharedData.isPresent, Comment(rawValue: SharedData.hint)))
    func everyFileOfTheCorpusIsCutAsItsJSONSays() throws {
        let folder = try #require(SharedData.path("corpora/csv-spectrum"))
        let names = try FileManager.default.contentsOfDirectory(atPath: folder + "/csvs").filter {
            $0.hasSuffix(".csv")
        }
        #expect(names.count == 12)
        withEvery("file", in: names.sorted()) { name in
            let path = folder + "/csvs/" + name
            let expected = try Self.meaning(folder + "/json/" + name.replacing(".csv", with: ".json"))
            let fieldCount = try Self.fieldCount(path)
            for inOrder in [false, true] {
                let rows = try Self.rows(path, fieldCount: fieldCount, inOrder: inOrder)
                let header = try #require(rows.first)
                let found = rows.dropFirst().map { Dictionary(zip(header, $0)) { first, _ in first } }
                #expect(found.map(Self.plain) == expected.map(Self.plain), CaseTrace.current)
            }
        }
    }

    private static func meaning(_ path: String) throws -> [[String: String]] {
        let text = String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
        let json = try JSONSerialization.jsonObject(with: Data(text.utf8))
        // One of the files holds its only row without an array around it.
        return try #require(json as? [[String: String]] ?? (json as? [String: String]).map { [$0] })
    }

    /// The corpus's checkout has LF where its JSON has CRLF, and another phone number in CSV than in JSON.
    private static func plain(_ row: [String: String]) -> [String: String] {
        row.filter { $0.key != "Contact Phone Number" }.mapValues { $0.replacingOccurrences(of: "\r\n", with: "\n") }
    }

    /// Without knowing it, by which number of fields the first row is a record.
    private static func fieldCount(_ path: String) throws -> Int {
        for count in 2..<20 {
            let found = try DelimitedRows(path: path, dialect: CSVDialect(delimiter: 0x2C, fieldCount: count))
            if let row = found.blocks.first?.rows.first, row.offset == 0 { return count }
        }
        return 1
    }

    private static func rows(_ path: String, fieldCount: Int, inOrder: Bool) throws -> [[String]] {
        let found = try DelimitedRows(
            path: path, dialect: CSVDialect(delimiter: 0x2C, fieldCount: fieldCount), readsInOrder: inOrder)
        var rows: [[String]] = []
        for block in found.blocks {
            #expect(block.rejects.isEmpty, CaseTrace.current)
            rows += block.rows.map { $0.fields.map { String(decoding: $0, as: UTF8.self) } }
        }
        return rows
    }
}
