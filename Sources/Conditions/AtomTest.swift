internal import Trips

/// A test of one field made ready for many values: lists as sets, patterns compiled, rosters by key.
enum AtomTest: Sendable {
    case present
    case isIn(Set<String>)
    case prefix([String])
    case containsToken(Set<String>)
    case regex(LinearPattern)
    case range(ClosedRange<Double>)
    /// For each folded key the day segments in which the roster gives the sourcing that is asked for.
    case roster([String: [Bool]])
    /// An empty range or a pattern that does not compile: holds for nothing.
    case never

    /// Nil for a condition that is not a test of a single field.
    init?(_ condition: Condition, segments: DaySegments) {
        switch condition {
        case .present: self = .present
        case .isIn(_, let values): self = .isIn(Set(values.map(FoldedText.folded)))
        case .prefix(_, let prefixes): self = .prefix(prefixes.map(FoldedText.folded))
        case .containsToken(_, let tokens): self = .containsToken(Set(tokens.map(FoldedText.folded)))
        case .regex(_, let pattern): self = (try? LinearPattern(pattern)).map(AtomTest.regex) ?? .never
        case .range(_, let minimum, let maximum):
            let low = minimum ?? -.infinity, high = maximum ?? .infinity
            self = low <= high ? .range(low...high) : .never
        case .roster(_, let roster, let sourcing):
            var inForce: [String: [Bool]] = [:]
            for entry in roster.entries where entry.sourcing == sourcing {
                var held = inForce[FoldedText.folded(entry.key)] ?? Array(repeating: false, count: segments.count)
                for segment in 0..<segments.count where entry.isInForce(on: segments.day(of: segment)) {
                    held[segment] = true
                }
                inForce[FoldedText.folded(entry.key)] = held
            }
            self = .roster(inForce)
        case .all, .any, .not: return nil
        }
    }

    var isRoster: Bool {
        if case .roster = self { true } else { false }
    }

    var isPresence: Bool {
        if case .present = self { true } else { false }
    }

    /// The outcome for a value that is not blank: one element, or for a roster one for each day segment.
    func outcomes(trimmed: String, folded: String, segmentCount: Int) -> [Bool] {
        switch self {
        case .present: [true]
        case .isIn(let values): [values.contains(folded)]
        case .prefix(let prefixes): [prefixes.contains { folded.utf8.starts(with: $0.utf8) }]
        case .containsToken(let tokens): [FoldedText.tokens(folded).contains { tokens.contains($0) }]
        case .regex(let pattern): [pattern.matches(trimmed)]
        case .range(let range): [FoldedText.number(trimmed).map(range.contains) ?? false]
        case .roster(let inForce): inForce[folded] ?? Array(repeating: false, count: segmentCount)
        case .never: [false]
        }
    }
}
