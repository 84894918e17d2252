package import Trips

/// The rows of delimited text with all their fields, cut exactly as an export's are: to look into a file that has no
/// profile yet, and to hold the scanner to a plain reference.
///
/// In: a file and its dialect. Out: blocks of rows and rejects, in no order among workers; `ordinal` gives the order.
package final class DelimitedRows: Sendable {
    package struct Row: Sendable {
        /// In the text, of the row's first byte.
        package var offset: Int
        /// How many records of the block come before it, rejected ones included.
        package var recordInBlock: Int
        package var fields: Sensitive<[[UInt8]]>
    }

    package struct Reject: Sendable, Hashable {
        package var offset: Int
        package var recordInBlock: Int
        package var reason: RejectReason
    }

    package struct Block: Sendable {
        package var ordinal: Int
        /// Records met in the block, rejected ones included.
        package var recordsMet: Int
        package var rows: [Row]
        package var rejects: [Reject]
    }

    private enum Source: Sendable {
        case file(FileBlockSource<CSVBlockScanner>)
        case stream(StreamBlockSource<CSVBlockScanner>)
    }

    private let source: Source
    fileprivate let dialect: CSVDialect
    fileprivate let blockBytes: Int

    /// - Parameters:
    ///   - dataStart: offset of the first row.
    ///   - readsInOrder: as a pipe is read, even if the file could be read from anywhere.
    package init(
        path: String, dialect: CSVDialect, dataStart: Int = 0, blockBytes: Int = 1 << 18, readsInOrder: Bool = false
    ) throws(ExportError) {
        let file = try ExportFile(path: path)
        self.dialect = dialect
        self.blockBytes = max(64, blockBytes)
        if let size = file.size, !readsInOrder {
            source = .file(
                FileBlockSource(file: file, size: size, dataStart: dataStart, blockBytes: self.blockBytes))
        } else {
            var stream: any ByteStream = DescriptorStream(file: file)
            let head = try ExportOpening.take(&stream, max(dataStart, 1))
            source = .stream(
                StreamBlockSource(
                    stream: stream, head: head, dataStart: min(dataStart, head.count), blockBytes: self.blockBytes))
        }
    }

    /// A worker's own reader. Workers may run on different threads at the same time.
    package func makeWorker() -> Worker { Worker(self) }

    package final class Worker {
        private let owner: DelimitedRows
        private let window: RecordWindow
        private let table: SpanTable
        private var scanner: CSVBlockScanner
        private static let rowsAtATime = 64

        fileprivate init(_ owner: DelimitedRows) {
            self.owner = owner
            let dialect = owner.dialect
            window = RecordWindow(capacity: owner.blockBytes + (1 << 13))
            window.lastSeparator = dialect.fieldCount - (dialect.lastNameIsBlank ? 2 : 1)
            table = SpanTable(slots: window.lastSeparator + 1, rows: Self.rowsAtATime)
            scanner = CSVBlockScanner(dialect: dialect, blockBytes: owner.blockBytes)
        }

        /// The next block; nil at the end.
        package func next() throws(ExportError) -> Block? {
            window.clearRecords()
            let found =
                switch owner.source {
                case .file(let source): try source.nextBlock(window, &scanner)
                case .stream(let source): try source.nextBlock(window, &scanner)
                }
            guard found else { return nil }
            let rejects = window.faults.map { fault in
                Reject(
                    offset: window.baseOffset + fault.position, recordInBlock: fault.recordInBlock,
                    reason: fault.reason)
            }
            var rows: [Row] = []
            while rows.count < window.recordCount { appendRows(&rows) }
            return Block(ordinal: window.ordinal, recordsMet: window.recordsMet, rows: rows, rejects: rejects)
        }

        private func appendRows(_ rows: inout [Row]) {
            let from = rows.count
            let count = min(Self.rowsAtATime, window.recordCount - from)
            table.gather(
                window, from: from, count: count, columns: Array(0..<table.slots),
                fieldCount: owner.dialect.fieldCount)
            for row in 0..<count {
                let fields = (0..<table.slots).map { slot in
                    let span = FieldSpan(packed: table.column(slot)[row])
                    // The window's invariant: spans lie in it.
                    return SpanText.bytes(window.bytes + span.start, span.end - span.start, span.escaping)
                }
                rows.append(
                    Row(
                        offset: window.baseOffset + window.recordStart(from + row),
                        recordInBlock: Int(window.recordNumbers[from + row]), fields: Sensitive(fields)))
            }
        }
    }
}
