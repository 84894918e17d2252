/// A note of a workbook; its number is its place on the Notes sheet.
protocol SheetNote: Sendable {
    var rawValue: Int { get }
}

extension SheetNote {
    /// How a header refers to it.
    var mark: String { "[note \(rawValue)]" }
}
