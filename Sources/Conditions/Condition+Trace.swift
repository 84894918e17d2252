package import Trips

/// What a condition said of one record, test by test. It names fields and kinds of tests, never a value: neither the
/// record's nor the listed ones.
package struct ConditionTrace: Sendable, Hashable {
    /// `vehicle_id starts with a listed prefix`, `all of`, …
    package let text: String
    /// Nil: not known, for a test of a value that was not kept.
    package let holds: Bool?
    package let parts: [ConditionTrace]

    package init(text: String, holds: Bool?, parts: [ConditionTrace] = []) {
        self.text = text
        self.holds = holds
        self.parts = parts
    }

    /// One line a test: `yes`, `no` or `?`, then the test, indented by its depth.
    package func lines(indent: Int = 0) -> [String] {
        let word = holds.map { $0 ? "yes  " : "no   " } ?? "?    "
        return [String(repeating: " ", count: indent) + word + text] + parts.flatMap { $0.lines(indent: indent + 2) }
    }
}

extension Condition {
    /// As `holds(for:on:)`, with the outcome of every part; nothing is skipped.
    package func trace(for value: (String) -> String?, on day: CivilDay?) -> ConditionTrace {
        trace { $0.holds(for: value, on: day) }
    }

    /// What follows from the outcomes of the tests of single fields; nil: not known.
    package func trace(outcome: (Condition) -> Bool?) -> ConditionTrace {
        switch self {
        case .all(let conditions):
            let parts = conditions.map { $0.trace(outcome: outcome) }
            return ConditionTrace(text: summary, holds: Kleene.all(parts, \.holds), parts: parts)
        case .any(let conditions):
            let parts = conditions.map { $0.trace(outcome: outcome) }
            return ConditionTrace(text: summary, holds: Kleene.any(parts, \.holds), parts: parts)
        case .not(let condition):
            let part = condition.trace(outcome: outcome)
            return ConditionTrace(text: summary, holds: part.holds.map(!), parts: [part])
        case .present, .isIn, .prefix, .containsToken, .regex, .range, .roster:
            return ConditionTrace(text: summary, holds: outcome(self))
        }
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
