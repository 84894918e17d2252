/// Whether one text may fit several patterns.
///
/// Each pattern is a sequence of sets of bytes; two of them overlap if some sequence of bytes leads through both.
enum PatternOverlap {
    /// A byte of a set, perhaps none, perhaps several.
    private struct Atom {
        var bytes: ByteSet
        var isOptional = false
        var isRepeated = false
    }

    private struct ByteSet {
        private var words = SIMD4<UInt64>(repeating: 0)

        init(_ bytes: some Sequence<UInt8>) {
            for byte in bytes { words[Int(byte >> 6)] |= 1 << UInt64(byte & 63) }
        }

        func meets(_ other: ByteSet) -> Bool { words & other.words != SIMD4(repeating: 0) }
    }

    private static let digit = ByteSet(0x30...0x39)
    private static let blank = ByteSet([0x20, 0x09, 0xC2, 0xE2, 0x80, 0xA0, 0xAF])
    private static let letter = ByteSet(Array(0x41...0x5A) + Array(0x61...0x7A) + Array(0x80...0xFF))
    private static let point = ByteSet([0x2E])
    private static let zoneStart = ByteSet(Array(0x41...0x5A) + Array(0x61...0x7A) + [0x2B, 0x2D])
    private static let zone = ByteSet(
        Array(0x41...0x5A) + Array(0x61...0x7A) + Array(0x30...0x3A) + [0x2B, 0x2D, 0x28, 0x29, 0x20, 0x09])

    /// Whether two of the patterns read some text, and not all in the same way.
    static func isOrderDecisive(_ patterns: [DatePattern]) -> Bool {
        for (place, first) in patterns.enumerated() {
            for second in patterns[(place + 1)...] where first.parts != second.parts && overlap(first, second) {
                return true
            }
        }
        return false
    }

    /// Whether some text fits both.
    static func overlap(_ first: DatePattern, _ second: DatePattern) -> Bool {
        let seconds = forms(second)
        return forms(first).contains { form in seconds.contains { overlap(form, $0) } }
    }

    /// Whether a text that begins as one of ISO 8601 may fit: with four digits, and then one more or a hyphen; or, as a time of
    /// day or a number, with fewer.
    static func mayBeISO(_ pattern: DatePattern) -> Bool {
        pattern.number != nil || pattern.isClock || pattern.pieces.first == .year4
            || pattern.pieces.prefix(2).allSatisfy { $0.digits != nil }
    }

    private static func overlap(_ first: [Atom], _ second: [Atom]) -> Bool {
        var seen: Set<Int> = []
        var open = [(0, 0)]
        while let (left, right) = open.popLast() {
            guard seen.insert(left * (second.count + 1) + right).inserted else { continue }
            if left == first.count, right == second.count { return true }
            if left < first.count, first[left].isOptional { open.append((left + 1, right)) }
            if right < second.count, second[right].isOptional { open.append((left, right + 1)) }
            guard left < first.count, right < second.count, first[left].bytes.meets(second[right].bytes) else {
                continue
            }
            open.append((left + 1, right + 1))
            if first[left].isRepeated { open.append((left, right + 1)) }
            if second[right].isRepeated { open.append((left + 1, right)) }
            // Both stay: nothing new is reached.
        }
        return false
    }

    /// What its texts are: one sequence, or several of which each text fits one.
    private static func forms(_ pattern: DatePattern) -> [[Atom]] {
        switch pattern.number {
        case .epoch?: return number(digits: 9...19)
        case .serial?, .serial1904?: return number(digits: 1...6)
        case .clockMinutes?: return [digits(1...4)]
        case .clockSeconds?: return [digits(1...6)]
        case nil: return [pattern.pieces.flatMap(atoms)]
        }
    }

    /// Without a fraction, and with one.
    private static func number(digits count: ClosedRange<Int>) -> [[Atom]] {
        let whole = [Atom(bytes: ByteSet([0x2B, 0x2D]), isOptional: true)] + digits(count)
        let fraction = [Atom(bytes: ByteSet([0x2C, 0x2E])), Atom(bytes: digit, isOptional: true, isRepeated: true)]
        return [whole, whole + fraction]
    }

    private static func digits(_ count: ClosedRange<Int>) -> [Atom] {
        (1...count.upperBound).map { Atom(bytes: digit, isOptional: $0 > count.lowerBound) }
    }

    private static func atoms(_ piece: DatePattern.Piece) -> [Atom] {
        switch piece {
        case .literal(let byte): return [Atom(bytes: ByteSet([byte]))]
        case .blank: return [Atom(bytes: blank, isRepeated: true)]
        case .monthName, .weekday: return [Atom(bytes: letter, isRepeated: true), Atom(bytes: point, isOptional: true)]
        case .fraction: return [Atom(bytes: digit, isRepeated: true)]
        case .zone:
            return [
                Atom(bytes: blank, isOptional: true, isRepeated: true), Atom(bytes: zoneStart),
                Atom(bytes: zone, isOptional: true, isRepeated: true),
            ]
        case .dayPeriod:
            return [
                Atom(bytes: blank, isOptional: true, isRepeated: true), Atom(bytes: ByteSet("aApP".utf8)),
                Atom(bytes: point, isOptional: true), Atom(bytes: blank, isOptional: true, isRepeated: true),
                Atom(bytes: ByteSet("mM".utf8), isOptional: true), Atom(bytes: point, isOptional: true),
            ]
        case .year4: return Array(repeating: Atom(bytes: digit), count: 4)
        case .year2: return Array(repeating: Atom(bytes: digit), count: 2)
        case .month(let digits), .day(let digits), .hour24(let digits), .hour12(let digits), .minute(let digits),
            .second(let digits):
            return [Atom(bytes: digit, isOptional: digits == 1), Atom(bytes: digit)]
        }
    }
}
