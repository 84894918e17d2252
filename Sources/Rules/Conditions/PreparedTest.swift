internal import StrictYAML

/// A `FieldTest` made ready for many values: lists as sets, the pattern compiled, the roster by key.
enum PreparedTest: Sendable {
    case present
    case isIn(Set<String>)
    case prefix([String])
    case containsToken(Set<String>)
    case regex(LinearPattern)
    case range(ClosedRange<Double>)
    /// For each folded key the day segments in which the roster gives the sourcing of the test.
    case roster([String: [Bool]])
    /// An empty range or a pattern that does not compile: accepts nothing.
    case never

    init(_ test: FieldTest, segments: DaySegments) {
        switch test.kind {
        case .present: self = .present
        case .isIn(let values): self = .isIn(Set(values.map(FoldedText.folded)))
        case .prefix(let prefixes): self = .prefix(prefixes.map(FoldedText.folded))
        case .containsToken(let tokens): self = .containsToken(Set(tokens.map(FoldedText.folded)))
        case .regex(let pattern): self = (try? LinearPattern(pattern)).map(PreparedTest.regex) ?? .never
        case .range(let minimum, let maximum):
            let low = minimum ?? -.infinity, high = maximum ?? .infinity
            self = low <= high ? .range(low...high) : .never
        case .roster(let roster, let sourcing):
            var inForce: [String: [Bool]] = [:]
            for entry in roster.entries where entry.sourcing == sourcing {
                let own = segments.inForce(from: entry.from, to: entry.to)
                inForce.merge([FoldedText.folded(entry.key): own]) { zip($0, $1).map { $0 || $1 } }
            }
            self = .roster(inForce)
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
        case .range(let range): [Double(plainDecimal: trimmed).map(range.contains) ?? false]
        case .roster(let inForce): inForce[folded] ?? Array(repeating: false, count: segmentCount)
        case .never: [false]
        }
    }
}
