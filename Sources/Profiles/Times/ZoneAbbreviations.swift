/// What abbreviations of zones mean: those of the United States that have one meaning there, and those of a profile.
///
/// An abbreviation that several countries use for different offsets (IST, BST, AST) has no meaning until a profile gives it one.
package struct ZoneAbbreviations: Sendable, Hashable {
    private struct Entry: Hashable {
        let word: FoldedWord
        let offsetSeconds: Int
    }

    private let entries: [Entry]
    /// Those that a profile states, with the seconds east of UTC.
    package let stated: [String: Int]

    package static let standard = ZoneAbbreviations()

    /// - Parameter stated: seconds east of UTC by abbreviation; they come before the usual ones.
    package init(adding stated: [String: Int] = [:]) {
        self.stated = stated
        entries =
            stated.sorted { $0.key < $1.key }.map { Entry(word: FoldedWord($0.key), offsetSeconds: $0.value) }
            + Self.usual.map { Entry(word: FoldedWord($0.0), offsetSeconds: $0.1 * 3600) }
    }

    /// Seconds east of UTC; nil if it is not known.
    func offset(of word: FoldedWord) -> Int? {
        for entry in entries where entry.word == word { return entry.offsetSeconds }
        return nil
    }

    private static let usual: [(String, Int)] = [
        ("UTC", 0), ("GMT", 0), ("Z", 0), ("UT", 0), ("EST", -5), ("EDT", -4), ("CST", -6), ("CDT", -5), ("MST", -7),
        ("MDT", -6), ("PST", -8), ("PDT", -7), ("AKST", -9), ("AKDT", -8), ("HST", -10), ("HDT", -9),
    ]

    /// Abbreviations in use, each for several offsets or outside the United States: only these may be named in a message.
    package static let ambiguous: [String: String] = [
        "AST": "Atlantic, Arabia", "ADT": "Atlantic, Arabia", "IST": "India, Ireland, Israel",
        "BST": "Britain, Bangladesh", "SST": "Samoa, Singapore", "CHST": "Guam", "AEST": "Australia",
        "AEDT": "Australia", "CET": "central Europe", "CEST": "central Europe", "EET": "eastern Europe",
        "EEST": "eastern Europe", "WET": "western Europe", "WEST": "western Europe", "MSK": "Moscow",
        "JST": "Japan", "KST": "Korea", "NST": "Newfoundland", "NDT": "Newfoundland", "ET": "eastern time",
        "CT": "central time", "MT": "mountain time", "PT": "Pacific time",
    ]
}
