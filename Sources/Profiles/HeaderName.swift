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
        var previous: Character = " "
        for character in characters {
            let isWord = character.isLetter || character.isNumber
            let startsWord = character.isUppercase && previous.isLowercase
            if !isWord || startsWord, !word.isEmpty {
                words.append(word.lowercased())
                word = ""
            }
            if isWord { word.append(character) }
            if character == "#" { words.append("number") }
            previous = character
        }
        if !word.isEmpty { words.append(word.lowercased()) }
        return words
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

/// Finds the columns of a file by the names that a profile uses.
///
/// A name fits if it is the header's text, apart from case and outer blanks, or if it is a bare NEMSIS element number
/// (`eTimes.03`) that the header holds among other text. Nothing else fits: the columns of a profile are never guessed.
package struct HeaderIndex: Sendable {
    private let exact: [String: Int]
    private let folded: [String: Int]
    private let elements: [String: Int]

    /// Of repeated names the first counts; blank names are no names.
    package init(_ header: [String]) {
        let named = header.enumerated().filter { !$0.element.trimmingBlanks().isEmpty }
        let first: (Int, Int) -> Int = { first, _ in first }
        exact = Dictionary(named.map { ($0.element, $0.offset) }, uniquingKeysWith: first)
        folded = Dictionary(
            named.map { ($0.element.trimmingBlanks().lowercased(), $0.offset) }, uniquingKeysWith: first)
        let numbered = named.compactMap { column in HeaderName(column.element).element.map { ($0, column.offset) } }
        elements = Dictionary(numbered, uniquingKeysWith: first)
    }

    /// The index (from 0) of the column that a profile calls by this name.
    package func column(named name: String) -> Int? {
        exact[name] ?? folded[name.trimmingBlanks().lowercased()] ?? elements[name]
    }
}
