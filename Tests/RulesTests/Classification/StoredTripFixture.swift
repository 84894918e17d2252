import Basics
import Rules
import TestSupport
import Trips

/// Random rules over hidden and clear fields, random records, and what a store would keep of them.
struct StoredTripFixture {
    typealias Record = [CanonicalField: String]

    static let fields: [CanonicalField] = [.vehicleID, .providerID, .invoiceNumber, .hcpcsModifiers]
    static let values = [
        "", "", "VA1", "va1", "VA12", "P-1", "P-2", "RH QN", "QN", "QM,RH", "7", "12.5", "-3", "é;:,%",
    ]

    private var source: RandomConditions
    /// The store's texts; 0 is none.
    private(set) var texts = [""]

    init(seed: UInt64) {
        source = RandomConditions(seed: seed)
    }

    /// A test of one field, out of few.
    mutating func test() -> Condition {
        let field = source.pick(Self.fields).rawValue
        switch Int.random(in: 0..<7, using: &source.random) {
        case 0: return .present(field: field)
        case 1: return .isIn(field: field, values: source.pick([["va1", "P-1"], ["P-1", "VA1"], ["QN"], ["é;:,%"]]))
        case 2: return .prefix(field: field, prefixes: source.pick([["VA"], ["p-", "q"], ["é;"]]))
        case 3: return .containsToken(field: field, tokens: source.pick([["QN"], ["QM", "RH"]]))
        case 4: return .regex(field: field, pattern: source.pick([#"\d$"#, "(?i)^v", ";"]))
        case 5: return .range(field: field, minimum: source.pick([nil, 0]), maximum: source.pick([nil, 7]))
        default: return .roster(field: field, roster: source.roster(), sourcing: source.pick([.inHouse, .contracted]))
        }
    }

    mutating func condition(of tests: [Condition], depth: Int) -> Condition {
        guard depth > 0 else { return source.pick(tests) }
        switch Int.random(in: 0..<6, using: &source.random) {
        case 0, 1: return .all((0..<2).map { _ in condition(of: tests, depth: depth - 1) })
        case 2, 3: return .any((0..<2).map { _ in condition(of: tests, depth: depth - 1) })
        case 4: return .not(condition(of: tests, depth: depth - 1))
        default: return source.pick(tests)
        }
    }

    mutating func rules(of tests: [Condition]) -> RuleSet {
        let rules = (0..<Int.random(in: 1...5, using: &source.random)).map { index in
            Rule(
                id: "r\(index)", reason: "made up", condition: condition(of: tests, depth: 2),
                sourcing: source.pick([.inHouse, .contracted]), from: source.bound(), to: source.bound(),
                line: index + 1)
        }
        return RuleSet(name: "random", rules: rules, version: "0")
    }

    mutating func records(_ count: Int) -> [(day: CivilDay, values: Record)] {
        (0..<count).map { _ in
            var record: Record = [:]
            for field in Self.fields { record[field] = source.pick(Self.values) }
            return (source.day(), record)
        }
    }

    mutating func number(of text: String) -> Int32 {
        if text.isEmpty { return 0 }
        if let known = texts.firstIndex(of: text) { return Int32(known) }
        texts.append(text)
        return Int32(texts.count - 1)
    }

    /// What a store would keep of a record with these test results.
    mutating func facts(_ record: (day: CivilDay, values: Record), testResults: String) -> TripFacts {
        var facts = TripFacts()
        facts.day = record.day.daysSince1970
        for (text, field) in StoredText.publicFields { facts[text] = number(of: record.values[field] ?? "") }
        facts[.testResults] = number(of: testResults)
        return facts
    }

    /// The records as a reader gives them, with values of all fields or only of those that the rules read.
    static func batch(
        _ records: [(day: CivilDay, values: Record)], fields: [CanonicalField], need: (CanonicalField) -> TextNeed
    ) -> (batch: TripBatch, dictionaries: [TextDictionary]) {
        var batch = TripBatch(capacity: records.count, textFields: fields)
        batch.count = records.count
        var dictionaries: [TextDictionary] = []
        for (place, field) in fields.enumerated() {
            var dictionary = TextDictionary()
            var codes: [String: UInt32] = ["": 0]
            for (row, record) in records.enumerated() {
                let value = record.values[field] ?? ""
                let code = codes[value] ?? (need(field) == .value ? dictionary.append(value) : 1)
                codes[value] = code
                batch.text[place][row] = code
                batch.day[row] = record.day.daysSince1970
            }
            dictionaries.append(dictionary)
        }
        return (batch, dictionaries)
    }
}
