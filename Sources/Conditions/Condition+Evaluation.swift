package import Trips

extension Condition {
    /// Whether the condition holds for a record: plainly, one test after another.
    ///
    /// This says what conditions mean; `ConditionMachine` must give the same answers and is held to this in its tests.
    /// - Parameters:
    ///   - value: the record's value of a field; nil where it has none.
    ///   - day: the trip's local day, for rosters.
    package func holds(for value: (String) -> String?, on day: CivilDay?) -> Bool {
        switch self {
        case .all(let conditions): conditions.allSatisfy { $0.holds(for: value, on: day) }
        case .any(let conditions): conditions.contains { $0.holds(for: value, on: day) }
        case .not(let condition): !condition.holds(for: value, on: day)
        case .present(let field), .isIn(let field, _), .prefix(let field, _), .containsToken(let field, _),
            .regex(let field, _), .range(let field, _, _), .roster(let field, _, _):
            accepts(FoldedText.trimmed(value(field) ?? ""), on: day)
        }
    }

    /// Whether a test of a single field accepts a trimmed value.
    private func accepts(_ text: String, on day: CivilDay?) -> Bool {
        guard !text.isEmpty else { return false }
        let folded = FoldedText.folded(text)
        switch self {
        case .present: return true
        case .isIn(_, let values): return values.contains { FoldedText.folded($0) == folded }
        case .prefix(_, let prefixes): return prefixes.contains { folded.utf8.starts(with: FoldedText.folded($0).utf8) }
        case .containsToken(_, let tokens):
            let own = FoldedText.tokens(folded)
            return tokens.contains { own.contains(FoldedText.folded($0)) }
        case .regex(_, let pattern): return (try? LinearPattern(pattern))?.matches(text) ?? false
        case .range(_, let minimum, let maximum):
            guard let number = FoldedText.number(text) else { return false }
            return number >= minimum ?? -.infinity && number <= maximum ?? .infinity
        case .roster(_, let roster, let sourcing):
            return roster.entries.contains {
                FoldedText.folded($0.key) == folded && $0.sourcing == sourcing && $0.isInForce(on: day)
            }
        case .all, .any, .not: return false
        }
    }

    /// The fields it looks at, in the order of first mention.
    package var fields: [String] {
        switch self {
        case .present(let field), .isIn(let field, _), .prefix(let field, _), .containsToken(let field, _),
            .regex(let field, _), .range(let field, _, _), .roster(let field, _, _):
            return [field]
        case .all(let conditions), .any(let conditions):
            var fields: [String] = []
            for field in conditions.flatMap(\.fields) where !fields.contains(field) { fields.append(field) }
            return fields
        case .not(let condition): return condition.fields
        }
    }
}

extension Roster.Entry {
    /// Whether the entry covers the day. Without a day, only an entry without dates does.
    package func isInForce(on day: CivilDay?) -> Bool {
        guard let day else { return from == nil && to == nil }
        if let from, day < from { return false }
        if let to, day > to { return false }
        return true
    }
}
