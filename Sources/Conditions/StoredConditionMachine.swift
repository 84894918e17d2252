internal import Trips

/// Decides clauses about records of which only some values were kept; of the others there is `Evidence`.
///
/// Values and evidence are known by numbers that stay the same (the store's interned texts; 0: none): each is looked at
/// once, each distinct combination is decided once. It gives the answers of `ConditionMachine`, or says which test it
/// would have to know.
package struct StoredConditionMachine: Sendable {
    /// Which clause is the first that holds.
    package enum Match: Sendable, Hashable {
        case clause(Int)
        case none
        /// An index into `unanswered`.
        case unanswerable(Int)
    }

    /// A test that evidence lacks, and the clause that depends on it.
    package struct Unanswered: Sendable, Hashable {
        package let clause: Int
        /// `Condition.testName`.
        package let test: String
    }

    /// What could not be answered so far, each once.
    package private(set) var unanswered: [Unanswered] = []

    private let program: ConditionProgram
    private var tables: DecisionTables<Int32>
    /// For each field of the program its table and, in the table of the evidence, the place of its first test.
    private let places: [(table: Int, firstTest: Int)]
    /// For each table which of a record's ids it is about.
    private let idOfTable: [Int]
    /// The name and field of each test in the table of the evidence.
    private let hidden: [(name: String, field: String)]
    private let evidenceTable: Int
    /// Scratch: the classes of the record being decided.
    private var classes: [Int32]

    /// - Parameters:
    ///   - clear: the fields whose values were kept, in the order of the ids that `firstMatch` is given.
    ///   - name: as `EvidenceMachine` was given.
    package init(clauses: [ConditionMachine.Clause], clear: [String], name: (Condition) -> String?) {
        let program = ConditionProgram(clauses)
        var fields: [FieldClasses] = []
        var ids: [Int] = []
        var places: [(table: Int, firstTest: Int)] = []
        var hidden: [(name: String, field: String)] = []
        let clearCount = program.fields.count { clear.contains($0.name) }
        for field in program.fields {
            if let id = clear.firstIndex(of: field.name) {
                places.append((fields.count, 0))
                ids.append(id)
                fields.append(FieldClasses(tests: program.tests(of: field), segmentCount: program.segments.count))
            } else {
                places.append((clearCount, hidden.count))
                hidden += field.conditions.map { (name($0) ?? "", field.name) }
            }
        }
        if !hidden.isEmpty {
            ids.append(clear.count)
            fields.append(FieldClasses(recordedOutcomes: hidden.count))
        }
        self.program = program
        self.places = places
        self.hidden = hidden
        idOfTable = ids
        evidenceTable = clearCount
        classes = Array(repeating: 0, count: fields.count)
        tables = DecisionTables(fields: fields, segments: program.segments)
    }

    /// The first clause that holds for one record.
    /// - Parameters:
    ///   - day: days since 1970.
    ///   - ids: the numbers of the values in the order of `clear`, then that of the evidence; not negative.
    ///   - text: the text of a number, asked once for each.
    package mutating func firstMatch(day: Int32, ids: [Int], text: (Int) throws -> String) rethrows -> Match {
        for table in classes.indices {
            let id = ids[idOfTable[table]]
            if let known = tables.classOfValue(table: table, id: id) {
                classes[table] = known
            } else {
                classes[table] = try learn(id, table: table, text: id == 0 ? "" : text(id))
            }
        }
        let decision = tables.decision(classes: classes, day: day) ?? decide(day: day)
        return decision >= 0 ? .clause(Int(decision)) : decision == -1 ? .none : .unanswerable(Int(-2 - decision))
    }

    /// Clauses by their indices, -1 for none, what is unanswered from -2 downwards.
    private mutating func decide(day: Int32) -> Int32 {
        let program = program, places = places, hidden = hidden
        var unanswered = unanswered
        let decision = tables.decide(classes: classes, day: day) { record in
            let match = program.firstMatch(segment: record.segment) { field, test in
                record.outcome(field: places[field].table, test: places[field].firstTest + test)
            }
            switch match {
            case .clause(let index): return Int32(index)
            case .none: return -1
            case .undetermined(let clause, let field, let test):
                let missing = Unanswered(clause: clause, test: hidden[places[field].firstTest + test].name)
                let index = unanswered.firstIndex(of: missing) ?? unanswered.count
                if index == unanswered.count { unanswered.append(missing) }
                return -2 - Int32(index)
            }
        }
        self.unanswered = unanswered
        return decision
    }

    private mutating func learn(_ id: Int, table: Int, text: String) -> Int32 {
        guard table == evidenceTable else { return tables.learnValue(table: table, id: id) { $0.classify(text) } }
        let evidence = Evidence(text: text)
        let outcomes = hidden.map { evidence.outcome(of: $0.name, field: $0.field) }
        return tables.learnValue(table: table, id: id) { $0.intern(outcomes) }
    }
}
