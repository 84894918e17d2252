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

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0D).contains(byte)
    }
}
