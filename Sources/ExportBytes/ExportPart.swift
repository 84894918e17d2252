/// Where a record of a file starts, and in what state: what one part of an export tells the next.
package struct RecordStart: Sendable, Hashable {
    package var offset: Int
    /// A quote is broken before it: the next record starts at the next line that reads as one.
    package var isResuming: Bool

    package init(offset: Int, isResuming: Bool = false) {
        self.offset = offset
        self.isResuming = isResuming
    }

    /// The offset, doubled, plus 1 if it is resuming.
    init(packed: Int) {
        offset = packed >> 1
        isResuming = packed & 1 != 0
    }

    var packed: Int { offset << 1 | (isResuming ? 1 : 0) }
}

/// A part of an export that is read by itself, as on another machine: the records that start in it.
///
/// A part whose first record is not known guesses that it starts after the first line end. The part before it ends where that
/// record truly starts, so the reader of all parts can compare. A part that guessed wrong is read again with its true start. Then the
/// parts have the records of the whole export, each once.
package struct ExportPart: Sendable, Hashable {
    /// Bytes of the file; at least one.
    package let bytes: Range<Int>
    /// Where its first record starts, not before `bytes`; nil: not known.
    package let start: RecordStart?

    /// Nil for a range without bytes, or a start before it.
    package init?(bytes: Range<Int>, start: RecordStart? = nil) {
        guard bytes.lowerBound >= 0, !bytes.isEmpty, start.map({ $0.offset >= bytes.lowerBound }) ?? true else {
            return nil
        }
        self.bytes = bytes
        self.start = start
    }

    /// Whether its bytes begin, and its first record starts, within a file of this size.
    package func isWithin(fileBytes: Int) -> Bool {
        bytes.lowerBound < fileBytes && start.map { $0.offset <= fileBytes } ?? true
    }
}

/// What was read of a part.
package struct ExportPartBounds: Sendable, Hashable {
    /// Of the first record, perhaps a guess.
    package var start: RecordStart
    /// Of the first record after the part.
    package var end: RecordStart

    package init(start: RecordStart, end: RecordStart) {
        self.start = start
        self.end = end
    }
}
