import Basics
import KPIs
import Testing
import Trips

@Suite("Fiscal years in part") struct PartialFiscalYearTests {
    private static func months(_ first: String, _ count: Int) -> [Month] {
        Month(first).map { first in (0..<count).map { first.advanced(by: $0) } } ?? []
    }

    private static func texts(_ known: [Month], _ period: (String, String)?) throws -> [String] {
        let range = try period.map { try #require(Month($0.0))...#require(Month($0.1)) }
        return PartialFiscalYear.all(known: known, period: range).map { "\($0.name): \($0.text)" }
    }

    @Test func theMonthsWithTripsAreNamed() throws {
        let known = Self.months("2026-06", 4)
        let text = "FY2026: 4 of 12 months have trips: 2026-06 to 2026-09"
        #expect(try Self.texts(known, ("2025-10", "2026-09")) == [text])
        #expect(try Self.texts(known, nil) == [text])
        #expect(try Self.texts(known, ("2026-06", "2026-09")) == [], "each month of the period has trips")
        #expect(
            try Self.texts(known, ("2026-05", "2026-06")) == [
                "FY2026: 1 of the 2 months of the period has trips: 2026-06"
            ])
    }

    @Test func aWholeYearIsNotNamedAndAGapIs() throws {
        let known = Self.months("2024-10", 12) + Self.months("2025-10", 2) + Self.months("2026-01", 1)
        #expect(
            try Self.texts(known, nil) == ["FY2026: 3 of 12 months have trips: 2025-10 to 2025-11, 2026-01"])
    }

    @Test func yearsWithoutTripsAreNamedTogether() throws {
        let known = Self.months("2024-10", 12)
        #expect(
            try Self.texts(known, ("2000-10", "2026-09")) == [
                "FY2001 to FY2024: no month has trips", "FY2026: no month has trips",
            ])
        // An open side, as `--from` or `--to` alone leaves it, is as long as there are trips.
        #expect(try Self.texts(known, ("2024-10", "9999-12")) == [])
        #expect(try Self.texts(known, ("0001-01", "2025-09")) == [])
        #expect(
            try Self.texts(known, ("2031-01", "2031-12")) == [],
            "nothing of the period has trips: that is said otherwise")
        #expect(try Self.texts([], nil) == [])
    }
}
