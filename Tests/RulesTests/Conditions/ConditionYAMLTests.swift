import Basics
import Rules
import StrictYAML
import Testing
import Trips

@Suite struct ConditionYAMLTests {
    private func condition(
        _ text: String, fields: [String]? = ["a", "b"], files: [String: String] = [:]
    ) throws -> Condition {
        let value = try YAMLValue.parse(text: text, file: "folder/file.yaml")
        let log = ConfigurationErrorLog()
        var reader = ConditionYAML(fields: fields, file: value.place.file, log: log) { path in
            guard let text = files[path] else { throw ConfigurationError(file: path, message: "missing") }
            return Array(text.utf8)
        }
        guard let condition = reader.condition(value), log.errors.isEmpty else {
            throw ConfigurationErrors(log.errors)
        }
        return condition
    }

    @Test func everyKindOfConditionIsRead() throws {
        #expect(try condition("present: a") == .present(field: "a"))
        #expect(try condition("equals: {a: 08}") == .isIn(field: "a", values: ["08"]))
        #expect(try condition("in: {a: [no, 1:30]}") == .isIn(field: "a", values: ["no", "1:30"]))
        #expect(try condition("prefix: {a: V}") == .prefix(field: "a", prefixes: ["V"]))
        #expect(try condition("contains-token: {a: [QN]}") == .containsToken(field: "a", tokens: ["QN"]))
        #expect(try condition(#"regex: {a: '\d'}"#) == .regex(field: "a", pattern: #"\d"#))
        #expect(try condition("range: {a: {min: 0.5}}") == .range(field: "a", minimum: 0.5, maximum: nil))
        #expect(
            try condition("all:\n  - not: {present: a}\n  - any: [{present: b}]")
                == .all([.not(.present(field: "a")), .any([.present(field: "b")])]))
    }

    @Test func filesLieBesideTheFileThatNamesThem() throws {
        let files = ["folder/list.txt": "x\n", "folder/r.csv": "a,sourcing,from\nK,inHouse,2026-01-01\n"]
        #expect(try condition("in-file: {a: list.txt}", files: files) == .isIn(field: "a", values: ["x"]))
        guard
            case .test(let test) = try condition("roster: {field: a, file: r.csv, sourcing: inHouse}", files: files),
            case .roster(let roster, .inHouse) = test.kind, test.field == "a"
        else {
            Issue.record("not a roster")
            return
        }
        #expect(
            roster.entries
                == [Roster.Entry(key: "K", from: CivilDay("2026-01-01"), to: nil, sourcing: .inHouse)])
    }

    @Test func withoutAListOfFieldsAnyNameIsTaken() throws {
        #expect(try condition("present: Unit Type", fields: nil) == .present(field: "Unit Type"))
        #expect(throws: ConfigurationErrors.self) { try condition("present: Unit Type") }
    }

    @Test(arguments: [
        "a", "[]", "{}", "{present: a, equals: {a: b}}", "presnt: a", "present: [a]", "present: ''", "equals: {a: [b]}",
        "equals: {a: ' '}", "equals: {a: b, b: c}", "in: {a: []}", "in: {}", "prefix: {a: ''}", "all: []", "any: {}",
        "not: []", "contains-token: {a: 'Q N'}", "regex: {a: '('}", "range: {a: {}}", "range: {a: {min: x}}",
        "range: {a: 5}", "roster: {field: a}", "roster: {field: a, file: none.csv, sourcing: inHouse}",
        "in-file: {a: none.txt}", "roster: {field: a, file: none.csv, sourcing: unclassified}",
    ])
    func whatIsNotAConditionIsRefused(text: String) {
        #expect(throws: ConfigurationErrors.self) { try condition(text) }
    }

    @Test func allErrorsComeTogether() {
        let error = #expect(throws: ConfigurationErrors.self) {
            try condition("any:\n  - present: x\n  - regex: {a: '['}\n  - equals: {a: ''}\n")
        }
        #expect(error?.errors.map(\.line) == [2, 3, 4])
    }
}
