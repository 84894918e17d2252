import Files
import OutputScan
import Testing
import Trips

/// Files of rows are looked through a chunk at a time, packed or not, and nothing hides between two chunks.
@Suite("Rows in outputs")
struct RowScanTests {
    /// 60,000 rows, one of which holds a text; more than three chunks.
    private static func rows(with text: String, at line: Int, isCSV: Bool = false) -> [UInt8] {
        let rows = (1...60_000).map { number in
            let name = number == line ? text : "somebody"
            return isCSV ? "\(number),\(name),of a row that is long enough\n" : "{\"a\":\(number),\"b\":\"\(name)\"}\n"
        }
        return Array(rows.joined().utf8)
    }

    private static func packed(_ bytes: [UInt8]) throws -> [UInt8] {
        var packed: [UInt8] = []
        let gzip = try GzipWriter()
        for start in stride(from: 0, to: bytes.count, by: 700_000) {
            let end = min(start + 700_000, bytes.count)
            packed += try gzip.compress(Array(bytes[start..<end]), endsMember: true)
        }
        return packed
    }

    private func findings(
        _ bytes: [UInt8], named name: String, isCSV: Bool = false, showsDates: Bool = false, pieces: Int = 9973
    ) -> [OutputFinding] {
        var terms = OutputScan.Criteria(ownDays: [])
        terms.showsDates = showsDates
        var at = 0
        return OutputScan(terms).findings(inRows: name, isCSV: isCSV) {
            let end = min(at + pieces, bytes.count)
            defer { at = end }
            return Array(bytes[at..<end])
        }
    }

    @Test("a phone number in any row is found, with its line", arguments: [1, 25_000, 60_000], [false, true])
    func finds(line: Int, isCSV: Bool) throws {
        let rows = Self.rows(with: "call 555-010-0142", at: line, isCSV: isCSV)
        let place = "line \(line), byte \(String(line).count + (isCSV ? 2 : 12))"
        for bytes in [rows, try Self.packed(rows)] {
            for pieces in [9973, 1 << 20] {
                let found = findings(bytes, named: "x.gz", isCSV: isCSV, pieces: pieces)
                #expect(found.map(\.kind) == [.phone] && found.map(\.place) == [place])
            }
        }
        #expect(findings(Self.rows(with: "nobody", at: line), named: "x").isEmpty)
    }

    @Test("days may stand where a profile shows them; a number of a person may not")
    func days() {
        #expect(findings(Self.rows(with: "2026-03-01", at: 7), named: "x").map(\.kind) == [.date])
        #expect(findings(Self.rows(with: "2026-03-01", at: 7), named: "x", showsDates: true).isEmpty)
        let kinds = findings(Self.rows(with: "900-12-3456", at: 7), named: "x", showsDates: true).map(\.kind)
        #expect(kinds == [.socialSecurityNumber])
    }

    @Test("what is cut off, damaged or has no end of a line cannot pass")
    func unreadable() throws {
        let packed = try Self.packed(Self.rows(with: "nobody", at: 1))
        var damaged = packed
        damaged[packed.count / 2] ^= 0xFF
        for bytes in [Array(packed.dropLast(9)), damaged, [UInt8](repeating: 0x61, count: 1 << 25)] {
            #expect(findings(bytes, named: "x.gz", pieces: 1 << 20).map(\.kind).contains(.unreadable))
        }
    }
}
