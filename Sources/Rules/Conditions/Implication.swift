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
        case (_, .all(let others)): return others.allSatisfy { implies(one, $0) }
        case (.any(let own), _): return own.allSatisfy { implies($0, other) }
        case (.not(let own), .not(let others)): return implies(others, own)
        case (.test(let test), .any(let others)):
            if others.contains(where: { implies(one, $0) }) { return true }
            let single = test.single
            return single.count > 1 && single.allSatisfy { value in others.contains { implies(.test(value), $0) } }
        case (.all(let own), .any(let others)):
            return others.contains { implies(one, $0) } || own.contains { implies($0, other) }
        case (_, .any(let others)): return others.contains { implies(one, $0) }
        case (.all(let own), _): return own.contains { implies($0, other) }
        case (.test(let test), .test(let other)): return implies(test, other)
        default: return false
        }
    }

    private func implies(_ one: FieldTest, _ other: FieldTest) -> Bool {
        guard one.field == other.field else { return false }
        switch (one.kind, other.kind) {
        case (_, .present): return true
        case (_, .roster): return false
        case (.isIn(let values), .isIn(let others)):
            return Set(values.map(FoldedText.folded)).isSubset(of: others.map(FoldedText.folded))
        // Values are compared folded: a test that regards case decides nothing for the other spellings.
        case (.isIn, .regex): return false
        case (.isIn(let values), _):
            return values.count <= Self.maximumListTested && values.allSatisfy { other.accepts($0, on: nil) }
        case (.prefix(let own), .prefix(let others)):
            let folded = others.map(FoldedText.folded)
            return own.count <= Self.maximumListTested
                && own.map(FoldedText.folded).allSatisfy { one in folded.contains { one.utf8.starts(with: $0.utf8) } }
        case (.containsToken(let own), .containsToken(let others)):
            return Set(own.map(FoldedText.folded)).isSubset(of: others.map(FoldedText.folded))
        case (.range(let low, let high), .range(let otherLow, let otherHigh)):
            return low ?? -.infinity >= otherLow ?? -.infinity && high ?? .infinity <= otherHigh ?? .infinity
        default: return false
        }
    }

    /// Holds for every record: an `any` with a test and its opposite, and the like.
    package mutating func isAlways(_ condition: Condition) -> Bool {
        stepsLeft -= 1
        guard stepsLeft > 0 else { return false }
        switch condition {
        case .all(let parts): return parts.allSatisfy { isAlways($0) }
        case .any(let parts):
            if parts.contains(where: { isAlways($0) }) { return true }
            for case .not(let opposite) in parts {
                if parts.contains(where: { $0 != .not(opposite) && implies(opposite, $0) }) { return true }
            }
            return false
        case .not(let part): return isNever(part)
        case .test: return false
        }
    }

    /// Holds for no record: an `all` with a test and what excludes it, and the like.
    package mutating func isNever(_ condition: Condition) -> Bool {
        stepsLeft -= 1
        guard stepsLeft > 0 else { return false }
        switch condition {
        case .any(let parts): return parts.allSatisfy { isNever($0) }
        case .all(let parts):
            if parts.contains(where: { isNever($0) }) { return true }
            for (index, part) in parts.enumerated() {
                for (place, other) in parts.enumerated() where place != index && excludes(part, other) { return true }
            }
            return false
        case .not(let part): return isAlways(part)
        case .test(let test):
            switch test.kind {
            case .isIn(let values): return values.isEmpty
            case .range(let minimum, let maximum): return (minimum ?? -.infinity) > (maximum ?? .infinity)
            default: return false
            }
        }
    }

    /// Whether the two cannot hold together.
    private mutating func excludes(_ one: Condition, _ other: Condition) -> Bool {
        if case .not(let opposite) = other { return implies(one, opposite) }
        guard case .test(let one) = one, case .isIn(let values) = one.kind, case .test(let other) = other,
            case .isIn(let others) = other.kind, one.field == other.field
        else { return false }
        return Set(values.map(FoldedText.folded)).isDisjoint(with: others.map(FoldedText.folded))
    }
}

extension FieldTest {
    /// A list of values or prefixes as tests of one each.
    fileprivate var single: [FieldTest] {
        switch kind {
        case .isIn(let values): values.map { FieldTest(field, .isIn([$0])) }
        case .prefix(let prefixes): prefixes.map { FieldTest(field, .prefix([$0])) }
        default: [self]
        }
    }
}
