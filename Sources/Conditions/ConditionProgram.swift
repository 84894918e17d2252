internal import Trips

/// The clauses of a `ConditionMachine` with every test of a field replaced by its place in the field's table.
struct ConditionProgram: Sendable {
    indirect enum Node: Sendable {
        case test(field: Int, test: Int)
        case all([Node])
        case any([Node])
        case not(Node)
    }

    struct Clause: Sendable {
        let node: Node
        /// By day segment: whether the clause is in force.
        let inForce: [Bool]
    }

    let clauses: [Clause]
    let segments: DaySegments
    /// Fields in the order of first mention, with their tests not yet met by any value.
    let fields: [FieldClasses]

    init(_ clauses: [ConditionMachine.Clause]) {
        let rosters = clauses.flatMap { $0.condition.rosterSpans }
        let segments = DaySegments(spans: clauses.map { ($0.from, $0.to) } + rosters)
        var builder = Builder()
        self.clauses = clauses.map { clause in
            // A clause's days count as a roster entry's do: without a day, only an undated clause is in force.
            let span = Roster.Entry(key: "", from: clause.from, to: clause.to, sourcing: .unclassified)
            let inForce = (0..<segments.count).map { span.isInForce(on: segments.day(of: $0)) }
            return Clause(node: builder.node(for: clause.condition), inForce: inForce)
        }
        self.segments = segments
        fields = builder.fields.map { field in
            let tests = field.conditions.compactMap { AtomTest($0, segments: segments) }
            return FieldClasses(name: field.name, tests: tests, segmentCount: segments.count)
        }
    }

    /// The first clause that holds, or -1.
    func firstMatch(segment: Int, holds: (_ field: Int, _ test: Int) -> Bool) -> Int16 {
        for (index, clause) in clauses.enumerated() where clause.inForce[segment] {
            if Self.evaluate(clause.node, holds) { return Int16(index) }
        }
        return -1
    }

    private static func evaluate(_ node: Node, _ holds: (_ field: Int, _ test: Int) -> Bool) -> Bool {
        switch node {
        case .test(let field, let test): holds(field, test)
        case .all(let nodes): nodes.allSatisfy { evaluate($0, holds) }
        case .any(let nodes): nodes.contains { evaluate($0, holds) }
        case .not(let node): !evaluate(node, holds)
        }
    }

    /// Gives every distinct test of a field a number.
    private struct Builder {
        var fields: [(name: String, conditions: [Condition])] = []

        mutating func node(for condition: Condition) -> Node {
            switch condition {
            case .all(let conditions): return .all(conditions.map { node(for: $0) })
            case .any(let conditions): return .any(conditions.map { node(for: $0) })
            case .not(let condition): return .not(node(for: condition))
            case .present(let field), .isIn(let field, _), .prefix(let field, _), .containsToken(let field, _),
                .regex(let field, _), .range(let field, _, _), .roster(let field, _, _):
                return test(condition, of: field)
            }
        }

        private mutating func test(_ condition: Condition, of field: String) -> Node {
            let place = fields.firstIndex { $0.name == field } ?? fields.count
            if place == fields.count { fields.append((field, [])) }
            let test = fields[place].conditions.firstIndex(of: condition) ?? fields[place].conditions.count
            if test == fields[place].conditions.count { fields[place].conditions.append(condition) }
            return .test(field: place, test: test)
        }
    }
}

extension Condition {
    /// The days of all roster entries within it.
    fileprivate var rosterSpans: [(from: CivilDay?, to: CivilDay?)] {
        switch self {
        case .roster(_, let roster, _): roster.entries.map { ($0.from, $0.to) }
        case .all(let conditions), .any(let conditions): conditions.flatMap(\.rosterSpans)
        case .not(let condition): condition.rosterSpans
        case .present, .isIn, .prefix, .containsToken, .regex, .range: []
        }
    }
}
