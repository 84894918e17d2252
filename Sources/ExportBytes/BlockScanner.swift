import Foundation
import Trips

/// Finds the records of one block in a window: CSV rows, NDJSON lines or elements of a JSON array.
protocol BlockScanner: Sendable {
    /// Appends to the window at least one byte or sets `isAtEnd`.
    typealias More = (RecordWindow) throws(ExportError) -> Void

    /// Whether a CR that no LF follows ends a line.
    static var endsLinesAtCR: Bool { get }

    /// Makes the window's bytes from `start` on what the scan expects. Those before `floor` belong to something else.
    func prepare(_ window: RecordWindow, from start: Int, floor: Int)

    /// Finds the records that start at or after `from` and before `boundary`, whatever the window's size.
    mutating func run(
        _ window: RecordWindow, from: BlockStart, boundary: Int, isSpeculative: Bool, more: More
    ) throws(ExportError) -> ScanOutcome
}

extension BlockScanner {
    func prepare(_ window: RecordWindow, from start: Int, floor: Int) {}
}

/// How a block's scan ended.
enum ScanOutcome: Equatable {
    /// All records that start before the boundary are found; the next block goes on from here.
    case ended(BlockStart)
    /// Only when speculating: this start is wrong or may be; wait for the true one.
    case gaveUp
}

/// Finds the lines of NDJSON. A raw line feed cannot stand inside a JSON string, so every line feed ends a record.
///
/// Record `r` lies between `separators[firstSeparator[r] - 1]` and `separators[firstSeparator[r]]`.
struct LineScanner: BlockScanner {
    static let endsLinesAtCR = false

    private let maximumRecordBytes: Int
    private let blockBytes: Int

    init(maximumRecordBytes: Int, blockBytes: Int) {
        self.maximumRecordBytes = maximumRecordBytes
        self.blockBytes = blockBytes
    }

    mutating func run(
        _ window: RecordWindow, from start: BlockStart, boundary: Int, isSpeculative: Bool, more: More
    ) throws(ExportError) -> ScanOutcome {
        window.clearRecords()
        window.separators[-1] = UInt32(truncatingIfNeeded: start.position) &- 1
        var lines = 0
        var lineStart = start.position
        var scanned = lineStart
        while lineStart < boundary {
            // memchr stays within bytes[0 ..< count].
            if let found = memchr(window.bytes + scanned, 0x0A, window.count - scanned) {
                let end = window.bytes.distance(to: found.assumingMemoryBound(to: UInt8.self))
                take(window, line: &lines, from: lineStart, to: end)
                lineStart = end + 1
                scanned = lineStart
            } else if window.isAtEnd {
                if lineStart < window.count { take(window, line: &lines, from: lineStart, to: window.count) }
                return .ended(BlockStart(position: window.count))
            } else if window.count - lineStart > max(maximumRecordBytes, blockBytes) {
                if isSpeculative { return .gaveUp }
                window.reject(at: lineStart, reason: .recordTooLong)
                return .ended(BlockStart(position: lineStart, isInsideLine: true))
            } else {
                scanned = window.count
                try more(window)
            }
        }
        return .ended(BlockStart(position: lineStart))
    }

    private func take(_ window: RecordWindow, line: inout Int, from start: Int, to end: Int) {
        window.separators[line] = UInt32(truncatingIfNeeded: end)
        line += 1
        if end - start > maximumRecordBytes {
            window.reject(at: start, reason: .recordTooLong)
            return
        }
        for index in start..<end where window.bytes[index] > 0x20 {
            window.appendRecord(first: line - 1)
            return
        }
    }
}
