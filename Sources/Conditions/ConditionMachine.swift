package import Trips

/// Conditions made ready for many records: each distinct value of a field is tested once, each distinct combination of
/// outcomes is decided once.
///
/// A worker owns one; it fills its tables as it meets values.
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

    /// The fields the conditions look at, in the order in which `firstMatches` wants their codes.
    package let fields: [String]

    package init(clauses: [Clause]) {
        fields = []
    }

    /// Whether only the presence of a field matters, or its value.
    package func need(of field: String) -> TextNeed { .value }

    /// For each of the first `count` records the index of the first clause that holds, or -1, written to `result`.
    ///
    /// `codes[f][row]` is the code of field `fields[f]` in `dictionaries[f]` (for a field of which only presence is
    /// needed: 0 or 1). `days` may be empty if no clause is dated and no roster is used.
    package mutating func firstMatches(
        codes: [[UInt32]], dictionaries: [TextDictionary], days: [Int32], count: Int, into result: inout [Int16]
    ) {
    }
}
