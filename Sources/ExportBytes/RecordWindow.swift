package import Trips

/// A worker's window on an export: a stretch of its bytes, and where the records in it lie.
///
/// It is allocated once and reused for block after block, so memory does not grow with the file. Only one worker uses
/// it at a time.
///
/// Invariants, on which every raw read in this module rests:
/// - `bytes[0 ..< count]` are initialised; `padding` more bytes may be read (their content means nothing).
/// - `quotedSteps[0 ..< quotedStepCount]` ascend, and there is room for one a byte, with `padding` more.
/// - `separators[-1]` may be written and read; `separators` has room for two entries a byte (a separator, and the mark
///   before a record that was taken byte by byte) and `recordEnds` for one, each with `padding` more for the overshoot
///   of the last vector store.
/// - Record `r < recordCount` has its fields between `separators[firstSeparator[r] - 1]` and the `fieldCount`
///   separators from there on; all lie in `0 ... count`.
///
/// What is read or written for each record is `@exclusivity(unchecked)`: the compiler cannot prove of a `package` property
/// that only one worker uses it, and its checks at run time cost more than the work. One worker owns a window, and no
/// function of this module passes a property of it `inout`.
package final class RecordWindow {
    package static let padding = 128

    @exclusivity(unchecked) package private(set) var bytes: UnsafeMutablePointer<UInt8>
    private(set) var capacity: Int
    @usableFromInline
    @exclusivity(unchecked) private(set) var separatorStorage: UnsafeMutablePointer<UInt32>
    private(set) var recordEnds: UnsafeMutablePointer<UInt32>
    /// Where stretches of `quotedStepBytes` start that have a quote in them.
    private(set) var quotedSteps: UnsafeMutablePointer<UInt32>
    @exclusivity(unchecked) var quotedStepCount = 0
    @usableFromInline
    @exclusivity(unchecked) private(set) var firstSeparator: UnsafeMutablePointer<UInt32>
    @exclusivity(unchecked) package private(set) var recordNumbers: UnsafeMutablePointer<UInt32>

    /// Separators of a record after its first one: 0 for lines and elements of JSON.
    package let lastSeparator: Int
    /// Not 0: the delimiter of rows that may end early or late. They have at least `lastSeparator` + 1 separators, and
    /// the one that is no delimiter ends the row.
    @usableFromInline
    @exclusivity(unchecked) var trimmedDelimiter: UInt8 = 0
    /// Bytes in the window.
    @exclusivity(unchecked) package var count = 0
    /// Offset in the source of `bytes[0]`.
    package var baseOffset = 0
    /// Whether the source ends with the window.
    var isAtEnd = false
    /// Which block of the source this is.
    package internal(set) var ordinal = 0
    /// Whole records found, not counting rejected ones.
    @exclusivity(unchecked) package internal(set) var recordCount = 0
    /// Records met in the block so far, rejected ones included.
    @exclusivity(unchecked) package private(set) var recordsMet = 0
    /// Whether `quotedSteps` tells of every quote; else any record may have one.
    @exclusivity(unchecked) package var quotesAreListed = true
    var sawNUL = false
    /// Whether a quoted field of the stretch scanned has a line end in it.
    var sawQuotedLineEnd = false
    /// Records whose quoted fields hold lines that look like records themselves.
    package internal(set) var swallowed: [SwallowedLines] = []
    /// Records that the tokenizer itself rejects.
    package internal(set) var faults: [RecordFault] = []

    @inlinable
    package var separators: UnsafeMutablePointer<UInt32> { separatorStorage + 1 }

    /// - Parameter lastSeparator: see there.
    package init(capacity: Int, lastSeparator: Int = 0) {
        self.lastSeparator = lastSeparator
        self.capacity = capacity
        bytes = .allocate(capacity: capacity + Self.padding)
        separatorStorage = .allocate(capacity: 2 * capacity + Self.padding + 1)
        recordEnds = .allocate(capacity: capacity + Self.padding)
        quotedSteps = .allocate(capacity: capacity + Self.padding)
        firstSeparator = .allocate(capacity: capacity + Self.padding)
        recordNumbers = .allocate(capacity: capacity + Self.padding)
        bytes.initialize(repeating: 0, count: capacity + Self.padding)
    }

    deinit {
        bytes.wipeAndDeallocate(count: capacity + Self.padding)
        separatorStorage.deallocate()
        recordEnds.deallocate()
        quotedSteps.deallocate()
        firstSeparator.deallocate()
        recordNumbers.deallocate()
    }

    /// Forgets the records, keeps the bytes.
    package func clearRecords() {
        recordCount = 0
        recordsMet = 0
        quotesAreListed = true
        quotedStepCount = 0
        sawNUL = false
        sawQuotedLineEnd = false
        swallowed.removeAll(keepingCapacity: true)
        faults.removeAll(keepingCapacity: true)
    }

    /// Makes room for `wanted` bytes in all; what is there stays.
    package func reserve(_ wanted: Int) {
        guard wanted > capacity else { return }
        let grown = max(wanted, capacity + capacity / 2)
        bytes = Self.grow(bytes, from: capacity + Self.padding, to: grown + Self.padding)
        // The new bytes are initialised so that reading ahead within the padding is defined.
        (bytes + capacity + Self.padding).initialize(repeating: 0, count: grown - capacity)
        separatorStorage = Self.grow(
            separatorStorage, from: 2 * capacity + 1, to: 2 * grown + Self.padding + 1)
        recordEnds = Self.grow(recordEnds, from: capacity, to: grown + Self.padding)
        quotedSteps = Self.grow(quotedSteps, from: capacity, to: grown + Self.padding)
        firstSeparator = Self.grow(firstSeparator, from: capacity, to: grown + Self.padding)
        recordNumbers = Self.grow(recordNumbers, from: capacity, to: grown + Self.padding)
        capacity = grown
    }

    private static func grow<Element: BitwiseCopyable>(
        _ old: UnsafeMutablePointer<Element>, from count: Int, to grown: Int
    ) -> UnsafeMutablePointer<Element> {
        let new = UnsafeMutablePointer<Element>.allocate(capacity: grown)
        new.initialize(from: old, count: count)
        old.wipeAndDeallocate(count: count)
        return new
    }

    /// Adds a record whose fields start after separator `first - 1`.
    @inline(__always)
    package func appendRecord(first: Int) {
        firstSeparator[recordCount] = UInt32(truncatingIfNeeded: first)
        recordNumbers[recordCount] = UInt32(truncatingIfNeeded: recordsMet)
        recordCount += 1
        recordsMet += 1
    }

    func reject(at position: Int, reason: RejectReason, isAfterBrokenQuote: Bool = false) {
        faults.append(
            RecordFault(
                position: position, recordInBlock: recordsMet, reason: reason, isAfterBrokenQuote: isAfterBrokenQuote))
        recordsMet += 1
    }

    /// Position of the first byte of record `r`.
    @inlinable
    @inline(__always)
    package func recordStart(_ r: Int) -> Int {
        Int(separators[Int(firstSeparator[r]) - 1] &+ 1)
    }

    /// Writes where each of these records starts, in the source and beyond `fileTag`, one after the other.
    package func offsets(
        of records: UnsafePointer<Int32>, count rows: Int, fileTag: Int, into offsets: UnsafeMutablePointer<Int>
    ) {
        let base = fileTag + baseOffset
        for row in 0..<rows { offsets[row] = base + recordStart(Int(records[row])) }
    }

    // MARK: - Quotes

    /// Bytes from the start of one of `quotedSteps` on that it speaks of: the step of the vector scan.
    private static var quotedStepBytes: Int { 64 }

    /// Forgets the steps from `position` on: they will be scanned again.
    func forgetQuotes(from position: Int) {
        while quotedStepCount > 0, Int(quotedSteps[quotedStepCount - 1]) >= position { quotedStepCount -= 1 }
    }

    /// Notes that there may be a quote in any of `start ..< end`. Steps noted before it must not lie beyond `start`.
    func noteQuotes(from start: Int, to end: Int) {
        forgetQuotes(from: start)
        for position in stride(from: start, to: end, by: Self.quotedStepBytes) {
            // One entry for 64 bytes of the window.
            quotedSteps[quotedStepCount] = UInt32(truncatingIfNeeded: position)
            quotedStepCount += 1
        }
    }

    /// Calls `body` with each of these records that may have a quote in it, in order. All of them must exist.
    @inline(__always)
    func forEachQuotedRecord(from: Int, count rows: Int, _ body: (Int) -> Void) {
        if !quotesAreListed {
            for record in from..<from + rows { body(record) }
            return
        }
        guard rows > 0, quotedStepCount > 0 else { return }
        var step = firstQuotedStep(endingBeyond: recordStart(from))
        for record in from..<from + rows {
            let end = recordEnd(record)
            if step == quotedStepCount { return }
            if Int(quotedSteps[step]) >= end { continue }
            let start = recordStart(record)
            while step < quotedStepCount, Int(quotedSteps[step]) &+ Self.quotedStepBytes <= start { step &+= 1 }
            if step < quotedStepCount, Int(quotedSteps[step]) < end { body(record) }
        }
    }

    /// By binary search.
    private func firstQuotedStep(endingBeyond position: Int) -> Int {
        var low = 0, high = quotedStepCount
        while low < high {
            let middle = (low + high) / 2
            if Int(quotedSteps[middle]) + Self.quotedStepBytes > position { high = middle } else { low = middle + 1 }
        }
        return low
    }

    // MARK: - Records

    /// Whether these records lie in the window, as the invariant says: asked before spans are made of them.
    func holdsRecords(from: Int, count rows: Int) -> Bool {
        guard from >= 0, rows >= 0, from + rows <= recordCount, lastSeparator >= 0 else { return false }
        let separators = separators, firsts = firstSeparator
        let last = lastSeparator, bytesHeld = count, entries = 2 * capacity + Self.padding
        var isSound = true
        for record in from..<from + rows {
            // Two separators that the invariant makes readable.
            let first = Int(firsts[record])
            guard first + last < entries else { return false }
            let start = Int(separators[first &- 1] &+ 1), end = Int(separators[first &+ last])
            isSound = isSound && start <= end && end <= bytesHeld
        }
        return isSound
    }

    /// Hash of the record's bytes without the blanks and line ends around it: the last row of a file may have no line
    /// end, and is the same row all the same.
    package func contentHash(_ r: Int) -> UInt64 {
        var start = recordStart(r), end = recordEnd(r)
        while end > start, bytes[end &- 1] <= 0x20 { end &-= 1 }
        while start < end, bytes[start] <= 0x20 { start &+= 1 }
        // The window's padding makes the 16 bytes beyond the record readable.
        return TextHash.of(bytes + start, count: end &- start)
    }

    /// The bytes of a record without the blanks and line ends around it.
    package func recordBytes(_ r: Int) -> [UInt8] {
        var start = recordStart(r), end = recordEnd(r)
        while end > start, bytes[end &- 1] <= 0x20 { end &-= 1 }
        while start < end, bytes[start] <= 0x20 { start &+= 1 }
        return Array(UnsafeBufferPointer(start: bytes + start, count: end - start))
    }

    /// Position after the last field of record `r` (before a trailing, empty extra field).
    @inlinable
    @inline(__always)
    package func recordEnd(_ r: Int) -> Int {
        let at = Int(firstSeparator[r]) &+ lastSeparator
        return trimmedDelimiter == 0 ? Int(separators[at]) : trimmedEnd(from: at)
    }

    /// Where the row ends whose separator `at` is one of its own.
    @usableFromInline
    func trimmedEnd(from at: Int) -> Int {
        var at = at
        // The scan has noted the end of every row that it takes.
        while Int(separators[at]) < count, bytes[Int(separators[at])] == trimmedDelimiter { at += 1 }
        return Int(separators[at])
    }

    /// The span of a field that rows may lack; 0 if this one does.
    func trimmedField(_ column: Int, of r: Int) -> UInt64 {
        let first = Int(firstSeparator[r])
        for at in first + lastSeparator..<first + column {
            guard Int(separators[at]) < count, bytes[Int(separators[at])] == trimmedDelimiter else { return 0 }
        }
        return FieldSpan(start: Int(separators[first + column - 1] &+ 1), end: Int(separators[first + column])).packed
    }
}

/// A record that cannot be read as one: where it starts in its window, and why.
package struct RecordFault {
    package var position: Int
    /// How many records of the block come before it.
    package var recordInBlock: Int
    package var reason: RejectReason
    /// Whether it is a line that a broken quote hides: it may be a part of a record, and says nothing by its own shape.
    package var isAfterBrokenQuote = false
}

/// A record whose quoted fields hold whole lines that look like records: two stray quotes may have swallowed them.
package struct SwallowedLines {
    /// Where the record starts in its window.
    package var position: Int
    /// How many records of the block come before it.
    package var recordInBlock: Int
    /// Lines beyond the record's own.
    package var lines: Int
}
