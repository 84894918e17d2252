import CByteScan

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
        case UInt8(ascii: "]") where phase != .element:
            finder.endArray()
            phase = .around
            return position + 1
        case _ where phase == .afterElement:
            throw JSONFault(position, .commaOrBracketExpected)
        case UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: ":"):
            throw JSONFault(position, .valueExpected)
        default:
            elementStart = windowOffset + position
            start(with: byte)
            // A scalar may be a single byte long: it is looked at from its first byte on.
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
        emit(JSONElement(start: elementStart, end: end, isTooLong: end - elementStart > maximumRecordBytes))
    }

    /// The document ends at `position` of the window: it must be complete.
    func finish(at position: Int, _ windowOffset: Int) throws(JSONFault) {
        switch phase {
        case .around:
            if let kind = finder.faultAtEnd { throw JSONFault(position: position, kind: kind) }
        case .first, .element, .afterElement, .scalar:
            throw JSONFault(position, .unexpectedEnd)
        case .container, .string:
            // Where it began tells more than where the document ends.
            throw JSONFault(elementStart - windowOffset, .unexpectedEnd)
        }
    }
}
