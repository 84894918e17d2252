import CByteScan
import Foundation
import Trips

/// Finds the records of one block: a vector scan writes down where separators lie, this walks from record end to record
/// end, and wherever the file breaks the rules `CSVTokenizer` decides byte by byte.
///
/// The answer depends only on where the first record starts, never on where the window is cut. That is what lets
/// workers take blocks in parallel. What counts for a record is therefore told from its first `maximumRecordBytes` + 2
/// bytes alone:
/// - Whole within the limit: a record if it has an acceptable number of fields, nothing if it is blank; with another
///   number of fields it is rejected, and if it spans lines as well, a quote is taken to have swallowed them.
/// - Too long: rejected; the next record starts after its line.
/// - A broken quote (text after it, no end in reach, lines swallowed): rejected; reading resumes at the next line that
///   is the start of a record with an acceptable number of fields. Each line before that one is rejected too: it may be
///   a record.
///
/// Advice to whoever changes this: `CSVLockstepTests` runs it beside a plain parser over mutated files with every
/// block size and every instruction level. Change that first.
struct CSVBlockScanner: BlockScanner {
    static let endsLinesAtCR = true

    /// Bytes handed to the vector scan at a time, so that a broken record does not cost a second scan of the window.
    private static let longestStride = 1 << 16
    /// After a record that was taken byte by byte: broken ones come in crowds.
    private static let shortestStride = 1 << 10

    let dialect: CSVDialect
    let blockBytes: Int
    private let tokenizer: CSVTokenizer
    private var scan = CSVScanState()
    private var stride = CSVBlockScanner.longestStride
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

    func prepare(_ window: RecordWindow, from start: Int, floor: Int) {
        guard dialect.hasBackslashQuotes else { return }
        CSVBackslashes.rewrite(window.bytes, from: start, to: window.count, floor: floor)
    }

    /// Finds the records of `window` that start in `from ..< boundary`.
    ///
    /// - Parameter more: appends to the window at least one byte or sets `isAtEnd`.
    mutating func run(
        _ window: RecordWindow, from start: BlockStart, boundary: Int, isSpeculative: Bool, more: More
    ) throws(ExportError) -> ScanOutcome {
        window.clearRecords()
        window.trimmedDelimiter = dialect.trimmedDelimiter
        first = 0
        endIndex = 0
        begin(at: start.position, in: window)
        stride = Self.longestStride
        let outcome = try find(
            window, from: start, boundary: boundary, isSpeculative: isSpeculative, more: more)
        if window.sawNUL { rejectRecordsWithNUL(window) }
        if window.sawQuotedLineEnd { noteSwallowedLines(window) }
        return outcome
    }

    private mutating func find(
        _ window: RecordWindow, from start: BlockStart, boundary: Int, isSpeculative: Bool, more: More
    ) throws(ExportError) -> ScanOutcome {
        if start.isResuming, let end = try resume(window, at: start.position, boundary: boundary, more: more) {
            return .ended(end)
        }
        while recordStart < boundary {
            let stop = scanStop(window)
            if scannedTo < stop {
                let reached = runScan(window, to: stop)
                let isWhole = walk(window, boundary: boundary)
                if recordStart >= boundary { break }
                if isWhole && reached == stop {
                    stride = min(stride * 4, Self.longestStride)
                    continue
                }
            } else if !window.isAtEnd {
                if window.count - recordStart < needed {
                    try more(window)
                    continue
                }
            } else if recordStart >= window.count {
                break
            }
            if isSpeculative { return .gaveUp }
            if let end = try takeSlowly(window, boundary: boundary, more: more) { return .ended(end) }
            stride = Self.shortestStride
        }
        return .ended(BlockStart(position: recordStart))
    }

    /// How many bytes from its first one on decide about a record: two more than the longest one has, for its line end.
    var reach: Int { dialect.maximumRecordBytes + 2 }

    /// How many bytes show what these are: a backslash is a quote if the byte after it is one.
    var needed: Int { reach + (dialect.hasBackslashQuotes ? 1 : 0) }

    /// Whether the window ends with a backslash that may yet turn out to be a quote: see `CSVBackslashes`.
    private func endsWithBackslash(_ window: RecordWindow) -> Bool {
        dialect.hasBackslashQuotes && !window.isAtEnd && window.count > 0
            && window.bytes[window.count - 1] == CSVBackslashes.backslash
    }

    /// Starts afresh at `position`: what the scan found beyond the record under way is forgotten.
    mutating func begin(at position: Int, in window: RecordWindow) {
        // A mark where the record before would have ended, so that the first field starts right after it.
        window.separators[first - 1 + (first > 0 ? 1 : 0)] = UInt32(truncatingIfNeeded: position) &- 1
        if first > 0 { first += 1 }
        scan = CSVScanState(separatorCount: first, recordCount: endIndex)
        window.forgetQuotes(from: position)
        recordStart = position
        scannedTo = position
    }

    /// How far the window can be scanned now: a CR at its very end waits for the byte that follows it, and so does a backslash.
    private func scanStop(_ window: RecordWindow) -> Int {
        let end = window.count
        let waits = !window.isAtEnd && end > scannedTo && window.bytes[end - 1] == CSVDialect.carriageReturn
        let isUnclear = waits || end > scannedTo && endsWithBackslash(window)
        return min(isUnclear ? end - 1 : end, scannedTo + stride)
    }

    private mutating func runScan(_ window: RecordWindow, to stop: Int) -> Int {
        var scanning = csv_scan()
        scanning.separators = window.separators
        scanning.record_ends = window.recordEnds
        scanning.quoted_steps = window.quotedSteps
        scanning.quoted_step_count = window.quotedStepCount
        scan.resume(&scanning)
        // Beyond the last byte of the file there must be no stray line feed for a final CR to pair with.
        if window.isAtEnd { window.bytes[window.count] = 0 }
        scannedTo = csv_scan_run(
            &scanning, window.bytes, scannedTo, stop, dialect.delimiter, dialect.scanLevel.rawValue)
        scan = CSVScanState(scanning)
        window.quotedStepCount = scanning.quoted_step_count
        if scanning.saw_nul != 0 { window.sawNUL = true }
        if scanning.saw_quoted_line_end != 0 { window.sawQuotedLineEnd = true }
        return scannedTo
    }

    /// Takes the records whose ends the scan has found; false if the one under way must be taken byte by byte.
    private mutating func walk(_ window: RecordWindow, boundary: Int) -> Bool {
        let separators = window.separators
        let ends = window.recordEnds
        let count = scan.recordCount
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
        // More separators than any record has, and no end: no use in looking for it further on.
        return recordStart >= boundary || scan.separatorCount - first <= fieldCount + 1
    }

    /// Decides on a whole record that is blank or has another number of fields; false if it is too long or spans lines,
    /// so that a quote may have swallowed what follows it.
    private func takeIrregular(_ window: RecordWindow, end: Int, position: Int) -> Bool {
        let length = position - recordStart
        let fields = end - first + 1
        if fields == 1 && isBlank(window, from: recordStart, to: position) { return true }
        if length > dialect.maximumRecordBytes { return false }
        let lastField = fields > 1 ? Int(window.separators[end - 1]) + 1 : recordStart
        if hasAcceptableCount(window, fields: fields, lastField: lastField, end: position) {
            window.appendRecord(first: first)
            return true
        }
        if spansLines(window, from: recordStart, to: position) { return false }
        window.reject(at: recordStart, reason: .fieldCount)
        return true
    }

    func isBlank(_ window: RecordWindow, from start: Int, to end: Int) -> Bool {
        end == start || (end == start + 1 && window.bytes[start] == CSVDialect.carriageReturn)
    }

    /// The header's count, or one more with nothing in it where rows may end with a delimiter, or one fewer where the header ends with
    /// a blank name.
    func hasAcceptableCount(_ window: RecordWindow, fields: Int, lastField: Int, end: Int) -> Bool {
        if fields == dialect.fieldCount { return true }
        if let least = dialect.leastFieldCount, fields < dialect.fieldCount {
            return fields >= least && !isBlank(window, from: lastField, to: end)
        }
        if fields == dialect.fieldCount - 1 { return dialect.lastNameIsBlank }
        return dialect.allowsTrailingDelimiter && fields == dialect.fieldCount + 1
            && isBlank(window, from: lastField, to: end)
    }

    func spansLines(_ window: RecordWindow, from start: Int, to end: Int) -> Bool {
        // A CR before the line feed that ends the record is part of that line end.
        let trimmed = end > start && window.bytes[end - 1] == CSVDialect.carriageReturn ? end - 1 : end
        return hasLineEnd(window, from: start, to: trimmed)
    }

    private func hasLineEnd(_ window: RecordWindow, from start: Int, to end: Int) -> Bool {
        memchr(window.bytes + start, Int32(CSVDialect.lineFeed), end - start) != nil
            || memchr(window.bytes + start, Int32(CSVDialect.carriageReturn), end - start) != nil
    }
}

// MARK: - Byte by byte

extension CSVBlockScanner {
    /// Takes the record under way byte by byte, and starts the next. Not nil if the block ends before one starts.
    private mutating func takeSlowly(
        _ window: RecordWindow, boundary: Int, more: More
    ) throws(ExportError) -> BlockStart? {
        while true {
            scan.separatorCount = first
            var noted = first
            let separators = window.separators
            let outcome = tokenize(window, at: recordStart) { position in
                separators[noted] = UInt32(truncatingIfNeeded: position)
                noted += 1
            }
            switch outcome {
            case .complete(let next):
                return try takeWhole(window, end: noted - 1, next: next, boundary: boundary, more: more)
            case .broken(let reason):
                window.reject(at: recordStart, reason: reason)
                return try resume(window, after: recordStart, boundary: boundary, more: more)
            case .needsMore(let inQuotes):
                if !window.isAtEnd, window.count - recordStart < needed {
                    try fill(window, bytes: min(2 * (window.count - recordStart), needed), more: more)
                } else {
                    return try skipTooLong(window, inQuotes: inQuotes, boundary: boundary, more: more)
                }
            }
        }
    }

    /// The record at `start`, as far as it matters.
    func tokenize(_ window: RecordWindow, at start: Int, note: (Int) -> Void) -> CSVTokenizer.Outcome {
        let known = endsWithBackslash(window) ? max(start, window.count - 1) : window.count
        let stop = min(known, start + reach)
        // Right at the reach it does not matter, and may not be known, whether the text ends.
        let seesEnd = window.isAtEnd && stop < start + reach
        return tokenizer.record(
            window.bytes, count: stop, isAtEnd: seesEnd, start: start,
            mostFields: dialect.fieldCount + 1, note: note)
    }

    /// Asks for more until `bytes` from the record's start on are there, or all there are.
    private func fill(_ window: RecordWindow, bytes: Int, more: More) throws(ExportError) {
        repeat { try more(window) } while !window.isAtEnd && window.count - recordStart < bytes
    }

    private mutating func takeWhole(
        _ window: RecordWindow, end: Int, next: Int, boundary: Int, more: More
    ) throws(ExportError) -> BlockStart? {
        let position = Int(window.separators[end])
        if position - recordStart > dialect.maximumRecordBytes {
            window.reject(at: recordStart, reason: .recordTooLong)
            if spansLines(window, from: recordStart, to: position) {
                return try resume(window, after: recordStart, boundary: boundary, more: more)
            }
        } else if end - first + 1 == dialect.fieldCount {
            window.appendRecord(first: first)
        } else if !takeIrregular(window, end: end, position: position) {
            window.reject(at: recordStart, reason: .unterminatedQuote)
            return try resume(window, after: recordStart, boundary: boundary, more: more)
        }
        if memchr(window.bytes + recordStart, 0, position - recordStart) != nil { window.sawNUL = true }
        first = end + 1
        window.noteQuotes(from: recordStart, to: next)
        window.sawQuotedLineEnd = true
        begin(at: next, in: window)
        return nil
    }

    /// Rejects the record under way, whose end is out of reach.
    private mutating func skipTooLong(
        _ window: RecordWindow, inQuotes: Bool, boundary: Int, more: More
    ) throws(ExportError) -> BlockStart? {
        window.reject(at: recordStart, reason: inQuotes ? .unterminatedQuote : .recordTooLong)
        let limit = recordStart + dialect.maximumRecordBytes
        if inQuotes || hasLineEnd(window, from: recordStart, to: limit) {
            return try resume(window, after: recordStart, boundary: boundary, more: more)
        }
        guard let line = try lineAfter(recordStart, window, boundary: boundary, more: more) else {
            return BlockStart(position: recordStart, isInsideLine: true)
        }
        begin(at: line, in: window)
        return nil
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
