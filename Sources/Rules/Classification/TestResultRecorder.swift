package import Trips

/// Keeps, for each trip, the outcomes of the rules' tests on fields whose values may not be stored: one of few texts,
/// such as `invoice_number present: no; vehicle_id prefix va: yes; vehicle_id present: yes`.
///
/// Each worker owns one: it learns the values it meets, and counts its codes by itself. As in `ConditionMachine` each
/// distinct value is tested once and each distinct combination of outcomes is written once. `StoredClassifier` reads
/// the texts back.
package struct TestResultRecorder: Sendable {
    /// The fields that it tests: a batch's `textFields` should hold them all, in any order.
    package let fields: [CanonicalField]
    /// For each row of the last batch the index of its test results in `texts`.
    package private(set) var codes: [Int32] = []
    /// Test results by code; they only ever grow. Empty text: the rules test no such field.
    package private(set) var texts: [String] = []

    /// By field the name of each test.
    private let names: [[String]]
    private var tables: DecisionTables<Int32>
    private var codeByText: [String: Int32] = [:]

    package init(_ ruleSet: RuleSet) {
        let tests = ruleSet.rules.flatMap(\.condition.tests).filter { !$0.isOfStoredField }
        let clauses = tests.flatMap { test in
            [FieldTest(test.field, .present), test].map { ConditionMachine.Clause(condition: .test($0)) }
        }
        let program = ConditionProgram(clauses)
        fields = program.fields.compactMap { CanonicalField(rawValue: $0.name) }
        names = program.fields.map { $0.tests.map(\.storedName) }
        tables = DecisionTables(fields: names.indices.map(program.classes), segments: program.segments)
    }

    /// Fills `codes` for the first `batch.count` rows.
    ///
    /// - Parameter dictionaries: one for each of `batch.textFields`, in its order. A field that the batch does not
    ///   carry counts as absent, as it does for `Classifier`.
    package mutating func record(_ batch: TripBatch, dictionaries: [TextDictionary]) {
        let columns = ruleColumns(fields, of: batch, dictionaries: dictionaries)
        let names = names
        var texts = texts, codeByText = codeByText
        tables.decide(
            codes: columns.codes, dictionaries: columns.dictionaries, days: batch.day, count: batch.count, into: &codes
        ) { record in
            var outcomes: [String: Bool] = [:]
            for (field, names) in names.enumerated() {
                for (test, name) in names.enumerated() {
                    outcomes[name] = record.outcome(of: ConditionProgram.TestNumber(field: field, test: test))
                }
            }
            let text = StoredTestResults(outcomes: outcomes).text
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
