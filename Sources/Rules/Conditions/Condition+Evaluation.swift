package import Basics
import StrictYAML
import Trips

extension Condition {
    /// Whether the condition holds for a record: plainly, one test after another.
    ///
    /// This defines what conditions mean. A test requires the same answers of `ConditionMachine`.
    /// - Parameters:
    ///   - value: the record's value of a field; nil where it has none.
    ///   - day: the trip's local day, for rosters.
    package func holds(for value: (String) -> String?, on day: CivilDay?) -> Bool {
        evaluate { $0.accepts(value($0.field) ?? "", on: day) } ?? false
    }

    /// The fields it tests, in the order of first mention.
    package var fields: [String] {
        var seen: Set<String> = []
        return tests.map(\.field).filter { seen.insert($0).inserted }
    }

    /// As `holds(for:on:)`, with the outcome of every part; nothing is skipped.
    package func trace(for value: (String) -> String?, on day: CivilDay?) -> ConditionTrace {
        trace { $0.accepts(value($0.field) ?? "", on: day) }
    }

    /// The tree with the outcomes of the tests, and what follows from them; nil: not known.
    func trace(outcome: (FieldTest) -> Bool?) -> ConditionTrace {
        let (text, parts): (String, [Condition]) =
            switch self {
            case .test(let test): (test.summary, [])
            case .all(let conditions): ("all of", conditions)
            case .any(let conditions): ("any of", conditions)
            case .not(let condition): ("not", [condition])
            }
        return ConditionTrace(text: text, holds: evaluate(outcome), parts: parts.map { $0.trace(outcome: outcome) })
    }
}

extension FieldTest {
    /// Whether it accepts a value on the day of the trip.
    func accepts(_ value: String, on day: CivilDay?) -> Bool {
        let text = FoldedText.trimmed(value)
        guard !text.isEmpty else { return false }
        let folded = FoldedText.folded(text)
        switch kind {
        case .present: return true
        case .isIn(let values): return values.contains { FoldedText.folded($0) == folded }
        case .prefix(let prefixes): return prefixes.contains { folded.utf8.starts(with: FoldedText.folded($0).utf8) }
        case .containsToken(let tokens):
            let own = FoldedText.tokens(folded)
            return tokens.contains { own.contains(FoldedText.folded($0)) }
        case .regex(let pattern): return (try? LinearPattern(pattern))?.matches(text) ?? false
        case .range(let minimum, let maximum):
            guard let number = Double(plainDecimal: text) else { return false }
            return number >= minimum ?? -.infinity && number <= maximum ?? .infinity
        case .roster(let roster, let sourcing):
            return roster.entries.contains {
                FoldedText.folded($0.key) == folded && $0.sourcing == sourcing && $0.isInForce(on: day)
            }
        }
    }

    /// The kind of test in words, without its operands.
    var summary: String {
        switch kind {
        case .present: "\(field) has a value"
        case .isIn(let values): "\(field) is \(values.count == 1 ? "the listed value" : "a listed value")"
        case .prefix: "\(field) starts with a listed prefix"
        case .containsToken: "\(field) contains a listed token"
        case .regex: "\(field) matches the pattern"
        case .range: "\(field) is a number within the range"
        case .roster(_, let sourcing): "the roster has \(field) as \(sourcing.name) on the day of the trip"
        }
    }
}

/// The outcomes of a condition for one record, test by test. It names fields and kinds of tests, never a value: neither
/// the record's nor the listed ones.
package struct ConditionTrace: Sendable, Hashable {
    /// `vehicle_id starts with a listed prefix`, `all of`, …
    package let text: String
    /// Nil: not known, for a test of a value that is not kept.
    package let holds: Bool?
    package let parts: [ConditionTrace]

    /// One line a test: `yes`, `no` or `?`, then the test, indented by its depth.
    package func lines(indent: Int = 0) -> [String] {
        let word = holds.map { $0 ? "yes  " : "no   " } ?? "?    "
        return [String(repeating: " ", count: indent) + word + text] + parts.flatMap { $0.lines(indent: indent + 2) }
    }
}
