/// Checks whole documents of JSON that are held in memory.
package enum JSONDocument {
    /// Checks that `bytes` are one value of any kind (RFC 8259), after a byte order mark if there is one.
    /// `maximumDepth` is at most 512.
    package static func validate(
        _ bytes: [UInt8], maximumDepth: Int = 128, level: JSONScanLevel = .best
    ) throws(JSONSyntaxError) {
        // The cursor may read 64 bytes beyond the end; zeros continue no token.
        let padded = bytes + [UInt8](repeating: 0, count: 64)
        var index = JSONBlockIndex(level: level)
        let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        let fault: JSONFault? = padded.withUnsafeBufferPointer { padded in
            guard let base = padded.baseAddress else { return nil }
            index.build(base, from: start, to: bytes.count, lines: false)
            let fault: JSONFault?? = index.withEntries { entries in
                var cursor = JSONCursor(
                    bytes: base, end: bytes.count, entries: entries, position: start, entry: 0,
                    maximumDepth: min(maximumDepth, 512))
                return cursor.wholeText()
            }
            return fault ?? nil
        }
        if let fault { throw JSONSyntaxError(position: fault.position, kind: fault.kind) }
    }
}

extension JSONCursor {
    /// The fault of a text that should be one value, or nil.
    fileprivate mutating func wholeText() -> JSONFault? {
        do throws(JSONFault) {
            skipWhitespace()
            try value(depth: 0)
            try onlyWhitespace()
            return nil
        } catch {
            return error
        }
    }
}
