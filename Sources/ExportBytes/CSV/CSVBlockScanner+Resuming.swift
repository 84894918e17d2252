import Trips

// After a broken quote: reading goes on at the next line that reads as a record, and each line before it is rejected.
extension CSVBlockScanner {
    /// Starts the next record at the first line after the one at `position` that reads as a record.
    mutating func resume(
        _ window: RecordWindow, after position: Int, boundary: Int, more: More
    ) throws(ExportError) -> BlockStart? {
        guard let line = try lineAfter(position, window, boundary: boundary, more: more) else {
            return BlockStart(position: position, isInsideLine: true, isResuming: true)
        }
        return try resume(window, at: line, boundary: boundary, more: more)
    }

    /// Starts the next record at `position` or the first line after it that reads as a record. Not nil if there is none
    /// before the boundary: the next block goes on with it, so that what is held does not grow. Lines that are passed over
    /// are rejected, each by its own reason.
    mutating func resume(
        _ window: RecordWindow, at position: Int, boundary: Int, more: More
    ) throws(ExportError) -> BlockStart? {
        var line = position
        while line < boundary {
            switch try resumedLine(window, at: line, more: more) {
            case .record:
                begin(at: line, in: window)
                return nil
            case .blank: break
            case .lost(let reason): window.reject(at: line, reason: reason, isAfterBrokenQuote: true)
            }
            guard let next = try lineAfter(line, window, boundary: boundary, more: more) else {
                return BlockStart(position: line, isInsideLine: true, isResuming: true)
            }
            line = next
        }
        return BlockStart(position: line, isResuming: true)
    }

    /// Start of the physical line after the one that `position` is in; nil if it lies beyond both block and reach.
    func lineAfter(
        _ position: Int, _ window: RecordWindow, boundary: Int, more: More
    ) throws(ExportError) -> Int? {
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
            if window.count - position >= reach && window.count > boundary { return nil }
            try more(window)
        }
    }

    /// What the line is after a broken quote.
    private enum ResumedLine {
        /// A record with an acceptable number of fields starts here.
        case record
        case blank
        /// It may have been a record, and cannot be read as one.
        case lost(RejectReason)
    }

    private func resumedLine(_ window: RecordWindow, at line: Int, more: More) throws(ExportError) -> ResumedLine {
        while true {
            if window.isAtEnd && line >= window.count { return .blank }
            var fields = 0
            var last = line
            var end = line
            let outcome = tokenize(window, at: line) { position in
                fields += 1
                last = end
                end = position
            }
            switch outcome {
            case .complete:
                if end - line > dialect.maximumRecordBytes { return .lost(.recordTooLong) }
                if fields == dialect.fieldCount { return .record }
                if fields == 1 && isBlank(window, from: line, to: end) { return .blank }
                let lastField = fields > 1 ? last + 1 : line
                return hasAcceptableCount(window, fields: fields, lastField: lastField, end: end)
                    ? .record : .lost(.fieldCount)
            case .broken(let reason): return .lost(reason)
            case .needsMore(let inQuotes):
                if window.count - line >= needed { return .lost(inQuotes ? .unterminatedQuote : .recordTooLong) }
                try more(window)
            }
        }
    }
}
