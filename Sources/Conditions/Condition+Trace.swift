package import Trips

/// What a condition said of one record, test by test. It names fields and kinds of tests, never a value: neither the
/// record's nor the listed ones.
package struct ConditionTrace: Sendable, Hashable {
    /// `vehicle_id starts with a listed prefix`, `all of`, …
    package let text: String
    package let holds: Bool
    package let parts: [ConditionTrace]

    package init(text: String, holds: Bool, parts: [ConditionTrace] = []) {
        self.text = text
        self.holds = holds
        self.parts = parts
    }

    /// One line a test: `yes` or `no `, then the test, indented by its depth.
    package func lines(indent: Int = 0) -> [String] {
        [String(repeating: " ", count: indent) + (holds ? "yes  " : "no   ") + text]
            + parts.flatMap { $0.lines(indent: indent + 2) }
    }
}

extension Condition {
    /// As `holds(for:on:)`, with the outcome of every part; nothing is skipped.
    package func trace(for value: (String) -> String?, on day: CivilDay?) -> ConditionTrace {
        let parts: [ConditionTrace] =
            switch self {
            case .all(let conditions), .any(let conditions): conditions.map { $0.trace(for: value, on: day) }
            case .not(let condition): [condition.trace(for: value, on: day)]
            default: []
            }
        return ConditionTrace(text: summary, holds: holds(for: value, on: day), parts: parts)
    }

    /// The kind of test in words, without its operands.
    package var summary: String {
        switch self {
        case .present(let field): "\(field) has a value"
        case .isIn(let field, let values): "\(field) is \(values.count == 1 ? "the listed value" : "a listed value")"
        case .prefix(let field, _): "\(field) starts with a listed prefix"
        case .containsToken(let field, _): "\(field) contains a listed token"
        case .regex(let field, _): "\(field) matches the pattern"
        case .range(let field, _, _): "\(field) is a number within the range"
        case .roster(let field, _, let sourcing): "the roster has \(field) as \(sourcing.name) on the day of the trip"
        case .all: "all of"
        case .any: "any of"
        case .not: "not"
        }
    }
}
