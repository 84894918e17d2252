import Basics
import KPIs
import Testing
import Trips

@Suite struct EdgeMonthsTests {
    private func edges(_ trips: [String: Int]) -> EdgeMonths {
        EdgeMonths(
            Dictionary(uniqueKeysWithValues: trips.compactMap { name, trips in Month(name).map { ($0, trips) } }))
    }

    @Test func aMonthUnder5PercentOfItsNeighbourIsAnEdge() {
        let edges = edges(["1970-01": 13, "2025-01": 40_000, "2025-02": 41_000, "2036-05": 1])
        #expect(edges.first.map(\.description) == ["1970-01"])
        #expect(edges.last.map(\.description) == ["2036-05"])
        #expect(
            edges.sentences == [
                "1970-01 has under 5 % of the trips of 2025-01; if the dates are wrong, the setting "
                    + "first_month: 2025-01 leaves such trips out",
                "2036-05 has under 5 % of the trips of 2025-02; if the dates are wrong, the setting "
                    + "last_month: 2025-02 leaves such trips out",
            ])
    }

    @Test(arguments: [(49, false), (50, true), (0, true)])
    func exactly5PercentIsNone(_ trips: Int, _ isEmpty: Bool) {
        #expect(edges(["2024-12": trips, "2025-01": 1000, "2025-02": 1000]).isEmpty == isEmpty)
    }

    @Test func straysThatAreAlikeAreFoundTogether() {
        let edges = edges(["1970-01": 3, "1999-12": 5, "2001-01": 4, "2025-01": 500, "2025-02": 520, "2025-03": 480])
        #expect(edges.first.map(\.description) == ["1970-01", "1999-12", "2001-01"])
        #expect(edges.last == [])
        #expect(edges.sentences.first?.hasPrefix("1970-01, 1999-12, 2001-01 each have under 5 %") == true)
    }

    @Test func quietMonthsInsideAndSlowBeginningsAreNone() {
        #expect(edges(["2025-01": 500, "2025-02": 2, "2025-03": 500]).isEmpty)
        #expect(edges(["2025-01": 10, "2025-02": 100, "2025-03": 900, "2025-04": 5000]).isEmpty)
        #expect(edges(["2025-01": 1]).isEmpty)
        let years = [2023: 40, 2024: 1000].flatMap { year, trips in
            (1...12).map { ("\(year)-\($0 < 10 ? "0" : "")\($0)", trips) }
        }
        #expect(edges(Dictionary(uniqueKeysWithValues: years)).isEmpty, "A service that grew has no edge.")
        #expect(edges([:]).sentences == [])
    }

    @Test func theMonthThatHasOnlyBegunIsNone() throws {
        let begun = try #require(Month("2025-03"))
        #expect(edges(["2025-01": 500, "2025-02": 500, "2025-03": 5]).without(begun).isEmpty)
        let both = edges(["2025-01": 500, "2025-02": 500, "2025-03": 5, "2036-01": 1]).without(begun)
        #expect(both.last.map(\.description) == ["2036-01"])
        #expect(both.sentences.first?.contains("of the trips of 2025-02; ") == true)
        #expect(both.sentences.first?.contains("last_month: 2025-03") == true)
    }
}
