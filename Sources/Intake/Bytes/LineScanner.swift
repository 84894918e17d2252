import Trips

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Finds the lines of NDJSON. A raw line feed cannot stand inside a JSON string, so every line feed ends a record.
///
/// Record `r` lies between `separators[firstSeparator[r] - 1]` and `separators[firstSeparator[r]]`.
struct LineScanner: BlockScanner {
    static let endsLinesAtCR = false

    let maximumRecordBytes: Int
    let blockBytes: Int

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
