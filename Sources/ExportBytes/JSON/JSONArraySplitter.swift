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

    let level: ScanLevel
    let maximumRecordBytes: Int
    var finder: JSONPathFinder
    var phase = Phase.around
    var nesting = cjson_nesting(in_string: 0, escape: 0, depth: 0)
    /// A comma too many after the last element.
    private var commasBeforeEnd = 0
    /// The offset of the element that is open.
    var elementStart = 0
    /// Everything before this offset was scanned.
    private var scannedTo = 0

    /// `path`: the keys that lead to the array; empty for an array at the top level.
    package init(path: [String] = [], maximumRecordBytes: Int = 1 << 20, level: ScanLevel = .best) {
        self.level = min(level, .best)
        self.maximumRecordBytes = maximumRecordBytes
        finder = JSONPathFinder(path: path)
    }

    /// Commas with nothing after them, around the elements.
    package var trailingCommas: Int { commasBeforeEnd + finder.machine.trailingCommas }

    /// Arrays of objects beside the elements' own.
    package var otherLists: Int { finder.otherLists }

    /// What is around the elements.
    package var envelope: JSONEnvelope { finder.envelope }

    /// Looks at the next part of the document.
    ///
    /// `window` holds `count` bytes of it from offset `windowOffset` on, all that the call before left unconsumed
    /// included; `isLast` says that the document ends with the window. `emit` gets each element that is complete; its
    /// bytes are in the window unless it is too long. Returns how many bytes of the window are done with; keep the
    /// rest, which is never more than `maximumRecordBytes` and what was added after it, for the next call.
    /// Nothing may be asked after an error.
    package mutating func scan(
        window: UnsafePointer<UInt8>, count: Int, windowOffset: Int, isLast: Bool, emit: (JSONElement) -> Void
    ) throws(JSONFault) -> Int {
        precondition(
            windowOffset <= scannedTo && windowOffset + count >= scannedTo, "the windows must follow on one another")
        var position = scannedTo - windowOffset
        do throws(JSONFault) {
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
            throw JSONFault(windowOffset + error.position, error.kind)
        }
        let isHeld = isInElement && scannedTo - elementStart <= maximumRecordBytes
        return isHeld ? elementStart - windowOffset : position
    }

    private var isInElement: Bool { phase == .container || phase == .string || phase == .scalar }
}

// MARK: - Phases

/// One function per phase: each takes the window from `position` on and returns where it stopped, or `count`.
extension JSONArraySplitter {
    mutating func around(
        _ window: UnsafePointer<UInt8>, _ position: Int, _ count: Int
    ) throws(JSONFault) -> Int {
        let found = try finder.scan(window, from: position, to: count)
        if found.isArray { phase = .first }
        return found.position
    }

    /// Takes what stands before an element, and starts the element, or ends the array.
    mutating func betweenElements(
        _ window: UnsafePointer<UInt8>, _ position: Int, _ count: Int, _ windowOffset: Int
    ) throws(JSONFault) -> Int {
        var position = position
        while position < count, JSONStreamMachine.isWhitespace(window[position]) { position += 1 }
        guard position < count else { return count }
        let byte = window[position]
        switch byte {
        case UInt8(ascii: ",") where phase == .afterElement:
            phase = .element
            return position + 1
        case UInt8(ascii: "]"):
            if phase == .element { commasBeforeEnd += 1 }
            finder.endArray()
            phase = .around
            return position + 1
        case _ where phase == .afterElement:
            throw JSONFault(position, .commaOrBracketExpected)
        case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: ":"):
            throw JSONFault(position, .valueExpected)
        default:
            elementStart = windowOffset + position
            start(with: byte)
            // A scalar may be a single byte long: it is scanned from its first byte on.
            return phase == .scalar ? position : position + 1
        }
    }

    private mutating func start(with byte: UInt8) {
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            nesting = cjson_nesting(in_string: 0, escape: 0, depth: 1)
            phase = .container
        case UInt8(ascii: "\""):
            nesting = cjson_nesting(in_string: 0, escape: 0, depth: 0)
            phase = .string
        default:
            phase = .scalar
        }
    }

    mutating func container(
        _ window: UnsafePointer<UInt8>, _ position: Int, _ count: Int, _ windowOffset: Int,
        _ emit: (JSONElement) -> Void
    ) -> Int {
        let close = cjson_find_close(level.rawValue, window, position, count, &nesting)
        guard close < count else { return count }
        end(at: windowOffset + close + 1, emit)
        return close + 1
    }

    /// A string among the records, which the record parser will refuse. A raw newline ends it, as everywhere.
    mutating func string(
        _ window: UnsafePointer<UInt8>, _ position: Int, _ count: Int, _ windowOffset: Int,
        _ emit: (JSONElement) -> Void
    ) -> Int {
        for place in position..<count {
            let byte = window[place]
            if byte == UInt8(ascii: "\n") || (byte == UInt8(ascii: "\"") && nesting.escape == 0) {
                end(at: windowOffset + place + 1, emit)
                return place + 1
            }
            nesting.escape = byte == UInt8(ascii: "\\") && nesting.escape == 0 ? 1 : 0
        }
        return count
    }

    /// A number, a literal or a wrong word among the records, up to what cannot belong to it.
    mutating func scalar(
        _ window: UnsafePointer<UInt8>, _ position: Int, _ count: Int, _ windowOffset: Int,
        _ emit: (JSONElement) -> Void
    ) -> Int {
        for place in position..<count {
            switch window[place] {
            case 0x20, 0x0A, 0x0D, 0x09, UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "\""), UInt8(ascii: "["),
                UInt8(ascii: "]"), UInt8(ascii: "{"), UInt8(ascii: "}"):
                end(at: windowOffset + place, emit)
                return place
            default: continue
            }
        }
        return count
    }

    private mutating func end(at end: Int, _ emit: (JSONElement) -> Void) {
        phase = .afterElement
        finder.countElement()
        emit(JSONElement(start: elementStart, end: end, isTooLong: end - elementStart > maximumRecordBytes))
    }

    /// The document ends at `position` of the window: it must be complete.
    func finish(at position: Int, _ windowOffset: Int) throws(JSONFault) {
        switch phase {
        case .around:
            if let kind = finder.faultAtEnd { throw JSONFault(position, kind) }
        case .first, .element, .afterElement, .scalar:
            throw JSONFault(position, .unexpectedEnd)
        case .container, .string:
            // Its start is more useful than the end of the document.
            throw JSONFault(elementStart - windowOffset, .unexpectedEnd)
        }
    }
}
