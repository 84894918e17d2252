/// How an export's rows are cut into fields.
package struct CSVDialect: Sendable, Hashable {
    package var delimiter: UInt8
    /// Fields of the header.
    package var fieldCount: Int
    /// A row may have one more field if that one is empty: rows end with a delimiter. Where they do not, such a row has an unquoted
    /// delimiter in a value, and its last field is blank.
    package var allowsTrailingDelimiter = true
    package var maximumRecordBytes: Int
    /// In quotes, `\"` is a quote, as MySQL and others write it: see `CSVBackslashes`.
    package var hasBackslashQuotes = false
    /// Rows may end early where their last fields are empty: so many fields each of them has, and none ends with an
    /// empty one. Nil: rows have all their fields.
    package var leastFieldCount: Int?
    /// The header ends with a blank name: rows may leave that field out.
    package var lastNameIsBlank: Bool
    package var scanLevel: ScanLevel

    package init(
        delimiter: UInt8, fieldCount: Int, maximumRecordBytes: Int = 1 << 20, lastNameIsBlank: Bool = false,
        scanLevel: ScanLevel = .best
    ) {
        self.delimiter = delimiter
        self.fieldCount = fieldCount
        self.maximumRecordBytes = maximumRecordBytes
        self.lastNameIsBlank = lastNameIsBlank
        self.scanLevel = min(scanLevel, .best)
    }

    /// Separators after the first one that every row has.
    var lastSeparator: Int {
        if let leastFieldCount { return max(0, leastFieldCount - 1) }
        return max(0, fieldCount - (lastNameIsBlank ? 2 : 1))
    }

    /// Whether rows may have fewer or more fields than the header, so that one with an unquoted comma in a value may have as many as
    /// it should.
    package var mayHideDelimiters: Bool {
        delimiter == UInt8(ascii: ",") && (leastFieldCount != nil || lastNameIsBlank || allowsTrailingDelimiter)
    }

    /// See `RecordWindow.trimmedDelimiter`.
    var trimmedDelimiter: UInt8 { leastFieldCount == nil ? 0 : delimiter }

    package static let quote: UInt8 = 0x22
    package static let lineFeed: UInt8 = 0x0A
    package static let carriageReturn: UInt8 = 0x0D
}
