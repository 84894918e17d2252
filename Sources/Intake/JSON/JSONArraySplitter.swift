import CByteScan

/// An element of the array of records: where it lies, as offsets from the start of the document.
package struct JSONElement: Hashable, Sendable {
    package let start: Int
    package let end: Int
    /// Longer than `maximumRecordBytes`: its bytes were not held.
    package let isTooLong: Bool

    package init(start: Int, end: Int, isTooLong: Bool) {
        self.start = start
        self.end = end
        self.isTooLong = isTooLong
    }
}

/// Finds the elements of one array in a document of JSON that comes in pieces, cut anywhere.
///
/// In: successive windows of the document. Out: the extent of each element; its inside is for `JSONRecordParser`.
/// What stands around the elements is checked strictly: the objects on the path to the array and all their other
/// members, commas, brackets, and that nothing follows. Memory does not grow with the document or any part of it.
///
/// An element ends where its brackets balance, so one that is broken otherwise is reported like any other and costs no
/// more than itself. One that never balances ends the document with an error.
package struct JSONArraySplitter: Sendable {
    enum Phase: Sendable, Hashable {
        case around
        /// Between the opening bracket and the first element.
        case first
        /// After a comma.
        case element
        case afterElement
        case container
        case string
        case scalar
    }

    let level: JSONScanLevel
    let maximumRecordBytes: Int
    var finder: JSONPathFinder
    var phase = Phase.around
    var nesting = cjson_nesting(in_string: 0, escape: 0, depth: 0)
    /// The offset of the element that is open.
    var elementStart = 0
    /// How much of a byte order mark was read; nil when there is none.
    private var markBytes: Int? = 0
    /// Everything before this offset was looked at.
    private var scannedTo = 0

    /// `path`: the keys that lead to the array; empty for an array at the top level. `maximumDepth` holds for what
    /// stands around the records.
    package init(
        path: [String] = [], maximumRecordBytes: Int = 1 << 20, maximumDepth: Int = 128, level: JSONScanLevel = .best
    ) {
        self.level = min(level, .best)
        self.maximumRecordBytes = maximumRecordBytes
        finder = JSONPathFinder(path: path, maximumDepth: maximumDepth)
    }

    /// Looks at the next part of the document.
    ///
    /// `window` holds `count` bytes of it from offset `windowOffset` on, all that the call before left unconsumed
    /// included; `isLast` says that the document ends with the window. `emit` gets each element that is complete; its
    /// bytes are in the window unless it is too long. Returns how many bytes of the window are done with; keep the
    /// rest, which is never more than `maximumRecordBytes` and what was added after it, for the next call.
    /// Nothing may be asked after an error.
    package mutating func scan(
        window: UnsafePointer<UInt8>, count: Int, windowOffset: Int, isLast: Bool, emit: (JSONElement) -> Void
    ) throws(JSONSyntaxError) -> Int {
        precondition(
            windowOffset <= scannedTo && windowOffset + count >= scannedTo, "the windows must follow on one another")
        var position = scannedTo - windowOffset
        do throws(JSONFault) {
            position = try byteOrderMark(window, position, count)
            while position < count {
                switch phase {
                case .around: position = try around(window, position, count)
                case .first, .element, .afterElement:
                    position = try betweenElements(window, position, count, windowOffset)
                case .container: position = container(window, position, count, windowOffset, emit)
                case .string: position = string(window, position, count, windowOffset, emit)
                case .scalar: position = scalar(window, position, count, windowOffset, emit)
                }
            }
            scannedTo = windowOffset + position
            if isLast { try finish(at: position, windowOffset) }
        } catch {
            throw JSONSyntaxError(position: windowOffset + error.position, kind: error.kind)
        }
        let isHeld = isInElement && scannedTo - elementStart <= maximumRecordBytes
        return isHeld ? elementStart - windowOffset : position
    }

    private var isInElement: Bool { phase == .container || phase == .string || phase == .scalar }

    /// Moves over a byte order mark before the document; its three bytes may come one by one.
    private mutating func byteOrderMark(
        _ window: UnsafePointer<UInt8>, _ position: Int, _ count: Int
    ) throws(JSONFault) -> Int {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        var position = position
        while let seen = markBytes, seen < mark.count, position < count {
            if window[position] == mark[seen] {
                markBytes = seen + 1
                position += 1
            } else if seen == 0 {
                markBytes = nil
            } else {
                throw JSONFault(position, .valueExpected)
            }
        }
        return position
    }
}
