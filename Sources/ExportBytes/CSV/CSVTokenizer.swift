package import Trips

/// One record, byte by byte: the meaning of CSV here, which the vector scan of `CSVBlockScanner` must agree with.
///
/// A field that starts with `"` is quoted and ends at the next `"` that is not doubled; only a delimiter, a line end or
/// the end of the file may follow. A `"` elsewhere is a character like any other. LF, CRLF and CR end a record.
package struct CSVTokenizer {
    package enum Outcome {
        /// The record is whole; the next one starts here.
        case complete(next: Int)
        case broken(RejectReason)
        /// The window ends first, inside a quoted field or not.
        case needsMore(inQuotes: Bool)
    }

    private let delimiter: UInt8

    package init(delimiter: UInt8) { self.delimiter = delimiter }

    /// Tokenizes the record at `start`; `note` gets the position of each separator, the record's end among them.
    ///
    /// A record that has gone on past a line end and has more than `mostFields` fields is given up as an unterminated
    /// quote: somewhere a quote has swallowed lines.
    ///
    /// `bytes[0 ..< count]` must be initialised and `start <= count`.
    package func record(
        _ bytes: UnsafePointer<UInt8>, count: Int, isAtEnd: Bool, start: Int, mostFields: Int = .max,
        note: (Int) -> Void
    ) -> Outcome {
        var at = start
        var atFieldStart = true
        var fields = 0
        var spansLines = false
        while at < count {
            let byte = bytes[at]
            if byte == CSVDialect.quote && atFieldStart {
                guard let close = closingQuote(bytes, count: count, after: at, &spansLines) else {
                    return isAtEnd ? .broken(.unterminatedQuote) : .needsMore(inQuotes: true)
                }
                at = close + 1
                if at == count { break }
                guard isSeparator(bytes[at]) else { return .broken(.malformedQuote) }
                atFieldStart = false
            } else if byte == delimiter {
                fields += 1
                if spansLines && fields >= mostFields { return .broken(.unterminatedQuote) }
                note(at)
                at += 1
                atFieldStart = true
            } else if byte == CSVDialect.lineFeed {
                note(at)
                return .complete(next: at + 1)
            } else if byte == CSVDialect.carriageReturn {
                if at + 1 == count && !isAtEnd { return .needsMore(inQuotes: false) }
                let isPair = at + 1 < count && bytes[at + 1] == CSVDialect.lineFeed
                note(isPair ? at + 1 : at)
                return .complete(next: isPair ? at + 2 : at + 1)
            } else {
                at += 1
                atFieldStart = false
            }
        }
        guard isAtEnd else { return .needsMore(inQuotes: false) }
        note(count)
        return .complete(next: count)
    }

    /// Position of the quote that closes the one at `open`; nil if the window ends before that is known.
    private func closingQuote(
        _ bytes: UnsafePointer<UInt8>, count: Int, after open: Int, _ spansLines: inout Bool
    ) -> Int? {
        var at = open + 1
        while at < count {
            let byte = bytes[at]
            if byte != CSVDialect.quote {
                if byte == CSVDialect.lineFeed || byte == CSVDialect.carriageReturn { spansLines = true }
                at += 1
            } else if at + 1 < count && bytes[at + 1] == CSVDialect.quote {
                at += 2
            } else {
                return at
            }
        }
        return nil
    }

    private func isSeparator(_ byte: UInt8) -> Bool {
        byte == delimiter || byte == CSVDialect.lineFeed || byte == CSVDialect.carriageReturn
    }
}
