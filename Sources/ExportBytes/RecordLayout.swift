import CByteScan

/// How the text of an export is divided into records.
package enum RecordLayout: Sendable {
    case rows(CSVDialect)
    /// NDJSON: an object a line.
    case lines(maximumRecordBytes: Int, scanLevel: ScanLevel)
    /// The elements of the JSON array at a path.
    case elements(path: [String], maximumRecordBytes: Int, scanLevel: ScanLevel)

    /// Whether a file can be read in parts: each of its records begins a line.
    package var isDivisible: Bool {
        switch self {
        case .rows, .lines: true
        case .elements: false
        }
    }

    package var isJSON: Bool {
        if case .rows = self { false } else { true }
    }

    /// Of delimited text; nil: it is JSON.
    package var dialect: CSVDialect? {
        if case .rows(let dialect) = self { dialect } else { nil }
    }

    /// The instructions of the structural scans.
    var scanLevel: ScanLevel {
        switch self {
        case .rows(let dialect): dialect.scanLevel
        case .lines(_, let level), .elements(_, _, let level): level
        }
    }

    /// Separators of a record after its first one: see `RecordWindow.lastSeparator`.
    package var lastSeparator: Int {
        if case .rows(let dialect) = self { dialect.lastSeparator } else { 0 }
    }

    /// Where workers get the records of an export.
    ///
    /// - Parameters:
    ///   - textOffset: bytes of a plain file before its text, so of its byte-order mark.
    ///   - dataStart: bytes of the text before the first record, so of its header.
    ///   - stream: what comes after `head`, if the text can only be read in order; nil for a plain file in UTF-8.
    ///   - part: of a plain file in UTF-8 with records that are lines; nil: all of it.
    package func blocks(
        of file: ExportFile, textOffset: Int, dataStart: Int, stream: (any ByteStream)?, head: [UInt8],
        blockBytes: Int, part: ExportPart? = nil, remarks: JSONRemarks? = nil
    ) -> any BlockSource {
        func source(_ scanner: some BlockScanner) -> any BlockSource {
            if let stream {
                return StreamBlockSource(
                    scanner, stream: stream, head: head, dataStart: dataStart, blockBytes: blockBytes)
            }
            return FileBlockSource(
                scanner, file: file, size: file.size ?? 0, dataStart: textOffset + dataStart, blockBytes: blockBytes,
                part: part)
        }
        switch self {
        case .rows(let dialect): return source(CSVBlockScanner(dialect: dialect, blockBytes: blockBytes))
        case .lines(let bytes, _): return source(LineScanner(maximumRecordBytes: bytes, blockBytes: blockBytes))
        case .elements(let path, let bytes, let level):
            return StreamBlockSource(
                JSONElementScanner(
                    path: path, maximumRecordBytes: bytes, scanLevel: level, file: file.name, textOffset: textOffset,
                    remarks: remarks),
                stream: stream ?? FileStream(file, from: textOffset), head: stream == nil ? [] : head,
                offset: textOffset, blockBytes: blockBytes)
        }
    }
}

extension RecordLayout {
    /// Adds the record that starts at `start` to the window's records, if it is whole within the first `count` bytes.
    ///
    /// - Parameter noted: entries of `window.separators` in use.
    /// - Returns: where the next byte after it is; nil if it is not whole, or not one that a block scanner can have
    ///   taken: the window's invariant holds for those only.
    package func appendRecord(
        at start: Int, of count: Int, isAtEnd: Bool, to window: RecordWindow, noted: inout Int
    ) -> Int? {
        if case .rows(let dialect) = self {
            window.trimmedDelimiter = dialect.trimmedDelimiter
            if dialect.hasBackslashQuotes {
                CSVBackslashes.rewrite(window.bytes, from: start, to: count, floor: start)
            }
        }
        let separators = window.separators
        let first = noted + 1
        var at = first
        separators[noted] = UInt32(truncatingIfNeeded: start) &- 1
        let next: Int
        if case .rows(let dialect) = self {
            let outcome = CSVTokenizer(delimiter: dialect.delimiter).record(
                window.bytes, count: count, isAtEnd: isAtEnd, start: start
            ) { position in
                separators[at] = UInt32(truncatingIfNeeded: position)
                at += 1
            }
            guard case .complete(let end) = outcome else { return nil }
            // A row may have one field more if it is empty, and one fewer where the header's last name is blank.
            guard (lastSeparator + 1...dialect.fieldCount + 1).contains(at - first) else { return nil }
            next = end
        } else {
            var nesting = cjson_nesting(in_string: 0, escape: 0, depth: 0)
            let close = cjson_find_close(scanLevel.rawValue, window.bytes, start, count, &nesting)
            guard close < count else { return nil }
            next = close + 1
            separators[at] = UInt32(truncatingIfNeeded: next)
            at += 1
        }
        noted = at
        window.appendRecord(first: first)
        return next
    }
}
