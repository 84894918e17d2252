import OutputScan
import TestSupport
import Testing

/// The shapes are found wherever a file can hide them, and the place is named.
@Suite("Shapes in containers")
struct ContainerTests {
    private let scan = OutputScan(.init(ownDays: []))

    private func places(_ bytes: [UInt8], _ name: String) -> [String] {
        scan.findings(in: bytes, named: name).map(\.place)
    }

    private func utf16(_ text: String, lowFirst: Bool, mark: Bool) -> [UInt8] {
        (mark ? [0xFEFF] + Array(text.utf16) : Array(text.utf16)).flatMap { unit in
            let bytes = [UInt8(unit >> 8), UInt8(unit & 0xFF)]
            return lowFirst ? bytes.reversed() : bytes
        }
    }

    /// A zip archive of stored members.
    private func zip(_ members: [(name: String, text: String)]) -> [UInt8] {
        func little(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(value >> ($0 * 8) & 0xFF) } }
        var bytes: [UInt8] = [], directory: [UInt8] = []
        for (name, text) in members {
            let sizes =
                little(0, 4) + little(text.utf8.count, 4) + little(text.utf8.count, 4) + little(name.utf8.count, 2)
            directory += little(0x0201_4B50, 4) + little(20, 2) + little(20, 2) + little(0, 8) + sizes + little(0, 12)
            directory += little(bytes.count, 4) + Array(name.utf8)
            bytes += little(0x0403_4B50, 4) + little(20, 2) + little(0, 8) + sizes + little(0, 2)
            bytes += Array(name.utf8) + Array(text.utf8)
        }
        let end = little(0x0605_4B50, 4) + little(0, 4) + little(members.count, 2) + little(members.count, 2)
        return bytes + directory + end + little(directory.count, 4) + little(bytes.count, 4) + little(0, 2)
    }

    @Test("in JSON, NDJSON, CSV, HTML and plain text", arguments: ShapeTests.planted.map(\.text))
    func texts(value: String) {
        #expect(places(Array("{\"a\":[{\"b\":\"x \(value) y\"}]}".utf8), "a.json") == ["line 1, byte 13"])
        #expect(places(Array("{\"\(value)\":1}".utf8), "a.json") == ["line 1, byte 3"])
        #expect(places(Array("{\"a\":1}\n{\"a\":\"\(value)\"}\n".utf8), "a.ndjson") == ["line 2, byte 7"])
        #expect(places(Array("a,b\r\n1,\(value)\r\n".utf8), "a.csv") == ["line 2, byte 3"])
        #expect(places(Array("a,b\r\n\"1,\"\"2\",\"x \(value)\"\r\n".utf8), "a.csv") == ["line 2, byte 9"])
        #expect(places(Array("<p title=\"\(value)\">x</p>".utf8), "a.html") == ["line 1, byte 11"])
        #expect(places(Array("<p>\(value)</p>".utf8), "a.html").count == 1)
        #expect(places(Array("<p \(value)>x</p>".utf8), "a.html").count == 1)
        #expect(places(Array("<script>var a = \"\(value)\";</script>".utf8), "a.html").count == 1)
        #expect(places(Array("<script>if (a < b && c > 1) { d = \"\(value)\" }</script>".utf8), "a.html").count == 1)
        let data = "<p>x</p><SCRIPT type=\"application/json\">{\"a\":[\"\(value)\"],\"b\":123456789}</Script><p>y</p>"
        #expect(places(Array(data.utf8), "a.html") == ["line 1, byte 48"])
        #expect(places(Array("<script>{\"a\":1}</script><p>\(value)</p>".utf8), "a.html").count == 1)
        #expect(places(Array("<script>\"\(value)\"".utf8), "a.html").count == 1)
        #expect(places(Array("<!-- \(value) -->".utf8), "a.html").count == 1)
        #expect(!places(Array("{\"a\": \"\(value)\", broken".utf8), "a.json").isEmpty)
        #expect(!places([0, 1, 2, 0x80] + Array(" \(value) ".utf8) + [0], "a.bin").isEmpty)
    }

    @Test("escaped or written as entities")
    func escapes() {
        #expect(places(Array("{\"a\":\"123\\u002d45\\u002D6789\"}".utf8), "a.json") == ["line 1, byte 7"])
        #expect(places(Array("<p>jane&#64;example.org</p>".utf8), "a.html").count == 1)
        #expect(places(Array("<p>123&#x2d;45&#45;6789</p>".utf8), "a.html").count == 1)
    }

    /// Text that begins like JSON and is none: what looks like a number of JSON may be a person's.
    @Test(
        "in text that begins as JSON does",
        arguments: [
            "[see: 123456789]", "[x], 123456789, y", "[id] call (555) 010-1234", "{a} 123 45 6789", "[1, 123456789",
            "[2025-03-14]", "{\"a\" 123456789}", "[1 123456789]", "[\"\\u00\", 123456789]",
        ])
    func almostJSON(text: String) {
        #expect(!places(Array(text.utf8), "a.txt").isEmpty)
    }

    @Test("in UTF-16, with and without its mark", arguments: [true, false], [true, false])
    func wide(lowFirst: Bool, mark: Bool) {
        let bytes = utf16("a,b\n1,123-45-6789\n", lowFirst: lowFirst, mark: mark)
        #expect(places(bytes, "a.csv") == ["line 2, byte 3"])
    }

    @Test("in gzip, and in a workbook, where the part is named")
    func packed() throws {
        let line = Array("{\"a\":1}\n{\"a\":\"123-45-6789\"}\n".utf8)
        #expect(places(GzipBytes.stored(line), "trips.ndjson.gz") == ["line 2, byte 7"])
        let book = zip([
            ("xl/workbook.xml", "<workbook><sheets><sheet name=\"Cells\" sheetId=\"1\"/></sheets></workbook>"),
            (
                "xl/worksheets/sheet1.xml",
                "<sheetData><row r=\"1\"><c r=\"A1\" t=\"s\"><v>0</v></c><c r=\"B7\" t=\"s\"><v>1</v></c>"
                    + "<c r=\"C7\" t=\"inlineStr\"><is><t>jane@example.org</t></is></c><c r=\"D7\"><v>123456789</v></c>"
                    + "</row></sheetData>"
            ),
            (
                "xl/sharedStrings.xml",
                "<sst><si><t>fine</t></si><si><t xml:space=\"preserve\">555-010-1234</t></si></sst>"
            ),
            ("docProps/core.xml", "<cp><dc:creator>x 123-45-6789</dc:creator></cp>"),
        ])
        let found = places(book, "kpi.xlsx")
        #expect(
            found == [
                "part xl/worksheets/sheet1.xml, line 1, byte 110", "part xl/sharedStrings.xml, line 1, byte 54",
                "part docProps/core.xml, line 1, byte 17",
            ])
    }

    @Test("where a cell lies is no identifier, and a text that looks the same is one")
    func cellReferences() {
        let collector = IdentifierCollector(seed: 7, limit: 100)
        var gatherer = collector.gatherer()
        gatherer.add(Array("C1000".utf8).span, isName: false)
        collector.add([gatherer])
        let scan = OutputScan(.init(ownDays: [], identifiers: collector.identifiers))
        func places(_ cell: String) -> [String] {
            scan.findings(
                in: zip([
                    ("xl/workbook.xml", "<workbook><sheets><sheet name=\"Cells\" sheetId=\"1\"/></sheets></workbook>"),
                    ("xl/worksheets/sheet1.xml", "<dimension ref=\"A1:C1000\"/><sheetData>\(cell)</sheetData>"),
                ]), named: "kpi.xlsx"
            ).map(\.place)
        }
        let own = "<row r=\"1000\" spans=\"1:3\"><c r=\"C1000\">"
        #expect(places(own + "<f>SUM(C1000:C1000)+Cells!C1000</f><v>5</v></c></row>") == [])
        #expect(places(own + "<f>\"see C1000\"&amp;C1000</f><v>5</v></c></row>").count == 1)
        #expect(places(own + "<f>&quot;see C1000&quot;&amp;C1000</f><v>5</v></c></row>").count == 1)
        #expect(places(own + "<f>\"O'Hara C1000\"</f><v>5</v></c></row>").count == 1)
        #expect(places("<c r=\"A1\" t=\"inlineStr\"><is><t>C1000</t></is></c>").count == 1)
    }
}
