/// How values are compared: without outer blanks and, except by regular expressions, without regard to ASCII case.
enum FoldedText {
    /// Without outer spaces, tabs and line ends.
    static func trimmed(_ text: String) -> String {
        let bytes = text.utf8
        guard let first = bytes.firstIndex(where: { !isBlank($0) }), let last = bytes.lastIndex(where: { !isBlank($0) })
        else { return "" }
        return String(text[first...last])
    }

    /// Trimmed, A–Z as a–z.
    static func folded(_ text: String) -> String {
        let trimmed = trimmed(text)
        guard trimmed.utf8.contains(where: { (0x41...0x5A).contains($0) }) else { return trimmed }
        return String(decoding: trimmed.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }

    /// The tokens of a folded text, as `Condition.containsToken` cuts them.
    static func tokens(_ folded: String) -> [String] {
        folded.utf8.split { isBlank($0) || $0 == 0x2C || $0 == 0x3B || $0 == 0x2F || $0 == 0x7C || $0 == 0x3A }
            .map { String($0) ?? "" }
    }

    /// A plain decimal number: optional `-`, digits, optional point with digits.
    static func number(_ trimmed: String) -> Double? {
        let digits = trimmed.utf8.first == 0x2D ? trimmed.utf8.dropFirst() : trimmed.utf8[...]
        let parts = digits.split(separator: 0x2E, omittingEmptySubsequences: false)
        guard parts.count <= 2, parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy { (0x30...0x39).contains($0) } })
        else { return nil }
        return Double(trimmed).flatMap { $0.isFinite ? $0 : nil }
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0D).contains(byte)
    }
}
