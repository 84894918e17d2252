package import Trips

/// Keeps what conditions find out about values that may not be kept: for each record one of few texts (`Evidence`).
///
/// A worker owns one. As in `ConditionMachine` each distinct value is tested once, and each distinct combination of
/// outcomes is put into words once; a record costs one table step a field.
package struct EvidenceMachine: Sendable {
    /// The fields that evidence is kept of, in the order in which `record` wants their codes.
    package let fields: [String]
    /// Text by code; they only ever grow.
    package private(set) var texts: [String] = []

    private let tests: HiddenTests
    private var tables: DecisionTables<Int32>
    private var codeByText: [String: Int32] = [:]

    /// - Parameters:
    ///   - clear: the fields whose values are kept; no evidence is needed of them.
    ///   - name: the name of a test of a single field, as the store is to keep it (`Condition.testName`).
    package init(conditions: [Condition], clear: [String], name: (Condition) -> String?) {
        let tests = HiddenTests(conditions, clear: clear, name: name)
        // Rosters need the days on which their entries begin and end.
        let clauses = tests.fields.flatMap(\.conditions).map { ConditionMachine.Clause(condition: $0) }
        let segments = ConditionProgram(clauses).segments
        let classes = tests.fields.map { field in
            FieldClasses(
                tests: field.conditions.compactMap { AtomTest($0, segments: segments) }, segmentCount: segments.count)
        }
        self.tests = tests
        fields = tests.fields.map(\.name)
        tables = DecisionTables(fields: classes, segments: segments)
    }

    /// For each of the first `count` records the code of its text, written to `result`. See
    /// `ConditionMachine.firstMatches` for the columns.
    package mutating func record(
        codes: [[UInt32]], dictionaries: [TextDictionary], days: [Int32], count: Int, into result: inout [Int32]
    ) {
        let tests = tests
        var texts = texts, codeByText = codeByText
        tables.decide(codes: codes, dictionaries: dictionaries, days: days, count: count, into: &result) { record in
            var outcomes: [String: Bool] = [:]
            for (place, field) in tests.fields.enumerated() {
                for (test, name) in field.names.enumerated() {
                    outcomes[name] = record.outcome(field: place, test: test)
                }
            }
            let text = Evidence(outcomes: outcomes).text
            if let code = codeByText[text] { return code }
            let code = Int32(texts.count)
            texts.append(text)
            codeByText[text] = code
            return code
        }
        self.texts = texts
        self.codeByText = codeByText
    }
}
