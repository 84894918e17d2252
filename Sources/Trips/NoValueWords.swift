/// The words by which exports say that there is no value: NULL, N/A, `\N` and others, in any case (ASCII).
///
/// One table for numbers, times, texts and ids; a profile adds to it under `missing:`.
public struct NoValueWords: Sendable, Hashable {
    /// In lower case, by their length.
    private let words: [[[UInt8]]]
    @usableFromInline let longest: Int
    /// The ASCII characters that begin a word, as bits.
    @usableFromInline let firstLow: UInt64
    @usableFromInline let firstHigh: UInt64
    /// Whether one of the added words begins like a number or a time: then the readers of plain ones may not decide first.
    package let mayBeNumbers: Bool

    /// The table of `docs/fields.md`.
    package static let standardWords = [
        "null", "(null)", "[null]", "<null>", "nul", "nil", "none", "(none)", "nan", "n/a", "na", "n.a.", "#n/a", "#na",
        "\\n",
        "-", "--", "---", "–", "—", ".", "..", "...", "?", "??", "--:--", "unknown", "unk", "undefined", "(blank)",
        "not applicable", "not available", "not recorded", "not known", "inf", "-inf", "infinity", "-infinity",
        "#null!",
        "#value!", "#ref!", "#name?", "#num!", "#div/0!",
    ]

    /// The table alone.
    package static let standard = NoValueWords()

    /// - Parameter added: words of a profile, beside the table.
    package init(adding added: [String] = []) {
        let words = (Self.standardWords + added).map { $0.trimmingBlanks().utf8.map(Self.folded) }.filter {
            !$0.isEmpty
        }
        let longest = words.map(\.count).max() ?? 0
        self.longest = longest
        self.words = (0...longest).map { length in words.filter { $0.count == length } }
        var low: UInt64 = 0, high: UInt64 = 0
        for first in words.compactMap(\.first) {
            for byte in [first, (0x61...0x7A).contains(first) ? first - 0x20 : first] where byte < 0x80 {
                if byte < 0x40 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte & 0x3F) }
            }
        }
        firstLow = low
        firstHigh = high
        mayBeNumbers = added.contains { $0.utf8.contains { (0x30...0x39).contains($0) } }
    }

    /// Whether a word may begin with this byte (ASCII) and have this length.
    @inlinable
    @inline(__always)
    public func mayBegin(with first: UInt8, length: Int) -> Bool {
        if length > longest || first >= 0x80 { return false }
        return ((first < 0x40 ? firstLow : firstHigh) &>> UInt64(first & 0x3F)) & 1 != 0
    }

    /// Whether the `length` bytes at `p` are one of the words.
    ///
    /// Not generic: a generic function is not specialised across modules, and this one runs for each value.
    ///
    /// - Precondition: `length` bytes can be read at `p`.
    @inline(never)
    public func hold(_ p: UnsafePointer<UInt8>, length: Int) -> Bool {
        guard length > 0, length <= longest else { return false }
        if p[0] < 0x80, !mayBegin(with: p[0], length: length) { return false }
        for word in words[length] {
            var at = 0
            while at < length, word[at] == Self.folded(p[at]) { at += 1 }
            if at == length { return true }
        }
        return false
    }

    /// Whether a value is one of the words.
    package func hold(_ value: ArraySlice<UInt8>) -> Bool {
        guard !value.isEmpty, value.count <= longest else { return false }
        return value.withUnsafeBufferPointer { buffer in
            buffer.baseAddress.map { hold($0, length: buffer.count) } ?? false
        }
    }

    /// Whether a text is one of the words.
    package func hold(_ text: String) -> Bool { text.utf8.count <= longest && hold(Array(text.utf8)[...]) }

    private static func folded(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }
}
