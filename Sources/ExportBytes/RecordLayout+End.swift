import Foundation

extension RecordLayout {
    /// Whether a plain file ends within a record, as one does that was cut off while it was copied: its last line is not ended,
    /// and is no whole record.
    ///
    /// A line that is longer than 64 KiB, that may end a quoted field, or that has no delimiter (a comment) is taken
    /// for whole.
    package func isCutOff(_ file: ExportFile) throws(ExportError) -> Bool {
        let end = try file.end(atMost: 1 << 16)
        guard let last = end.last, last != UInt8(ascii: "\n"), last != UInt8(ascii: "\r"),
            let newline = end.lastIndex(of: UInt8(ascii: "\n"))
        else { return false }
        let line = end[(newline + 1)...]
        // Blanks, NULs, and the end mark of old systems.
        let isPadding = { (byte: UInt8) in byte == 0x20 || byte == 0x09 || byte == 0x00 || byte == 0x1A }
        guard let lastSign = line.last(where: { !isPadding($0) }) else { return false }
        switch self {
        case .rows(let dialect):
            let quotes = line.count { $0 == UInt8(ascii: "\"") }, delimiters = line.count { $0 == dialect.delimiter }
            return quotes.isMultiple(of: 2) && delimiters > 0
                && delimiters < (dialect.leastFieldCount ?? dialect.fieldCount) - 1
        case .lines: return lastSign != UInt8(ascii: "}")
        // A document without its end cannot be read at all.
        case .elements: return false
        }
    }
}

extension ExportFile {
    /// The last bytes of a regular file; none of a pipe.
    fileprivate func end(atMost count: Int) throws(ExportError) -> [UInt8] {
        let size = Int(try status().st_size)
        var failure: ExportError?
        let bytes = [UInt8](unsafeUninitializedCapacity: min(count, size)) { buffer, filled in
            // An empty file has no buffer. `read` writes at most the buffer's capacity.
            guard let start = buffer.baseAddress else { return }
            do throws(ExportError) {
                filled = try read(into: start, count: buffer.count, at: size - buffer.count)
            } catch { failure = error }
        }
        if let failure { throw failure }
        return bytes
    }
}
