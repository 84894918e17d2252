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

    /// A field and the distinct tests of it.
    struct Field: Sendable {
        let name: String
        var conditions: [Condition]
    }

    /// Which clause is the first that holds.
    enum Match: Sendable {
        case clause(Int)
        case none
        /// This clause holds or not, which depends on a test of which the outcome is not known.
        case undetermined(clause: Int, field: Int, test: Int)
    }

    let clauses: [Clause]
    let segments: DaySegments
    /// Fields in the order of first mention.
    let fields: [Field]

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
        fields = builder.fields
    }

    /// The tests of a field, in the order in which the nodes number them.
    func tests(of field: Field) -> [AtomTest] {
        field.conditions.compactMap { AtomTest($0, segments: segments) }
    }

    /// The first clause that holds. An outcome of nil is not known; what does not depend on it is decided all the same.
    func firstMatch(segment: Int, outcome: (_ field: Int, _ test: Int) -> Bool?) -> Match {
        for (index, clause) in clauses.enumerated() where clause.inForce[segment] {
            switch Self.evaluate(clause.node, outcome) {
            case true?: return .clause(index)
            case false?: continue
            case nil:
                guard let (field, test) = Self.unknown(in: clause.node, outcome) else { continue }
                return .undetermined(clause: index, field: field, test: test)
            }
        }
        return .none
    }

    /// Kleene's three-valued logic; nil: not known.
    private static func evaluate(_ node: Node, _ outcome: (_ field: Int, _ test: Int) -> Bool?) -> Bool? {
        switch node {
        case .test(let field, let test): outcome(field, test)
        case .all(let nodes): Kleene.all(nodes) { evaluate($0, outcome) }
        case .any(let nodes): Kleene.any(nodes) { evaluate($0, outcome) }
        case .not(let node): evaluate(node, outcome).map(!)
        }
    }

    /// The first test that leaves a node of unknown outcome undetermined.
    private static func unknown(
        in node: Node, _ outcome: (_ field: Int, _ test: Int) -> Bool?
    ) -> (field: Int, test: Int)? {
        switch node {
        case .test(let field, let test): (field, test)
        case .all(let nodes), .any(let nodes):
            nodes.first { evaluate($0, outcome) == nil }.flatMap { unknown(in: $0, outcome) }
        case .not(let node): unknown(in: node, outcome)
        }
    }

    /// Gives every distinct test of a field a number.
    private struct Builder {
        var fields: [Field] = []

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
            if place == fields.count { fields.append(Field(name: field, conditions: [])) }
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
