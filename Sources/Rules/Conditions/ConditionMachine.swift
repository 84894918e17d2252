package import Basics
package import Trips

/// Conditions made ready for many records: each distinct value of a field is tested once, each distinct combination of
/// outcomes is decided once.
///
/// A worker owns one; it fills its tables as it meets values. A record costs one table step a field and one look-up of
/// the decision; nothing is compared and nothing allocated. It gives the answers of `Condition.holds(for:on:)`.
package struct ConditionMachine: Sendable {
    /// One condition with the days on which it applies (both included; nil: no bound).
    package struct Clause: Sendable {
        package var condition: Condition
        package var from: CivilDay?
        package var to: CivilDay?

        package init(condition: Condition, from: CivilDay? = nil, to: CivilDay? = nil) {
            self.condition = condition
            self.from = from
            self.to = to
        }
    }

    /// The fields that the conditions test, in the order in which `firstMatches` wants their codes.
    package let fields: [String]

    private let program: ConditionProgram
    private var tables: DecisionTables<Int16>

    /// At most 32 767 clauses.
    package init(clauses: [Clause]) {
        program = ConditionProgram(clauses)
        fields = program.fields.map(\.name)
        tables = DecisionTables(fields: fields.indices.map(program.classes), segments: program.segments)
    }

    /// Whether only the presence of a field matters, or its value.
    package func need(of field: String) -> TextNeed {
        fields.firstIndex(of: field).map { tables.fields[$0].need } ?? .presence
    }

    /// For each of the first `count` records the index of the first clause that holds, or -1, written to `result`.
    ///
    /// `codes[f][row]` is the code of field `fields[f]` in `dictionaries[f]` (for a field of which only presence is
    /// needed, an empty dictionary will do: 0 or 1). `days` may be empty if no clause is dated and no roster is used;
    /// where it is, days count as not known.
    package mutating func firstMatches(
        codes: [[UInt32]], dictionaries: [TextDictionary], days: [Int32], count: Int, into result: inout [Int16]
    ) {
        let program = program
        tables.decide(codes: codes, dictionaries: dictionaries, days: days, count: count, into: &result) { record in
            switch program.firstMatch(segment: record.segment, outcome: record.outcome) {
            case .clause(let index): Int16(index)
            case .none, .undetermined: -1
            }
        }
    }
}
