import Synchronization

/// A worksheet as CSV: a record for each of its rows, so that workbooks are read by the one path that reads records.
///
/// A date is written by its number format, an amount with the sign of its currency, another number as the workbook has it, with 15
/// digits at most: a program that computes with binary fractions stores 12.3 as 12.300000000000001. Error values and formulas
/// without a stored value are no value.
///
/// The whole part is read, also what is behind its rows: only then are its length and its checksum known to be right, and its
/// merged cells known.
package final class SheetStream: ByteStream {
    private let state: Mutex<SheetReading>

    /// - Parameter columns: how many a record has, whatever is written beside them; nil: as many as the widest of the first rows.
    package init(
        _ sheet: any ByteStream, part: String, file: String, strings: SharedStrings, formats: NumberFormats,
        columns: Int? = nil
    ) {
        state = Mutex(
            SheetReading(sheet, part: part, file: file, strings: strings, formats: formats, columns: columns))
    }

    package func read(into target: UnsafeMutablePointer<UInt8>, count: Int) throws(ExportError) -> Int {
        // As a number, since the lock's value may keep nothing of the caller's: the room is lent for this call only.
        let room = UInt(bitPattern: target)
        return try state.withLock { state throws(ExportError) in try state.read(into: room, count: count) }
    }

    /// What was odd about the rows that were read.
    package var remarks: SheetRemarks { state.withLock { $0.remarks } }

    /// Which rows are records, of those that were read.
    package var rows: SheetRows { state.withLock { $0.rows } }

    /// The end of the rows is an error, also if it is reached already, if cells of these columns are merged over several records: only the first of
    /// them has the value.
    ///
    /// - Parameters:
    ///   - columns: from 0.
    ///   - header: the sheet's row that names them; records are below it.
    package func refuseMergedRecords(in columns: Set<Int>, below header: Int) throws(ExportError) {
        try state.withLock { state throws(ExportError) in
            state.refusedMerges = (columns, header)
            try state.checkMerged()
        }
    }
}

/// What a sheet has that its records do not show.
package struct SheetRemarks: Sendable, Hashable {
    /// Formulas whose value the workbook does not have.
    package var formulasWithoutValue = 0
    /// `#N/A` and the like.
    package var errorValues = 0
    /// Cells of both kinds, but for `#N/A`, by the number of their column.
    package var lostValues: [Int: Int] = [:]
    package var hiddenRows = 0
    /// Cells with a value right of the columns that have a name.
    package var cellsBeside = 0
}
