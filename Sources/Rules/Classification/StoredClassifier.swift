package import Trips

/// Classifies stored trips by a rule set, which need not be the one they were loaded with.
///
/// A store keeps the values of `StoredText.publicFields` and test results of the other fields. The classifier gives
/// what `Classifier` gives for the original records, wherever the test results hold the outcomes that matter; it never
/// guesses. One belongs to one thread; each distinct text is read once, each distinct combination is decided once.
package struct StoredClassifier: Sendable {
    package enum Outcome: Sendable, Hashable {
        /// The class, and the index of the rule that decided (nil: no rule matched).
        case classified(Sourcing, rule: Int?)
        /// The outcome depends on a test whose result is not stored: `missingResults[index]`.
        case needsReplay(Int)
    }

    /// The results that were missing so far, each once.
    package private(set) var missingResults: [MissingTestResult] = []

    private let rules: [Rule]
    private let program: ConditionProgram
    private var tables: DecisionTables<Int32>
    /// For each table the text of a trip that it takes. The last one may be that of the test results.
    private let texts: [StoredText]
    /// For each field of the program its table and, in the table of the test results, the index of its first test.
    private let places: [(table: Int, firstTest: Int)]
    /// The tests on fields whose values are not kept.
    private let hidden: [(name: String, field: String)]
    /// Scratch: the classes of the trip being decided.
    private var classes: [Int32]

    package init(_ ruleSet: RuleSet) {
        let program = ConditionProgram(ruleSet.clauses)
        var tables: [FieldClasses] = []
        var texts: [StoredText] = []
        var places: [(table: Int, firstTest: Int)] = []
        var hidden: [(name: String, field: String)] = []
        let stored = program.fields.map { field in StoredText.publicFields.first { $0.field.rawValue == field.name } }
        for (index, field) in program.fields.enumerated() {
            if let text = stored[index]?.text {
                places.append((tables.count, 0))
                tables.append(program.classes(ofField: index))
                texts.append(text)
            } else {
                places.append((stored.count { $0 != nil }, hidden.count))
                hidden += field.tests.map { ($0.storedName, field.name) }
            }
        }
        if !hidden.isEmpty {
            tables.append(FieldClasses(recordedOutcomes: hidden.count))
            texts.append(.testResults)
        }
        rules = ruleSet.rules
        self.program = program
        self.texts = texts
        self.places = places
        self.hidden = hidden
        classes = Array(repeating: 0, count: tables.count)
        self.tables = DecisionTables(fields: tables, segments: program.segments)
    }

    /// The class of one trip.
    /// - Parameter text: the text of a number of `facts`; asked once for each, and never for 0.
    package mutating func classify(_ facts: TripFacts, text: (Int32) throws -> String) rethrows -> Outcome {
        for table in classes.indices {
            let number = facts[texts[table]]
            if let known = tables.fields[table].classOfValue(number: Int(number)) {
                classes[table] = known
            } else {
                classes[table] = try learn(Int(number), table: table, text: number == 0 ? "" : text(number))
            }
        }
        let decision = tables.decision(classes: classes, day: facts.day) ?? decide(day: facts.day)
        if decision >= 0 { return .classified(rules[Int(decision)].sourcing, rule: Int(decision)) }
        return decision == -1 ? .classified(.unclassified, rule: nil) : .needsReplay(Int(-2 - decision))
    }

    /// The test results of a trip that is filled in from a part.
    package static func testResults(_ own: String, filledFrom part: String) -> String {
        var results = StoredTestResults(text: own)
        results.fill(from: StoredTestResults(text: part))
        return results.text
    }

    private mutating func learn(_ number: Int, table: Int, text: String) -> Int32 {
        let index: Int32
        if texts[table] == .testResults {
            let results = StoredTestResults(text: text)
            index = tables.fields[table].intern(hidden.map { results.outcome(of: $0.name, field: $0.field) })
        } else {
            index = tables.fields[table].classify(text)
        }
        tables.fields[table].keep(class: index, ofValue: number)
        return index
    }

    /// Rules by their indices, -1 for none, missing results from -2 downwards.
    private mutating func decide(day: Int32) -> Int32 {
        let program = program, places = places, hidden = hidden, rules = rules
        var missingResults = missingResults
        let decision = tables.decide(classes: classes, day: day) { record in
            let match = program.firstMatch(segment: record.segment) { number in
                let place = places[number.field]
                return record.outcome(of: .init(field: place.table, test: place.firstTest + number.test))
            }
            switch match {
            case .clause(let index): return Int32(index)
            case .none: return -1
            case .undetermined(let clause, let number):
                let test = hidden[places[number.field].firstTest + number.test].name
                let missing = MissingTestResult(ruleID: rules[clause].id, test: test)
                let index = missingResults.firstIndex(of: missing) ?? missingResults.count
                if index == missingResults.count { missingResults.append(missing) }
                return -2 - Int32(index)
            }
        }
        self.missingResults = missingResults
        return decision
    }
}

/// A test of a rule whose result is not stored for some trips.
package struct MissingTestResult: Sendable, Hashable {
    package let ruleID: String
    /// Its name in the store, such as `vehicle_id prefix va`: no value of any trip.
    package let test: String

    package init(ruleID: String, test: String) {
        self.ruleID = ruleID
        self.test = test
    }
}
