import Trips

/// Finds the columns of a file by the names that a profile uses.
///
/// A name fits if it is the header's text, apart from case and outer blanks, or if it is a bare NEMSIS element number
/// (`eTimes.03`) that the header holds among other text. A column is also named by its number: `#3` is the third. Nothing else
/// fits: the columns of a profile are never guessed.
package struct HeaderIndex: Sendable {
    private let exact: [String: Int]
    private let folded: [String: Int]
    private let elements: [String: Int]
    /// Columns whose names are the same but for case and outer blanks, where there are several.
    private let repeated: [String: [Int]]
    private let count: Int

    /// Of repeated names the first counts; blank names are no names.
    package init(_ header: [String]) {
        let named = header.enumerated().filter { !$0.element.trimmingBlanks().isEmpty }
        let first: (Int, Int) -> Int = { first, _ in first }
        count = header.count
        repeated = Dictionary(grouping: named) { $0.element.trimmingBlanks().lowercased() }
            .filter { $0.value.count > 1 }.mapValues { $0.map(\.offset) }
        exact = Dictionary(named.map { ($0.element, $0.offset) }, uniquingKeysWith: first)
        folded = Dictionary(
            named.map { ($0.element.trimmingBlanks().lowercased(), $0.offset) }, uniquingKeysWith: first)
        let numbered = named.compactMap { column in HeaderName(column.element).element.map { ($0, column.offset) } }
        elements = Dictionary(numbered, uniquingKeysWith: first)
    }

    /// The index (from 0) of the column that a profile calls by this name.
    package func column(named name: String) -> Int? {
        exact[name] ?? folded[name.trimmingBlanks().lowercased()] ?? elements[name] ?? numbered(name)
    }

    /// The columns that have the name of this one, if it is not the only one.
    package func columns(repeating name: String) -> [Int]? {
        let columns = repeated[name.trimmingBlanks().lowercased()] ?? []
        // Names that differ in case are not the same if the profile writes one of them.
        return columns.isEmpty ? nil : columns
    }

    /// How a profile names the column at an index by its number.
    package static func numberName(_ index: Int) -> String { "#\(index + 1)" }

    private func numbered(_ name: String) -> Int? {
        guard name.first == "#", let number = Int(name.dropFirst()), (1...max(1, count)).contains(number), count > 0,
            name == Self.numberName(number - 1)
        else { return nil }
        return number - 1
    }
}
