/// Remembers the identifiers that one worker meets, as hashes; nothing else of them is kept.
package struct IdentifierGatherer: Sendable {
    private let hash: IdentifierHash
    private let limit: Int
    private(set) var hashes: [UInt64] = []
    /// The hashes met last: trips of one patient follow each other.
    private var recent = [UInt64](repeating: 0, count: 1 << 10)
    private var compactAt = 1 << 16
    /// Whether there were more of them than are remembered.
    private(set) var isFull = false

    /// - Parameter limit: how many distinct ones are remembered; 8 bytes each.
    package init(_ hash: IdentifierHash, limit: Int) {
        self.hash = hash
        self.limit = limit
    }

    /// Notes a value if it could hardly be anything but an identifier; outer blanks and marks do not count.
    ///
    /// - Parameter isName: a value of a column of persons' names: two words are enough.
    package mutating func add(_ value: Span<UInt8>, isName: Bool) {
        var start = 0, end = value.count
        while start < end, !SpanFacts.isWordByte(value[start]) { start &+= 1 }
        while end > start, !SpanFacts.isWordByte(value[end &- 1]) { end &-= 1 }
        guard end - start >= 5, end - start <= SpanFacts.maximumBytes, !isFull else { return }
        var facts = SpanFacts(bytes: end - start)
        var code = hash.seed
        var isInWord = false
        for index in start..<end {
            let byte = value[index]
            code = IdentifierHash.step(code, byte)
            let isDigit = SpanFacts.isDigit(byte), isLetter = SpanFacts.isLetter(byte)
            if isDigit { facts.digits &+= 1 }
            if isLetter { facts.letters &+= 1 }
            if isDigit || isLetter, !isInWord { facts.words &+= 1 }
            isInWord = isDigit || isLetter
        }
        guard facts.isTelling(isName: isName) else { return }
        code = IdentifierHash.finish(code)
        let slot = Int(truncatingIfNeeded: code & 1023)
        if recent[slot] == code { return }
        recent[slot] = code
        hashes.append(code)
        if hashes.count >= compactAt { compact() }
    }

    private mutating func compact() {
        hashes = IdentifierSet.distinct(hashes)
        isFull = hashes.count >= limit
        compactAt = min(max(1 << 16, hashes.count * 2), max(limit, hashes.count + 1))
    }
}
