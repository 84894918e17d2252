/// Finds the records of one block in a window: CSV rows or NDJSON lines.
protocol BlockScanner {
    /// Appends to the window at least one byte or sets `isAtEnd`.
    typealias More = (RecordWindow) throws(ExportError) -> Void

    /// Finds the records that start in `start ..< boundary`, whatever the window's size.
    mutating func run(
        _ window: RecordWindow, from start: Int, boundary: Int, isSpeculative: Bool, more: More
    ) throws(ExportError) -> ScanOutcome
}

/// How a block's scan ended. Positions are in the window.
enum ScanOutcome: Equatable {
    /// All records that start before the boundary are found; the next record starts here.
    case ended(at: Int)
    /// The record that starts here was rejected and its line has no end within reach: skip to the next line.
    case overlong(at: Int)
    /// Only when speculating: this start leads nowhere good; wait for the true one.
    case gaveUp
}
