import Dispatch
import ExportBytes
import Synchronization
import Trips

/// The rows of delimited text with all their fields, cut exactly as an export's are: to compare the scanner with a plain
/// reference.
struct DelimitedRows {
    struct Row: Sendable {
        var offset: Int
        var recordInBlock: Int
        var fields: [[UInt8]]
    }

    struct Reject: Sendable {
        var offset: Int
        var recordInBlock: Int
        var reason: RejectReason
    }

    struct Block: Sendable {
        var ordinal: Int
        var recordsMet: Int
        var rows: [Row]
        var rejects: [Reject]
    }

    /// In the order of the text.
    let blocks: [Block]

    /// - Parameter readsInOrder: as a pipe is read.
    init(
        path: String, dialect: CSVDialect, blockBytes: Int = 1 << 18, workers: Int = 1, readsInOrder: Bool = false
    ) throws(ExportError) {
        let file = try ExportFile(path: path)
        let source = RecordLayout.rows(dialect).blocks(
            of: file, textOffset: 0, dataStart: 0, stream: readsInOrder ? FileStream(file) : nil, head: [],
            blockBytes: blockBytes)
        let results = Mutex<[Result<[Block], ExportError>]>([])
        DispatchQueue.concurrentPerform(iterations: workers) { _ in
            let result = Result { () throws(ExportError) in try Self.read(source, dialect, blockBytes) }
            results.withLock { $0.append(result) }
        }
        var blocks: [Block] = []
        for result in results.withLock({ $0 }) { blocks += try result.get() }
        self.blocks = blocks.sorted { $0.ordinal < $1.ordinal }
    }

    private static func read(
        _ source: any BlockSource, _ dialect: CSVDialect, _ blockBytes: Int
    ) throws(ExportError) -> [Block] {
        let layout = RecordLayout.rows(dialect)
        let window = RecordWindow(capacity: blockBytes + (1 << 13), lastSeparator: layout.lastSeparator)
        let slots = dialect.leastFieldCount == nil ? layout.lastSeparator + 1 : dialect.fieldCount
        var spans = SpanFinder(
            layout, columns: Array(0..<slots), names: Array(repeating: "", count: slots), rows: 1)
        let place = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
        place.initialize(to: 0)
        defer { place.deallocate() }
        let next = source.makeBlockReader()
        var blocks: [Block] = []
        window.clearRecords()
        while try next(window) {
            var rows: [Row] = []
            for record in 0..<window.recordCount {
                _ = spans.find(window, from: record, count: 1, records: place) { _, _ in }
                let fields = (0..<slots).map { slot in
                    let span = FieldSpan(packed: spans.table.column(slot)[0])
                    return FieldSpan.bytes(window.bytes + span.start, span.length, span.escaping)
                }
                rows.append(
                    Row(
                        offset: window.baseOffset + window.recordStart(record),
                        recordInBlock: Int(window.recordNumbers[record]), fields: fields))
            }
            let rejects = window.faults.map {
                Reject(offset: window.baseOffset + $0.position, recordInBlock: $0.recordInBlock, reason: $0.reason)
            }
            blocks.append(
                Block(ordinal: window.ordinal, recordsMet: window.recordsMet, rows: rows, rejects: rejects))
            window.clearRecords()
        }
        return blocks
    }
}
