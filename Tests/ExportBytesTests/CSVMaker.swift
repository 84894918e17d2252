import TestSupport

/// Makes delimited text that is sometimes right and often broken in the ways files are broken.
struct CSVMaker {
    var random: SplitMix64
    /// Mostly good rows; else anything goes.
    var isTame = false

    init(random: SplitMix64) { self.random = random }

    mutating func text(fieldCount: Int, delimiter: UInt8, lines: Int) -> [UInt8] {
        var text: [UInt8] = []
        let ends: [[UInt8]] = [[0x0A], [0x0D, 0x0A], [0x0D]]
        let usual = pick(ends)
        let wildness = isTame ? 400 : pick([4, 12, 60])
        for line in 0..<lines {
            var fields = fieldCount
            if chance(wildness) { fields += Int.random(in: -2...2, using: &random) }
            for field in 0..<max(0, fields) {
                if field > 0 { text.append(delimiter) }
                text += self.field(wildness)
            }
            if chance(wildness) { text.append(delimiter) }
            let isLast = line == lines - 1
            if isLast, chance(2) { break }
            text += chance(wildness) ? pick(ends) : usual
            if chance(wildness) { text += usual }
        }
        if !isTame, chance(2) { damage(&text) }
        return text
    }

    private mutating func field(_ wildness: Int) -> [UInt8] {
        let plain = (0..<Int.random(in: 0...(chance(30) ? 90 : 6), using: &random)).map { _ in
            UInt8.random(in: 0x61...0x66, using: &random)
        }
        if chance(wildness) {
            return Array(pick(["\"", "a\"b", "\"a\"b", "\"\"\"", "\"\"x", "a\",\"b", "\0", "\"\0\""]).utf8)
        }
        guard chance(4) else { return plain }
        let inside = (0..<Int.random(in: 0...4, using: &random)).flatMap { _ in
            Array(pick(["x", ",", "\"\"", "\n", "\r\n", "\r", "yz", " "]).utf8)
        }
        return [0x22] + inside + [0x22]
    }

    private mutating func damage(_ text: inout [UInt8]) {
        for _ in 0..<Int.random(in: 1...4, using: &random) where !text.isEmpty {
            let at = Int.random(in: 0..<text.count, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: text[at] = pick(Array("\",\n\r\0a".utf8))
            case 1: text.remove(at: at)
            case 2: text.insert(pick(Array("\",\n\r\0a".utf8)), at: at)
            default: text.removeSubrange(at..<min(text.count, at + Int.random(in: 1...20, using: &random)))
            }
        }
    }

    /// One time in `of`.
    private mutating func chance(_ of: Int) -> Bool { Int.random(in: 0..<of, using: &random) == 0 }

    private mutating func pick<Value>(_ values: [Value]) -> Value {
        values[Int.random(in: 0..<values.count, using: &random)]
    }
}
