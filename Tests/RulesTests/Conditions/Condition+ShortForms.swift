import Rules
import Trips

/// Short forms for tests.
extension Condition {
    static func present(field: String) -> Condition { .test(FieldTest(field, .present)) }
    static func isIn(field: String, values: [String]) -> Condition { .test(FieldTest(field, .isIn(values))) }
    static func prefix(field: String, prefixes: [String]) -> Condition {
        .test(FieldTest(field, .prefix(prefixes)))
    }
    static func containsToken(field: String, tokens: [String]) -> Condition {
        .test(FieldTest(field, .containsToken(tokens)))
    }
    static func regex(field: String, pattern: String) -> Condition { .test(FieldTest(field, .regex(pattern))) }
    static func range(field: String, minimum: Double?, maximum: Double?) -> Condition {
        .test(FieldTest(field, .range(minimum: minimum, maximum: maximum)))
    }
    static func roster(field: String, roster: Roster, sourcing: Sourcing) -> Condition {
        .test(FieldTest(field, .roster(roster, sourcing: sourcing)))
    }
}
