/// Decides whether one condition makes another certain, as far as that can be decided cheaply.
///
/// True is certain; false may mean not known. Decided are: equal conditions, `present` and every test of its field,
/// lists and prefixes within others, listed values that pass a test, ranges within ranges, and all of these through
/// all, any and not. The work is bounded: what is not decided within the bound is not known.
package struct Implication {
    private var stepsLeft: Int

    private static let maximumListTested = 1024

    package init(maximumSteps: Int = 20_000) {
        stepsLeft = maximumSteps
    }

    /// Whether every record for which `one` holds is one for which `other` holds.
    package mutating func implies(_ one: Condition, _ other: Condition) -> Bool {
        stepsLeft -= 1
        guard stepsLeft > 0 else { return false }
        if one == other || isNever(one) || isAlways(other) { return true }
        switch (one, other) {
        case (_, .all(let others)):
            for part in others where !implies(one, part) { return false }
            return true
        case (.any(let own), _):
            for part in own where !implies(part, other) { return false }
            return true
        case (.not(let own), .not(let others)): return implies(others, own)
        case (.isIn(let field, let values), .any(let others)) where values.count > 1:
            if impliesSome(one, others) { return true }
            for value in values where !impliesSome(.isIn(field: field, values: [value]), others) { return false }
            return true
        case (.prefix(let field, let prefixes), .any(let others)) where prefixes.count > 1:
            if impliesSome(one, others) { return true }
            for prefix in prefixes where !impliesSome(.prefix(field: field, prefixes: [prefix]), others) {
                return false
            }
            return true
        case (.all(let own), .any(let others)):
            return impliesSome(one, others) || someImplies(own, other)
        case (_, .any(let others)): return impliesSome(one, others)
        case (.all(let own), _): return someImplies(own, other)
        default: return impliesTest(one, other)
        }
    }

    private mutating func impliesSome(_ one: Condition, _ others: [Condition]) -> Bool {
        for other in others where implies(one, other) { return true }
        return false
    }

    private mutating func someImplies(_ own: [Condition], _ other: Condition) -> Bool {
        for one in own where implies(one, other) { return true }
        return false
    }

    /// Both are tests of a single field, or it is not known.
    private func impliesTest(_ one: Condition, _ other: Condition) -> Bool {
        guard let field = one.testedField, field == other.testedField else { return false }
        switch (one, other) {
        case (_, .present): return true
        case (_, .roster): return false
        case (.isIn(_, let values), .isIn(_, let others)):
            return Set(values.map(FoldedText.folded)).isSubset(of: others.map(FoldedText.folded))
        // Values are compared folded: a test that looks at case says nothing about the other spellings.
        case (.isIn, .regex): return false
        case (.isIn(_, let values), _):
            return values.count <= Self.maximumListTested
                && values.allSatisfy { value in other.holds(for: { _ in value }, on: nil) }
        case (.prefix(_, let own), .prefix(_, let others)):
            let folded = others.map(FoldedText.folded)
            return own.count <= Self.maximumListTested
                && own.map(FoldedText.folded).allSatisfy { one in folded.contains { one.utf8.starts(with: $0.utf8) } }
        case (.containsToken(_, let own), .containsToken(_, let others)):
            return Set(own.map(FoldedText.folded)).isSubset(of: others.map(FoldedText.folded))
        case (.range(_, let low, let high), .range(_, let otherLow, let otherHigh)):
            return low ?? -.infinity >= otherLow ?? -.infinity && high ?? .infinity <= otherHigh ?? .infinity
        default: return false
        }
    }

    /// Holds for every record: an `any` with a test and its opposite, and the like.
    package mutating func isAlways(_ condition: Condition) -> Bool {
        stepsLeft -= 1
        guard stepsLeft > 0 else { return false }
        switch condition {
        case .all(let parts):
            for part in parts where !isAlways(part) { return false }
            return true
        case .any(let parts):
            for part in parts where isAlways(part) { return true }
            for case .not(let opposite) in parts {
                for part in parts where part != .not(opposite) && implies(opposite, part) { return true }
            }
            return false
        case .not(let part): return isNever(part)
        default: return false
        }
    }

    /// Holds for no record: an `all` with a test and what excludes it, and the like.
    package mutating func isNever(_ condition: Condition) -> Bool {
        stepsLeft -= 1
        guard stepsLeft > 0 else { return false }
        switch condition {
        case .any(let parts):
            for part in parts where !isNever(part) { return false }
            return true
        case .all(let parts):
            for part in parts where isNever(part) { return true }
            for (index, part) in parts.enumerated() {
                for (place, other) in parts.enumerated() where place != index && excludes(part, other) { return true }
            }
            return false
        case .not(let part): return isAlways(part)
        case .isIn(_, let values): return values.isEmpty
        case .range(_, let minimum, let maximum): return (minimum ?? -.infinity) > (maximum ?? .infinity)
        default: return false
        }
    }

    /// Whether the two cannot hold together.
    private mutating func excludes(_ one: Condition, _ other: Condition) -> Bool {
        if case .not(let opposite) = other { return implies(one, opposite) }
        guard case .isIn(let field, let values) = one, case .isIn(field, let others) = other else { return false }
        return Set(values.map(FoldedText.folded)).isDisjoint(with: others.map(FoldedText.folded))
    }
}
