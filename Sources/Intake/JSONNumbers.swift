/// Numbers that JSON does not have.
enum JSONNumbers {
    /// The text with `null` for each `NaN` and `Infinity` outside its strings, for readers that know neither.
    static func withoutNaN(_ text: [UInt8]) -> [UInt8] {
        guard text.contains(UInt8(ascii: "N")) || text.contains(UInt8(ascii: "I")) else { return text }
        var result: [UInt8] = []
        var at = 0
        var isInText = false
        while at < text.count {
            let byte = text[at]
            if isInText {
                result.append(byte)
                if byte == UInt8(ascii: "\\"), at + 1 < text.count {
                    at += 1
                    result.append(text[at])
                } else if byte == UInt8(ascii: "\"") {
                    isInText = false
                }
                at += 1
                continue
            }
            if let word = words.first(where: { text[at...].starts(with: $0) }) {
                result += Array("null".utf8)
                at += word.count
                continue
            }
            isInText = byte == UInt8(ascii: "\"")
            result.append(byte)
            at += 1
        }
        return result
    }

    private static let words = ["NaN", "-Infinity", "Infinity"].map { Array($0.utf8) }
}
