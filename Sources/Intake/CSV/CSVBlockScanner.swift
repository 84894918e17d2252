import CByteScan
import Trips

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Finds the records of one block: a vector scan writes down where separators lie, this walks from record end to record
/// end, and wherever the file breaks the rules `CSVTokenizer` decides byte by byte.
///
/// The answer depends only on where the first record starts, never on where the window is cut. That is what lets
/// workers take blocks in parallel.
///
/// Advice to whoever changes this: `CSVLockstepTests` runs it beside a plain parser over mutated files with every
/// block size and every instruction level. Change that first.
struct CSVBlockScanner: BlockScanner {
    /// Bytes handed to the vector scan at a time, so that a broken record does not cost a second scan of the window.
    private static let stride = 1 << 16

    let dialect: CSVDialect
    let blockBytes: Int
    private let tokenizer: CSVTokenizer
    private var scan = csv_scan()
    /// Index of the first separator of the record under way.
    private var first = 0
    /// Where the record under way starts.
    private var recordStart = 0
    /// Record ends taken so far.
    private var endIndex = 0
    private var scannedTo = 0

    init(dialect: CSVDialect, blockBytes: Int) {
        self.dialect = dialect
        self.blockBytes = blockBytes
        tokenizer = CSVTokenizer(delimiter: dialect.delimiter)
    }

    /// Finds the records of `window` that start in `start ..< boundary`.
    ///
    /// - Parameter more: appends to the window at least one byte or sets `isAtEnd`.
    mutating func run(
        _ window: RecordWindow, from start: Int, boundary: Int, isSpeculative: Bool, more: More
    ) throws(ExportError) -> ScanOutcome {
        window.clearRecords()
        first = 0
        endIndex = 0
        begin(at: start, in: window)
        while recordStart < boundary {
            let stop = scanStop(window)
            if scannedTo < stop {
                let reached = runScan(window, to: stop)
                let isWhole = walk(window, boundary: boundary)
                if recordStart >= boundary { break }
                if isWhole && reached == stop { continue }
            } else if !window.isAtEnd {
                if window.count - recordStart <= longestReach {
                    try more(window)
                    continue
                }
            } else if recordStart >= window.count {
                break
            }
            if isSpeculative { return .gaveUp }
            guard try takeSlowly(window, more: more) else { return .overlong(at: recordStart) }
        }
        if window.sawNUL { rejectRecordsWithNUL(window) }
        return .ended(at: recordStart)
    }

    private var longestReach: Int { max(dialect.maximumRecordBytes, blockBytes) }

    /// Starts afresh at `position`: what the scan found beyond the record under way is forgotten.
    private mutating func begin(at position: Int, in window: RecordWindow) {
        // A mark where the record before would have ended, so that the first field starts right after it.
        window.separators[first - 1 + (first > 0 ? 1 : 0)] = UInt32(truncatingIfNeeded: position) &- 1
        if first > 0 { first += 1 }
        scan.separator_count = first
        scan.record_count = endIndex
        recordStart = position
        scannedTo = position
        scan.in_quotes = 0
        scan.after_separator = 1
        scan.after_quote = 0
        scan.after_close = 0
    }

    /// How far the window can be scanned now: a CR at its very end waits for the byte that follows it.
    private func scanStop(_ window: RecordWindow) -> Int {
        let end = window.count
        let waits = !window.isAtEnd && end > scannedTo && window.bytes[end - 1] == CSVDialect.carriageReturn
        return min(waits ? end - 1 : end, scannedTo + Self.stride)
    }

    private mutating func runScan(_ window: RecordWindow, to stop: Int) -> Int {
        scan.separators = window.separators
        scan.record_ends = window.recordEnds
        scan.saw_quote = 0
        scan.saw_nul = 0
        // Beyond the last byte of the file there must be no stray line feed for a final CR to pair with.
        if window.isAtEnd { window.bytes[window.count] = 0 }
        scannedTo = csv_scan_run(&scan, window.bytes, scannedTo, stop, dialect.delimiter, dialect.scanLevel)
        if scan.saw_quote != 0 { window.sawQuote = true }
        if scan.saw_nul != 0 { window.sawNUL = true }
        return scannedTo
    }

    /// Takes the records whose ends the scan has found; false if the one under way needs a slow look.
    private mutating func walk(_ window: RecordWindow, boundary: Int) -> Bool {
        let separators = window.separators
        let ends = window.recordEnds
        let count = Int(scan.record_count)
        let fieldCount = dialect.fieldCount
        let limit = dialect.maximumRecordBytes
        while endIndex < count && recordStart < boundary {
            let end = Int(ends[endIndex])
            let position = Int(separators[end])
            if end - first + 1 == fieldCount && position - recordStart <= limit {
                window.appendRecord(first: first)
            } else if !takeIrregular(window, end: end, position: position) {
                return false
            }
            endIndex += 1
            first = end + 1
            recordStart = position + 1
        }
        return true
    }

    /// Decides on a whole record that is blank, too long or has another number of fields; false if it spans lines, so
    /// that a quote may have swallowed what follows it.
    private func takeIrregular(_ window: RecordWindow, end: Int, position: Int) -> Bool {
        let length = position - recordStart
        let fields = end - first + 1
        if fields == 1 && isBlank(window, from: recordStart, to: position) { return true }
        if length > dialect.maximumRecordBytes {
            window.reject(at: recordStart, reason: .recordTooLong)
            return true
        }
        if hasAcceptableCount(window, fields: fields, end: end) {
            window.appendRecord(first: first)
            return true
        }
        if spansLines(window, from: recordStart, to: position) { return false }
        window.reject(at: recordStart, reason: .fieldCount)
        return true
    }

    private func isBlank(_ window: RecordWindow, from start: Int, to end: Int) -> Bool {
        end == start || (end == start + 1 && window.bytes[start] == CSVDialect.carriageReturn)
    }

    /// The header's count, or one more with nothing in it, or one fewer where the header ends with a blank name.
    private func hasAcceptableCount(_ window: RecordWindow, fields: Int, end: Int) -> Bool {
        if fields == dialect.fieldCount { return true }
        if fields == dialect.fieldCount - 1 { return dialect.lastNameIsBlank }
        guard fields == dialect.fieldCount + 1 else { return false }
        let from = Int(window.separators[end - 1]) + 1
        return isBlank(window, from: from, to: Int(window.separators[end]))
    }

    private func spansLines(_ window: RecordWindow, from start: Int, to end: Int) -> Bool {
        let feed = memchr(window.bytes + start, Int32(CSVDialect.lineFeed), end - start)
        if feed != nil { return true }
        // A CR before the line feed that ends the record is part of that line end.
        let trimmed = end > start && window.bytes[end - 1] == CSVDialect.carriageReturn ? end - 1 : end
        return memchr(window.bytes + start, Int32(CSVDialect.carriageReturn), trimmed - start) != nil
    }
}

// MARK: - Byte by byte

extension CSVBlockScanner {
    /// Takes the record under way byte by byte, and starts the next. False if its line has no end within reach.
    private mutating func takeSlowly(_ window: RecordWindow, more: More) throws(ExportError) -> Bool {
        while true {
            scan.separator_count = first
            var noted = first
            let separators = window.separators
            let outcome = tokenizer.record(
                window.bytes, count: window.count, isAtEnd: window.isAtEnd, start: recordStart
            ) { position in
                separators[noted] = UInt32(truncatingIfNeeded: position)
                noted += 1
            }
            switch outcome {
            case .complete(let next):
                return try takeWhole(window, end: noted - 1, next: next, more: more)
            case .broken(let reason):
                return try resume(window, rejecting: reason, more: more)
            case .needsMore(let inQuotes):
                if window.count - recordStart > longestReach {
                    return try resume(window, rejecting: inQuotes ? .unterminatedQuote : .recordTooLong, more: more)
                }
                try more(window)
            }
        }
    }

    private mutating func takeWhole(
        _ window: RecordWindow, end: Int, next: Int, more: More
    ) throws(ExportError) -> Bool {
        let position = Int(window.separators[end])
        if end - first + 1 == dialect.fieldCount && position - recordStart <= dialect.maximumRecordBytes {
            window.appendRecord(first: first)
        } else if !takeIrregular(window, end: end, position: position) {
            return try resume(window, rejecting: .unterminatedQuote, more: more)
        }
        first = end + 1
        window.sawQuote = true
        begin(at: next, in: window)
        return true
    }

    /// Rejects the record under way; the next one starts at the next line that reads as a record.
    private mutating func resume(
        _ window: RecordWindow, rejecting reason: RecordFault.Reason, more: More
    ) throws(ExportError) -> Bool {
        window.reject(at: recordStart, reason: reason)
        var line = recordStart
        repeat {
            guard let next = try lineAfter(line, window, more: more) else { return false }
            line = next
        } while try !parses(window, at: line, more: more)
        begin(at: line, in: window)
        return true
    }

    /// Start of the physical line after the one that `position` is in; nil if the reach ends before it does.
    private func lineAfter(_ position: Int, _ window: RecordWindow, more: More) throws(ExportError) -> Int? {
        var at = position
        while true {
            while at < window.count {
                let byte = window.bytes[at]
                if byte == CSVDialect.lineFeed { return at + 1 }
                if byte == CSVDialect.carriageReturn {
                    if at + 1 == window.count && !window.isAtEnd { break }
                    if at + 1 == window.count || window.bytes[at + 1] != CSVDialect.lineFeed { return at + 1 }
                }
                at += 1
            }
            if window.isAtEnd { return window.count }
            if window.count - position > longestReach { return nil }
            try more(window)
        }
    }

    /// Whether a record of the header's width, or the end of the file, starts here.
    private func parses(_ window: RecordWindow, at line: Int, more: More) throws(ExportError) -> Bool {
        while true {
            if window.isAtEnd && line >= window.count { return true }
            var fields = 0
            var end = line
            let outcome = tokenizer.record(
                window.bytes, count: window.count, isAtEnd: window.isAtEnd, start: line
            ) { position in
                fields += 1
                end = position
            }
            switch outcome {
            case .complete: return fields == dialect.fieldCount && end - line <= dialect.maximumRecordBytes
            case .broken: return false
            case .needsMore:
                if window.count - line > longestReach { return false }
                try more(window)
            }
        }
    }

    /// Takes out the records that hold a NUL byte; only called where the scan has seen one.
    private func rejectRecordsWithNUL(_ window: RecordWindow) {
        var kept = 0
        for record in 0..<window.recordCount {
            let start = window.recordStart(record)
            let end = window.recordEnd(record)
            if memchr(window.bytes + start, 0, max(0, end - start)) != nil {
                let number = Int(window.recordNumbers[record])
                window.faults.append(RecordFault(position: start, recordInBlock: number, reason: .nulByte))
            } else {
                window.firstSeparator[kept] = window.firstSeparator[record]
                window.recordNumbers[kept] = window.recordNumbers[record]
                kept += 1
            }
        }
        window.recordCount = kept
    }
}
