import Basics
import Rules
import Testing
import Trips

@Suite struct ConditionTests {
    private func holds(_ condition: Condition, _ value: String?, on day: CivilDay? = nil) -> Bool {
        condition.holds(for: { _ in value }, on: day)
    }

    @Test func blankIsAbsent() {
        #expect(holds(.present(field: "f"), " x "))
        #expect(!holds(.present(field: "f"), " \t"))
        #expect(!holds(.present(field: "f"), nil))
        #expect(!holds(.regex(field: "f", pattern: ".*"), " "))
        #expect(holds(.not(.present(field: "f")), nil))
    }

    @Test func listsAndPrefixesIgnoreASCIICaseAndOuterBlanks() {
        #expect(holds(.isIn(field: "f", values: ["Medic "]), " MEDIC"))
        #expect(!holds(.isIn(field: "f", values: ["MEDIC"]), "MEDICS"))
        #expect(holds(.prefix(field: "f", prefixes: ["P-", "va"]), "VA12"))
        #expect(!holds(.prefix(field: "f", prefixes: ["VA12"]), "VA1"))
    }

    @Test(arguments: ["RH QN", "RH,QN", "qn", "GM; QN/RH", "QN|QL"])
    func aTokenIsFoundAmongOthers(value: String) {
        #expect(holds(.containsToken(field: "f", tokens: ["QN"]), value))
    }

    @Test(arguments: ["QNX", "RHQN", "QM", "Q N"])
    func aTokenIsNotFoundInsideAWord(value: String) {
        #expect(!holds(.containsToken(field: "f", tokens: ["QN"]), value))
    }

    @Test func rangesTakePlainNumbersAndIncludeTheirBounds() {
        let range = Condition.range(field: "f", minimum: 0.5, maximum: 50)
        for value in ["0.5", "50", " 7 "] { #expect(holds(range, value)) }
        for value in ["0.49", "50.01", "1e1", "five", "+7", "nan", "-1"] { #expect(!holds(range, value)) }
        #expect(holds(.range(field: "f", minimum: nil, maximum: 0), "-12.5"))
    }

    @Test func rosterEntriesHoldFromTheirFirstToTheirLastDay() throws {
        let from = try #require(CivilDay("2026-10-01")), to = try #require(CivilDay("2026-10-31"))
        let roster = Roster(
            name: "r", entries: [Roster.Entry(key: "P-100", from: from, to: to, sourcing: .contracted)])
        let contracted = Condition.roster(field: "f", roster: roster, sourcing: .contracted)
        func on(_ text: String) -> Bool { holds(contracted, "p-100 ", on: CivilDay(text)) }
        #expect(!on("2026-09-30"))
        #expect(on("2026-10-01"))
        #expect(on("2026-10-31"))
        #expect(!on("2026-11-01"))
        #expect(!holds(contracted, "P-100", on: nil))
        #expect(!holds(.roster(field: "f", roster: roster, sourcing: .inHouse), "P-100", on: from))
    }

    @Test func aTraceNamesTestsAndNoValues() {
        let condition = Condition.any([
            .prefix(field: "vehicle_id", prefixes: ["ZZTOP"]), .isIn(field: "provider_id", values: ["SECRET-1"]),
        ])
        let trace = condition.trace(for: { $0 == "vehicle_id" ? "ZZTOP-77" : "OTHER" }, on: nil)
        let text = trace.lines().joined(separator: "\n")
        #expect(trace.holds == true && trace.parts.map(\.holds) == [true, false])
        #expect(text.contains("yes  vehicle_id starts with a listed prefix"))
        for word in ["ZZTOP", "SECRET", "OTHER"] { #expect(!text.contains(word)) }
    }
}
