import Dashboard
import Foundation
import Testing

/// `trips.html` from lines of `trips.ndjson`.
@Suite struct TripsPageTests {
    private static let header = Array(
        #"{"header":{"contractVersion":"1.1","generatedAt":"2026-04-01T00:00:00Z","privacy":"limited data set","statement":"Rows of <b>trips</b>."}}"#
            .utf8)

    private static func row(
        _ number: Int, date: String = "2026-03-05", type: String = "Routine", provider: String = "Alder",
        duration: String = "3725", distance: String = "12.5"
    ) -> [UInt8] {
        Array(
            """
            {"id":"T\(number)","title":"x","duration":\(duration),"phiField":"••••••••","date":"\(date)","provider":"\(provider)",\
            "distance":\(distance),"cost":8128.64,"patientId":"••••••••","privacy":"limited data set","tripType":"\(type)",\
            "region":null,"sourcing":"inHouse","response":null}
            """.utf8)
    }

    private static func page(_ rows: [[UInt8]], of count: Int? = nil, isInternal: Bool = true) throws -> String {
        let page = try TripsPage(
            header: header, rows: rows, rowCount: count ?? rows.count, file: "trips.ndjson.gz", isInternal: isInternal)
        return String(decoding: page.bytes, as: UTF8.self)
    }

    @Test func aRowIsInTheTableAndInTheData() throws {
        let page = try Self.page([Self.row(1)])
        #expect(page.contains("<td>2026-03-05</td>") && page.contains("1 h 2 min 5 s") && page.contains("12.5 miles"))
        #expect(page.contains("All 1 trip of trips.ndjson.gz."))
        #expect(page.contains(#""id":"T1""#) && page.contains("INTERNAL: contains small counts"))
    }

    @Test func noCostIsInThePage() throws {
        #expect(!(try Self.page([Self.row(1)])).contains("8128"))
    }

    @Test func whatIsNotKnownSaysSo() throws {
        let page = try Self.page([Self.row(1, provider: "", duration: "0", distance: "0")])
        #expect(page.components(separatedBy: "not known</td>").count == 3)
        #expect(page.contains("<bdi>not shown</bdi>"))
    }

    @Test func itSaysWhatItLeavesOut() throws {
        let page = try Self.page([Self.row(1), Self.row(2)], of: 1_234)
        #expect(page.contains("The newest 2 of 1,234 trips. The other 1,232 are in trips.ndjson.gz."))
    }

    @Test func withoutScriptItHasTheFirstFifty() throws {
        let page = try Self.page((1...80).map { Self.row($0) })
        #expect(page.components(separatedBy: "<th scope=\"row\">").count == 51)
        #expect(page.contains("The first 50."))
    }

    @Test func namesAreTexts() throws {
        let page = try Self.page([Self.row(1, type: "</script><script>alert(1)</script>", provider: "A & <i>B</i>")])
        #expect(!page.contains("<script>alert") && !page.contains("<i>B") && !page.contains("<b>trips"))
        #expect(page.components(separatedBy: "</script>").count == 3)
    }

    @Test func theSameRowsGiveTheSameBytes() throws {
        let rows = (1...60).map { Self.row($0) }
        #expect(try Self.page(rows) == Self.page(rows))
        #expect(!(try Self.page(rows, isInternal: false)).contains("INTERNAL"))
    }

    @Test func whatIsNoRowIsRefused() {
        #expect(throws: DashboardError.rowsDoNotDecode) { try Self.page([Array("{}".utf8)]) }
    }
}
