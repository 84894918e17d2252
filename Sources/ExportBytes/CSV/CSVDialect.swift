/// How an export's rows are cut into fields.
package struct CSVDialect: Sendable, Hashable {
    package var delimiter: UInt8
    /// Fields of the header.
    package var fieldCount: Int
    /// A row may have one more field if that one is empty: rows end with a delimiter. Where they do not, such a row has an unquoted
    /// delimiter in a value, and its last field is blank.
    package var allowsTrailingDelimiter = true
    package var maximumRecordBytes: Int
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
    var lastSeparator: Int { max(0, fieldCount - (lastNameIsBlank ? 2 : 1)) }

    package static let quote: UInt8 = 0x22
    package static let lineFeed: UInt8 = 0x0A
    package static let carriageReturn: UInt8 = 0x0D
}
