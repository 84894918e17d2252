import CByteScan

/// Where the strings of a block end: the first of two steps of reading JSON, done for many records at once.
///
/// The block must start outside a string, so at the start of a line or of an element. A raw newline cannot lie in a
/// JSON string; it ends the string it is in, and so a broken line never spoils the lines after it.
/// Room for a block is kept from block to block: 4 bytes per byte of the largest block.
package struct JSONBlockIndex: Sendable {
    private let level: ScanLevel
    private var entries: [UInt32] = []
    /// The number of strings (and broken strings) of the block.
    package private(set) var count = 0

    package init(level: ScanLevel = .best) {
        self.level = min(level, .best)
    }

    /// Indexes `bytes[from..<to]`, to < 2^29. Reads nothing outside.
    package mutating func build(_ bytes: UnsafePointer<UInt8>, from: Int, to: Int) {
        precondition(from >= 0 && from <= to && to < 1 << 29, "a block of JSON is below 512 MiB")
        let length = to - from
        // The room that cjson_index asks for.
        if entries.count < length + 80 { entries = Array(repeating: 0, count: length + 80) }
        count = entries.withUnsafeMutableBufferPointer { entries in
            guard let base = entries.baseAddress else { return 0 }
            return cjson_index(level.rawValue, bytes, from, to, base)
        }
    }

    /// The number of the first entry at or after `position`, searched from entry `hint` on.
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
