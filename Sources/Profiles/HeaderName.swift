/// The name of a column as it is compared: without regard to case, blanks, punctuation and the way words are joined.
package struct HeaderName: Sendable, Hashable {
    /// Letters and digits only, in lower case; `#` is `number`. A header that holds the number of a NEMSIS element
    /// (`eTimes.03 - Unit Notified…`, `Unit Notified (eTimes.03)`) is that number: `etimes03`.
    package let key: String
    /// Its words in lower case: cut at blanks, punctuation and inner capitals.
    package let words: [String]
    /// The NEMSIS element it names, such as `eTimes.03`.
    package let element: String?

    /// Longer names are cut.
    package static let maximumLength = 120

    package init(_ text: String) {
        let characters = Array(text.prefix(Self.maximumLength))
        element = Self.nemsisElement(in: characters)
        words = Self.words(in: characters)
        key = element.map { $0.lowercased().filter { $0 != "." } } ?? words.joined()
    }

    private static func words(in characters: [Character]) -> [String] {
        var words: [String] = []
        var word = ""
        var previous = Kind.other
        for character in characters {
            let kind = Kind(character)
            if kind == .other || kind == .upper && previous == .lower, !word.isEmpty {
                words.append(word.lowercased())
                word = ""
            }
            if kind != .other { word.append(character) }
            if character == "#" { words.append("number") }
            previous = kind
        }
        if !word.isEmpty { words.append(word.lowercased()) }
        return words
    }

    /// What a character means for where words begin and end.
    private enum Kind {
        case lower, upper
        /// A digit, or a letter of a script without capitals.
        case caseless
        case other

        init(_ character: Character) {
            // Nearly all headers are ASCII, and tables of Unicode are slow to look up.
            guard let ascii = character.asciiValue else {
                self =
                    !character.isLetter && !character.isNumber
                    ? .other : character.isUppercase ? .upper : character.isLowercase ? .lower : .caseless
                return
            }
            switch ascii {
            case UInt8(ascii: "a")...UInt8(ascii: "z"): self = .lower
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): self = .upper
            case UInt8(ascii: "0")...UInt8(ascii: "9"): self = .caseless
            default: self = .other
            }
        }
    }

    /// A section of one or more letters after `e` or `d`, a point and two digits.
    private static func nemsisElement(in characters: [Character]) -> String? {
        for (index, character) in characters.enumerated() where character == "." {
            let digits = characters[(index + 1)...].prefix { $0.isASCII && $0.isNumber }
            let letters = characters[..<index].reversed().prefix { $0.isASCII && $0.isLetter }
            guard digits.count == 2, let first = letters.last, first == "e" || first == "d", letters.count > 4
            else { continue }
            let section = String(letters.reversed())
            guard sections.contains(section.dropFirst().lowercased()) else { continue }
            return section + "." + String(digits)
        }
        return nil
    }

    private static let sections = Set(
        words: """
            agency record response dispatch crew times patient payment scene situation disposition narrative outcome
            other history
            """)
}

extension Set<String> {
    /// The words of a text between blanks and line ends.
    init(words: String) {
        self.init(words.split(whereSeparator: \.isWhitespace).map(String.init))
    }
}
