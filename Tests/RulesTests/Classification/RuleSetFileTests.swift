import Basics
import Rules
import StrictYAML
import Testing
import Trips

@Suite struct RuleSetFileTests {
    /// Files by path, as a loader.
    private func read(_ files: [String: String]) throws(ConfigurationErrors) -> RuleSet {
        try RuleSetFile.read(file: "rules/test.yaml") { path in
            guard let text = files[path] else { throw ConfigurationError(file: path, message: "missing") }
            return Array(text.utf8)
        }
    }

    private func rules(_ text: String, others: [String: String] = [:]) throws(ConfigurationErrors) -> RuleSet {
        try read(others.merging(["rules/test.yaml": "name: test\nrules:\n" + text]) { _, new in new })
    }

    private func rule(_ id: String, _ when: String, then: String = "inHouse", more: String = "") -> String {
        "  - {id: \(id), reason: because, when: {\(when)}, then: \(then)\(more)}\n"
    }

    private func errors(_ text: String, others: [String: String] = [:]) -> [String] {
        do throws(ConfigurationErrors) {
            _ = try rules(text, others: others)
            return []
        } catch {
            return error.errors.map(\.description)
        }
    }

    @Test func rulesKeepOrderDatesAndLines() throws {
        let set = try rules(
            rule("one", "present: invoice_number", then: "contracted", more: ", from: 2026-01-01, to: 2026-12-31")
                + rule("two", "prefix: {vehicle_id: [VA]}"))
        #expect(set.name == "test")
        #expect(set.rules.map(\.id) == ["one", "two"])
        #expect(set.rules.map(\.line) == [3, 4])
        #expect(set.rules[0].sourcing == .contracted)
        #expect(set.rules[0].from == CivilDay("2026-01-01") && set.rules[0].to == CivilDay("2026-12-31"))
        #expect(set.fields == [.invoiceNumber, .vehicleID])
    }

    @Test func anUnknownFieldIsReportedWithItsPlaceAndTheLikelyOne() {
        #expect(
            errors(rule("one", "present: provder_id"))
                == ["rules/test.yaml:3:48: unknown field “provder_id” — did you mean “provider_id”?"])
    }

    @Test func allErrorsOfAFileAreReportedTogether() {
        let found = errors(
            rule("one", "present: nonsense") + rule("two", "regex: {cost: '('}") + rule("3 4", "present: cost")
                + rule("five", "present: region", then: "inhouse") + rule("six", "range: {cost: {min: 2, max: 1}}")
                + rule("seven", "present: origin", more: ", from: 2026-02-30")
                + rule("eight", "present: origin", more: ", from: 2026-02-02, to: 2026-01-01"))
        #expect(found.count == 7)
        for (index, error) in found.enumerated() {
            #expect(error.hasPrefix("rules/test.yaml:\(index + 3):"), "\(error)")
        }
        #expect(found[1].contains("bad regex at character"))
        #expect(found[3].contains("did you mean “inHouse”"))
        #expect(found[6].contains("“from” lies after “to”"))
    }

    @Test func aDuplicateIDNamesBothLines() {
        let found = errors(rule("one", "present: cost") + rule("one", "present: region"))
        #expect(
            found == [
                "rules/test.yaml:4: the id “one” is also in line 3 — give every rule an id of its own"
            ])
    }

    @Test(arguments: [
        ("present: provider_id", "present: provider_id"), ("present: provider_id", "equals: {provider_id: A}"),
        ("in: {provider_id: [A, B]}", "in: {provider_id: [b]}"),
        ("prefix: {provider_id: V}", "prefix: {provider_id: VA}"),
        ("prefix: {provider_id: V}", "in: {provider_id: [VA1]}"),
        ("any: [{present: cost}, {present: region}]", "regex: {region: N}"),
        ("any: [{present: cost}, {not: {present: cost}}]", "present: region"),
    ])
    func aRuleAfterOneThatTakesAllItsTripsIsUnreachable(first: String, second: String) {
        let found = errors(rule("one", first) + rule("two", second, then: "contracted"))
        #expect(found.count == 1)
        let expected = "rules/test.yaml:4: rule “two” is unreachable: rule “one” in line 3 takes"
        #expect(found.first?.hasPrefix(expected) == true)
    }

    @Test func severalRulesTogetherMayHideAnother() {
        let found = errors(
            rule("a", "equals: {provider_id: A}") + rule("b", "equals: {provider_id: B}")
                + rule("c", "in: {provider_id: [A, B]}"))
        #expect(found.count == 1 && found[0].contains("the rules before it take every trip"))
    }

    @Test func datesDecideWhetherARuleHidesAnother() {
        let early = ", to: 2026-06-30", late = ", from: 2026-07-01"
        #expect(errors(rule("a", "present: cost", more: early) + rule("b", "present: cost")).isEmpty)
        #expect(errors(rule("a", "present: cost", more: early) + rule("b", "present: cost", more: late)).isEmpty)
        #expect(errors(rule("a", "present: cost", more: late) + rule("b", "present: cost", more: late)).count == 1)
        #expect(errors(rule("a", "present: cost") + rule("b", "present: cost", more: early)).count == 1)
    }

    @Test func aConditionThatCanNeverHoldIsReported() {
        let found = errors(rule("a", "all: [{equals: {region: N}}, {equals: {region: S}}]"))
        #expect(found.count == 1 && found[0].contains("can never hold"))
    }

    private let rosterRule = "roster: {field: provider_id, file: r.csv, sourcing: contracted}"

    @Test func aRosterIsCheckedLineByLine() {
        let csv = """
            provider_id,sourcing,from,to
            P-1,contracted,2026-01-01,2026-06-30
            P-2,Contracted,,
            p-1,inHouse,2026-06-30,
            P-3,inHouse,2026-05-01,2026-04-01
            P-4,inHouse,01/02/2026,
            ,inHouse,,
            """
        let found = errors(rule("a", rosterRule), others: ["rules/r.csv": csv])
        #expect(found.map { $0.prefix(15) } == [3, 4, 5, 6, 7].map { "rules/r.csv:\($0): " })
        #expect(found.contains { $0.hasPrefix("rules/r.csv:4: this entry overlaps the one of the same key in line 2") })
        #expect(!found.joined().contains("P-"))
    }

    @Test func rosterEntriesThatFollowEachOtherAreFine() {
        let csv = "provider_id,sourcing,from,to\nP-1,contracted,,2026-06-30\nP-1,inHouse,2026-07-01,\n"
        #expect(errors(rule("a", rosterRule), others: ["rules/r.csv": csv]).isEmpty)
    }

    @Test func aMissingFileIsReportedWhereItIsNamed() {
        let found = errors(rule("a", rosterRule))
        #expect(found.count == 1 && found[0].hasPrefix("rules/test.yaml:3:") && found[0].contains("“r.csv”"))
    }

    @Test func listsComeFromFilesByColumnOrLine() throws {
        let files = ["rules/l.csv": "id,name\nX-1,\"a, b\"\nX-2,c\n", "rules/l.txt": "X-1\r\n\r\nX-2\r\n"]
        let byColumn = try rules(rule("a", "in-file: {provider_id: l.csv#id}"), others: files)
        let byLine = try rules(rule("a", "in-file: {provider_id: l.txt}"), others: files)
        #expect(byColumn.rules[0].condition == byLine.rules[0].condition)
        #expect(errors(rule("a", "in-file: {provider_id: 'l.csv#ids'}"), others: files).count == 1)
    }

    @Test func theVersionChangesWithEveryFile() throws {
        let files = ["rules/r.csv": "provider_id,sourcing\nP-1,contracted\n"]
        let version = try rules(rule("a", rosterRule), others: files).version
        #expect(version.count == 64)
        #expect(try rules(rule("a", rosterRule), others: files).version == version)
        let newer = ["rules/r.csv": "provider_id,sourcing\nP-2,contracted\n"]
        #expect(try rules(rule("a", rosterRule), others: newer).version != version)
        #expect(try rules(rule("b", rosterRule), others: files).version != version)
    }
}
