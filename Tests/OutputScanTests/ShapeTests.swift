import Basics
import OutputScan
import Testing
import Trips

/// One value of each shape, in many spellings; and what reports are full of and is none.
@Suite("Shapes of identifiers")
struct ShapeTests {
    static let planted: [(text: String, kind: OutputFinding.Kind)] = [
        ("123-45-6789", .socialSecurityNumber), ("ssn:123 45 6789.", .socialSecurityNumber),
        ("123456789", .socialSecurityNumber), ("(123-45-6789)", .socialSecurityNumber),
        ("123\u{2011}45\u{2011}6789", .socialSecurityNumber),
        ("\u{FF11}\u{FF12}\u{FF13}-45-6789", .socialSecurityNumber),
        ("(555) 010-1234", .phone), ("555-010-1234", .phone), ("1-555-010-1234", .phone), ("555.010.1234", .phone),
        ("call 555-0142 now", .phone), ("+1 555 010 1234", .phone), ("+44 20 7946 0958", .phone),
        ("2125550123", .phone),
        ("jane.doe@example.org", .email), ("<a+b@mail.example.com>", .email), ("a\u{FF20}example.org", .email),
        ("1950-03-14", .date), ("3/14/1950", .date), ("14.03.1950", .date), ("born 1950/3/14", .date),
        ("19500314", .date), ("3/14/50", .date), ("2025-09-29", .date), ("1950-03-14T00:00:00Z", .date),
    ]

    static let harmless = [
        "2025-03", "2023-10 to 2025-09", "2025-09-30", "data through 2025-09-30", "2026-01-01T00:00:00Z",
        "20260101T000000Z-0123456789ab", "6,553 in-house · 4,025 contracted", "$1,234,567.89", "30 min 39 s", "1:13:52",
        "FY 2024-2025", "-12.5%", "+3.1 points", "aggregated, disclosure-controlled at 11", "0.1.0", "1.4", "10,730",
        "3f9a1c02d4e5f60718293a4b5c6d7e8f90123456789abcdef0123456789abcde",
        "12345678-1234-1234-1234-123456789012", "@media print", "http://schemas.example.org/2006/main", "cell B12:C345",
        "1 of 11,195 trips", "North", "America/New_York", "95 excluded", "11100 used", "1234567.89",
    ]

    private let scan = OutputScan(
        .init(
            ownDays: [CivilDay("2025-09-30"), CivilDay("2026-01-01")].reduce(into: []) { days, day in
                if let day { days.insert(day) }
            }))

    private func json(_ text: String) -> [UInt8] {
        Array("{\"months\":[\"2025-09\"],\"cells\":[{\"label\":\"\(text)\"}]}".utf8)
    }

    @Test("each is found, in a text by itself", arguments: planted)
    func finds(text: String, kind: OutputFinding.Kind) {
        #expect(scan.findings(in: json(text), named: "a.json").map(\.kind) == [kind])
    }

    @Test("what reports say is none", arguments: harmless)
    func passes(text: String) {
        #expect(scan.findings(in: json(text), named: "a.json").isEmpty)
    }

    @Test("figures of JSON are figures")
    func figures() {
        let text = "{\"totalCost\":123456789.00,\"bytes\":123456789,\"trips\":2125550123,\"n\":-19500314}"
        #expect(scan.findings(in: Array(text.utf8), named: "a.json").isEmpty)
    }

    @Test("a finding names file, place and kind, and nothing of the value")
    func message() throws {
        let findings = scan.findings(in: json("123-45-6789"), named: "a.json")
        let refusal = try #require(OutputRefusal(findings))
        #expect(findings.map(\.place) == ["line 1, byte 42"])
        #expect(refusal.description.contains("a.json, line 1, byte 42: looks like it holds a social security number"))
        #expect(!refusal.description.contains("6789"))
        #expect(OutputRefusal([]) == nil)
    }
}
