import Foundation
import KPIContract
import Testing

struct FixedDecimalTests {
    private func decode<Value: Decodable>(_ type: Value.Type, _ number: String) throws -> Value {
        try JSONDecoder().decode([Value].self, from: Data("[\(number)]".utf8))[0]
    }

    @Test(
        "A number on the grid decodes exactly",
        arguments: [
            ("0", 0), ("0.00", 0), ("0.29", 29), ("1234.50", 123_450), ("-0.05", -5), ("1e2", 10_000),
            ("351843720888.31", 35_184_372_088_831),
        ])
    func onTheGrid(number: String, cents: Int) throws {
        #expect(try decode(Cents.self, number).cents == cents)
    }

    @Test("More decimals, too large a number, or none is refused", arguments: ["0.005", "1e300", "\"1\""])
    func offTheGrid(number: String) {
        #expect(throws: DecodingError.self) { try decode(Cents.self, number) }
    }

    @Test("Tenths and shares have their own grids")
    func otherGrids() throws {
        #expect(try decode(Tenths.self, "3600.1").tenths == 36_001)
        #expect(throws: DecodingError.self) { try decode(Tenths.self, "0.25") }
        #expect(try decode(Share.self, "0.6667").tenThousandths == 6_667)
        #expect(throws: DecodingError.self) { try decode(Share.self, "0.66667") }
    }

    @Test("The text has all its decimals and its sign")
    func text() {
        #expect(Cents(cents: -5).description == "-0.05")
        #expect(Cents(cents: 0).description == "0.00")
        #expect(Cents(cents: 123_450).description == "1234.50")
        #expect(Tenths(tenths: 36_001).description == "3600.1")
        #expect(Share(tenThousandths: -12).description == "-0.0012")
        #expect(Cents(cents: .min).description == "-92233720368547758.08")
    }

    @Test("What is written decodes to the same", arguments: [0, 1, 29, -5, 123_450, 9_999_999_999_999])
    func roundTrip(cents: Int) throws {
        let written = Cents(cents: cents)
        #expect(try JSONDecoder().decode([Cents].self, from: Data("[\(written)]".utf8)) == [written])
    }
}
