/// Swift source without its comments and the words of its strings, so that a search meets only code.
///
/// Knows nested block comments, strings of one and many lines, raw strings, and interpolations (their code stays).
/// A bare regex literal is taken for code.
struct SwiftCode {
    /// The code, line for line as in the source.
    private(set) var bare = ""

    private let source: [Character]
    private var place = 0

    init(_ text: String) {
        source = Array(text)
        readCode(until: nil)
    }

    private func starts(with text: String, at index: Int) -> Bool {
        var index = index
        for character in text {
            guard index < source.count, source[index] == character else { return false }
            index += 1
        }
        return true
    }

    /// Reads code to the end, or to the parenthesis that closes an interpolation.
    private mutating func readCode(until closing: Character?) {
        var depth = 0
        while place < source.count {
            let character = source[place]
            if starts(with: "//", at: place) {
                while place < source.count, source[place] != "\n" { place += 1 }
            } else if starts(with: "/*", at: place) {
                skipBlockComment()
            } else if let hashes = hashesBeforeQuote() {
                readString(hashes: hashes)
            } else {
                if closing != nil, character == "(" { depth += 1 }
                if closing == character {
                    if depth == 0 { return }
                    depth -= 1
                }
                bare.append(character)
                place += 1
            }
        }
    }

    private mutating func skipBlockComment() {
        var depth = 0
        while place < source.count {
            if starts(with: "/*", at: place) {
                depth += 1
                place += 2
            } else if starts(with: "*/", at: place) {
                depth -= 1
                place += 2
                if depth == 0 { return }
            } else {
                if source[place] == "\n" { bare.append("\n") }
                place += 1
            }
        }
    }

    /// How many `#` stand before the quote that starts here; nil if no string starts here.
    private func hashesBeforeQuote() -> Int? {
        var index = place
        while index < source.count, source[index] == "#" { index += 1 }
        return index < source.count && source[index] == "\"" ? index - place : nil
    }

    private mutating func readString(hashes: Int) {
        place += hashes
        let quote = starts(with: "\"\"\"", at: place) ? "\"\"\"" : "\""
        let raw = String(repeating: "#", count: hashes)
        place += quote.count
        bare += "\"\""
        while place < source.count {
            if starts(with: quote + raw, at: place) {
                place += quote.count + hashes
                return
            }
            if starts(with: "\\" + raw + "(", at: place) {
                place += 2 + hashes
                bare.append(" ")
                readCode(until: ")")
                place += 1
            } else if starts(with: "\\" + raw, at: place) {
                place += 2 + hashes
            } else {
                if source[place] == "\n" { bare.append("\n") }
                place += 1
            }
        }
    }
}
