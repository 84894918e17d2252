import Trips

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
