/// Finds the records of one block in a window: CSV rows or NDJSON lines.
protocol BlockScanner {
    /// Appends to the window at least one byte or sets `isAtEnd`.
    typealias More = (RecordWindow) throws(ExportError) -> Void

    /// Whether a CR that no LF follows ends a line.
    static var endsLinesAtCR: Bool { get }

    /// Finds the records that start at or after `from` and before `boundary`, whatever the window's size.
    mutating func run(
        _ window: RecordWindow, from: BlockStart, boundary: Int, isSpeculative: Bool, more: More
    ) throws(ExportError) -> ScanOutcome
}

/// How a block's scan ended.
enum ScanOutcome: Equatable {
    /// All records that start before the boundary are found; the next block goes on from here.
    case ended(BlockStart)
    /// Only when speculating: this start leads nowhere good; wait for the true one.
    case gaveUp
}

/// Where a block starts, and in what state.
struct BlockStart: Equatable {
    /// In the window.
    var position: Int
    /// The line that `position` is in is rejected and its end was out of reach: skip it.
    var isInsideLine = false
    /// A quote is broken before it: the next record starts at the next line that reads as one.
    var isResuming = false
}
