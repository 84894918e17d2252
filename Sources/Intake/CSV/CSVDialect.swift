import CByteScan

/// How an export's rows are cut into fields.
package struct CSVDialect: Sendable, Hashable {
    package var delimiter: UInt8
    /// Fields of the header. A row may have one more if that one is empty (a trailing delimiter).
    package var fieldCount: Int
    package var maximumRecordBytes: Int
    /// The header ends with a blank name: rows may leave that field out.
    package var lastNameIsBlank: Bool
    /// Which vector instructions the scan uses; all levels give the same answer.
    package var scanLevel: Int32

    package init(
        delimiter: UInt8, fieldCount: Int, maximumRecordBytes: Int = 1 << 20, lastNameIsBlank: Bool = false,
        scanLevel: Int32 = CSVDialect.bestLevel
    ) {
        self.delimiter = delimiter
        self.fieldCount = fieldCount
        self.maximumRecordBytes = maximumRecordBytes
        self.lastNameIsBlank = lastNameIsBlank
        self.scanLevel = scanLevel
    }

    package static let bestLevel: Int32 = csv_scan_best_level()

    static let quote: UInt8 = 0x22
    static let lineFeed: UInt8 = 0x0A
    static let carriageReturn: UInt8 = 0x0D
}
