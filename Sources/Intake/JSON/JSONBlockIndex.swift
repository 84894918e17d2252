import CByteScan

/// Where the strings of a block end: the first of two steps of reading JSON, done for many records at once.
///
/// The block must start outside a string, so at the start of a line or of an element. A raw newline cannot lie in a
/// JSON string; it ends the string it is in, and so a broken line never spoils the lines after it.
/// Room for a block is kept from block to block: 12 bytes per byte of the largest block with `lines`, else 4.
package struct JSONBlockIndex: Sendable {
    /// A whole line, without its newline, and the number of the first entry that belongs to it.
    package struct Line: Sendable, Hashable {
        package let from: Int
        package let to: Int
        package let entry: Int
    }

    package let level: JSONScanLevel
    private var entries: [UInt32] = []
    private var lines: [cjson_line] = []
    private var from = 0
    /// The number of strings (and broken strings) of the block.
    package private(set) var count = 0
    /// The number of newlines of the block.
    package private(set) var lineCount = 0

    package init(level: JSONScanLevel = .best) {
        self.level = min(level, .best)
    }

    /// Indexes `bytes[from..<to]`, to < 2^29; with `lines` also its newlines. Reads nothing outside.
    package mutating func build(_ bytes: UnsafePointer<UInt8>, from: Int, to: Int, lines wantsLines: Bool) {
        precondition(from >= 0 && from <= to && to < 1 << 29, "a block of JSON is below 512 MiB")
        self.from = from
        let length = to - from
        // The room that cjson_index asks for.
        if entries.count < length + 80 { entries = Array(repeating: 0, count: length + 80) }
        guard wantsLines else {
            count = entries.withUnsafeMutableBufferPointer { entries in
                guard let base = entries.baseAddress else { return 0 }
                return cjson_index(level.rawValue, bytes, from, to, base, nil, nil)
            }
            lineCount = 0
            return
        }
        if lines.count < length + 1 {
            lines = Array(repeating: cjson_line(position: 0, entry: 0), count: length + 1)
        }
        var found = 0
        count = entries.withUnsafeMutableBufferPointer { entries in
            lines.withUnsafeMutableBufferPointer { lines in
                guard let base = entries.baseAddress else { return 0 }
                return cjson_index(level.rawValue, bytes, from, to, base, lines.baseAddress, &found)
            }
        }
        lineCount = found
    }

    /// Line `number` of the block; `lineCount` is the text after the last newline, which ends at `to`.
    package func line(_ number: Int, blockEnd to: Int) -> Line {
        let start = number == 0 ? from : Int(lines[number - 1].position) + 1
        let entry = number == 0 ? 0 : Int(lines[number - 1].entry)
        return Line(from: start, to: number < lineCount ? Int(lines[number].position) : to, entry: entry)
    }

    /// The number of the first entry at or after `position`, looked for from entry `hint` on.
    package func entry(atOrAfter position: Int, hint: Int = 0) -> Int {
        var entry = hint
        while entry < count, Int(entries[entry] >> 1) < position { entry += 1 }
        return entry
    }

    /// The entries, followed by four that lie beyond every text.
    @inline(__always)
    func withEntries<Result>(_ body: (UnsafePointer<UInt32>) -> Result) -> Result? {
        entries.withUnsafeBufferPointer { entries in
            guard let base = entries.baseAddress else { return nil }
            return body(base)
        }
    }
}
