import Trips

/// Finds the elements of a JSON array, block after block in their order: only for `StreamBlockSource`.
///
/// Record `r` lies between `separators[firstSeparator[r] - 1]` and `separators[firstSeparator[r]]`.
struct JSONElementScanner: BlockScanner {
    static let endsLinesAtCR = false

    private var splitter: JSONArraySplitter
    private let file: String
    private let textOffset: Int
    private let remarks: JSONRemarks?

    /// - Parameters:
    ///   - path: the keys that lead to the array.
    ///   - file: for messages.
    ///   - textOffset: bytes of the file before its text, so of its byte-order mark.
    init(
        path: [String], maximumRecordBytes: Int, scanLevel: ScanLevel, file: String, textOffset: Int,
        remarks: JSONRemarks? = nil
    ) {
        self.remarks = remarks
        splitter = JSONArraySplitter(path: path, maximumRecordBytes: maximumRecordBytes, level: scanLevel)
        self.file = file
        self.textOffset = textOffset
    }

    mutating func run(
        _ window: RecordWindow, from start: BlockStart, boundary: Int, isSpeculative: Bool, more: More
    ) throws(ExportError) -> ScanOutcome {
        window.clearRecords()
        let base = window.baseOffset - textOffset
        var noted = 0
        do throws(JSONFault) {
            let consumed = try splitter.scan(
                window: window.bytes, count: window.count, windowOffset: base, isLast: window.isAtEnd
            ) { element in
                if element.isTooLong {
                    window.reject(at: element.start - base, reason: .recordTooLong)
                    return
                }
                // Two marks an element: before its first byte and at its end.
                window.separators[noted] = UInt32(truncatingIfNeeded: element.start - base) &- 1
                window.separators[noted + 1] = UInt32(truncatingIfNeeded: element.end - base)
                window.appendRecord(first: noted + 1)
                noted += 2
            }
            if window.isAtEnd {
                remarks?.set(
                    trailingCommas: splitter.trailingCommas, otherLists: splitter.otherLists,
                    envelope: splitter.envelope)
            }
            return .ended(BlockStart(position: consumed))
        } catch {
            throw error.kind.error(file: file, offset: textOffset + error.position)
        }
    }
}
