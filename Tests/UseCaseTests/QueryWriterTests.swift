import Foundation
import Queries
import Reporting
import Testing
import UseCases

/// Each form of an answer carries the stamp, keeps its types, and harms no spreadsheet.
@Suite struct QueryWriterTests {
    private func written(_ format: TableFormat, _ rows: [[QueryValue]]) throws -> String {
        var bytes: [UInt8] = []
        var writer = QueryWriter(format, columns: ["provider", "cost_cents"]) { bytes += $0 }
        for row in rows { try writer.add(row) }
        try writer.end()
        return String(decoding: bytes, as: UTF8.self)
    }

    private let rows: [[QueryValue]] = [[.text("=1+1"), .integer(-5)], [.text("a,\"b\""), .null]]

    @Test func csv() throws {
        let lines = [
            "release,provider,cost_cents", "INTERNAL: contains small counts,'=1+1,-5",
            #"INTERNAL: contains small counts,"a,""b""","#,
        ]
        #expect(try written(.csv, rows) == lines.map { $0 + "\r\n" }.joined())
    }

    @Test func ndjson() throws {
        #expect(
            try written(.ndjson, rows) == #"""
                {"release":"INTERNAL: contains small counts","provider":"=1+1","cost_cents":-5}
                {"release":"INTERNAL: contains small counts","provider":"a,\"b\"","cost_cents":null}

                """#)
    }

    @Test(arguments: [0, 1, 2])
    func jsonIsOneDocument(count: Int) throws {
        let text = try written(.json, Array(rows.prefix(count)))
        let document = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        #expect(document["release"] as? String == "INTERNAL: contains small counts")
        #expect((document["rows"] as? [[String: Any]])?.count == count)
    }

    @Test func table() throws {
        let text = try written(.table, rows)
        #expect(text.hasPrefix("INTERNAL: contains small counts\n\nprovider"))
        #expect(text.contains("\n=1+1               -5\n"))
    }
}
