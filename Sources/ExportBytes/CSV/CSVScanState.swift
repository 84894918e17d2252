import CByteScan

/// What the vector scan carries from one call to the next. It has no pointers, because those of a window change when the
/// window grows.
struct CSVScanState: Sendable {
    var separatorCount = 0
    var recordCount = 0
    private var inQuotes: UInt64 = 0
    private var afterSeparator: UInt64 = 1
    private var afterQuote: UInt64 = 0
    private var afterClose: UInt64 = 0

    /// At the start of a record.
    init(separatorCount: Int = 0, recordCount: Int = 0) {
        self.separatorCount = separatorCount
        self.recordCount = recordCount
    }

    init(_ scan: csv_scan) {
        separatorCount = scan.separator_count
        recordCount = scan.record_count
        inQuotes = scan.in_quotes
        afterSeparator = scan.after_separator
        afterQuote = scan.after_quote
        afterClose = scan.after_close
    }

    func resume(_ scan: inout csv_scan) {
        scan.separator_count = separatorCount
        scan.record_count = recordCount
        scan.in_quotes = inQuotes
        scan.after_separator = afterSeparator
        scan.after_quote = afterQuote
        scan.after_close = afterClose
    }
}
