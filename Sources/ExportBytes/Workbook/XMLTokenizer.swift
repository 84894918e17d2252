import Foundation

/// The tags and texts of an XML part in order, read from a stream: no tree, no string for each of them.
///
/// Namespace prefixes are left out of names. Comments and instructions are passed over. A document type is refused: it could
/// define entities.
struct XMLTokenizer: ~Copyable {
    enum Token {
        case open, close, text
        /// `<c/>`: opens and closes.
        case empty
        case end
    }

    /// More bytes of one tag or text are refused.
    private static let mostBytes = 8 << 20

    private var stream: any ByteStream
    private let part: String
    private let file: String
    /// Valid from 0 to `filled`.
    private(set) var bytes: UnsafeMutablePointer<UInt8>
    private var capacity = 1 << 18
    private var at = 0
    private var filled = 0
    private var isAtEnd = false
    /// The name of the last tag, without its prefix: see `XMLName`.
    private var key: UInt64 = 0
    /// Of the last tag, and of the last text: positions in `bytes`, until the next call.
    private(set) var attributes = 0..<0
    private(set) var text = 0..<0
    /// The text is of a CDATA section: it has no entities.
    private(set) var isVerbatim = false

    /// - Parameter part: of the workbook, for messages.
    init(_ stream: any ByteStream, part: String, file: String) {
        self.stream = stream
        self.part = part
        self.file = file
        bytes = .allocate(capacity: capacity)
    }

    deinit { bytes.wipeAndDeallocate(count: capacity) }

    mutating func next() throws(ExportError) -> Token {
        while true {
            if at == filled { guard try refill(keeping: at) else { return .end } }
            guard bytes[at] == UInt8(ascii: "<") else {
                guard hasBegun || bytes[at] < 0xFE else { throw wrongEncoding("UTF-16") }
                return try nextText()
            }
            // The longest beginning that is distinguished: `<![CDATA[`.
            while filled - at < 9, try refill(keeping: at) {}
            if filled - at > 1, bytes[at + 1] != UInt8(ascii: "!"), bytes[at + 1] != UInt8(ascii: "?") {
                return try nextTag()
            }
            if has("<!--", at: at) {
                try pass("-->", after: 4)
            } else if has("<![CDATA[", at: at) {
                let start = try pass("]]>", after: 9)
                text = start + 9..<at - 3
                isVerbatim = true
                return .text
            } else if has("<?", at: at) {
                let start = try pass("?>", after: 2)
                try checkEncoding(start..<at)
            } else if has("<!", at: at) {
                throw fault("it has a document type, which no spreadsheet program writes")
            } else {
                throw fault("it ends within a tag")
            }
        }
    }

    /// - Parameter range: of an instruction, such as `<?xml version="1.0" encoding="UTF-8"?>`.
    private func checkEncoding(_ range: Range<Int>) throws(ExportError) {
        let text = String(decoding: allBytes[range], as: UTF8.self).lowercased()
        guard text.hasPrefix("<?xml"), let stated = text.firstMatch(of: /encoding\s*=\s*["']([a-z0-9._-]+)["']/) else {
            return
        }
        guard ["utf-8", "utf8", "us-ascii", "ascii"].contains(stated.1) else {
            throw wrongEncoding(stated.1.uppercased())
        }
    }

    private func wrongEncoding(_ name: String) -> ExportError {
        fault("it is in \(name), and workbooks are in UTF-8")
    }

    private mutating func nextText() throws(ExportError) -> Token {
        var searched = at
        while true {
            // `searched..<filled` lies in the filled part of `bytes`.
            if let found = memchr(bytes + searched, 0x3C, filled - searched) {
                let end = bytes.distance(to: found.assumingMemoryBound(to: UInt8.self))
                text = at..<end
                isVerbatim = false
                at = end
                return .text
            }
            searched = filled - at
            guard try refill(keeping: at) else {
                let areBlanks = allBytes[at...].allSatisfy { $0 <= 0x20 }
                guard areBlanks || !hasBegun else { throw fault("it ends within a text") }
                at = filled
                return .end
            }
        }
    }

    /// Whether a tag was read.
    private var hasBegun = false

    private mutating func nextTag() throws(ExportError) -> Token {
        var end = at + 1
        var quote: UInt8 = 0
        while true {
            // Positions below `filled` are in the filled part of `bytes`.
            let bytes = bytes, filled = filled
            while end < filled {
                let byte = bytes[end]
                if quote != 0 {
                    if byte == quote { quote = 0 }
                } else if byte == 0x22 || byte == 0x27 {
                    quote = byte
                } else if byte == 0x3E {
                    return take(tagEnd: end)
                }
                end += 1
            }
            let done = end - at
            guard try refill(keeping: at) else { throw fault("it ends within a tag") }
            end = at + done
        }
    }

    /// - Parameter end: of its `>`.
    private mutating func take(tagEnd end: Int) -> Token {
        let isClose = bytes[at + 1] == UInt8(ascii: "/")
        let isEmpty = !isClose && bytes[end - 1] == UInt8(ascii: "/")
        var first = at + (isClose ? 2 : 1)
        let last = isEmpty ? end - 1 : end
        var stop = first
        while stop < last, bytes[stop] > 0x20 {
            if bytes[stop] == UInt8(ascii: ":") { first = stop + 1 }
            stop += 1
        }
        var key = UInt64(stop - first) << 56
        for place in first..<min(stop, first + 7) { key |= UInt64(bytes[place]) << UInt64((place - first) * 8) }
        self.key = key
        attributes = stop..<last
        at = end + 1
        hasBegun = true
        return isClose ? .close : isEmpty ? .empty : .open
    }

    /// Goes to the end of what is passed over.
    ///
    /// - Parameter start: bytes of its beginning, which are not those of its end.
    /// - Returns: where it began.
    @discardableResult
    private mutating func pass(_ end: StaticString, after start: Int) throws(ExportError) -> Int {
        var searched = start
        while true {
            var from = at + searched
            while from + end.utf8CodeUnitCount <= filled {
                if memcmp(bytes + from, end.utf8Start, end.utf8CodeUnitCount) == 0 {
                    let began = at
                    at = from + end.utf8CodeUnitCount
                    return began
                }
                from += 1
            }
            searched = from - at
            guard try refill(keeping: at) else { throw fault("it ends within a comment") }
        }
    }

    /// Reads on. The bytes from `start` on are moved to the front: `at` becomes 0.
    ///
    /// - Returns: false at the end.
    private mutating func refill(keeping start: Int) throws(ExportError) -> Bool {
        guard !isAtEnd else { return false }
        let kept = filled - start
        if kept == capacity {
            guard capacity < Self.mostBytes else { throw fault("one value of it is longer than 8 MiB") }
            let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity * 2)
            larger.update(from: bytes + start, count: kept)
            bytes.wipeAndDeallocate(count: capacity)
            bytes = larger
            capacity *= 2
        } else if start > 0 {
            memmove(bytes, bytes + start, kept)
        }
        at = 0
        filled = kept
        // `bytes` has room for `capacity - filled` more.
        let got = try stream.read(into: bytes + filled, count: capacity - filled)
        filled += got
        isAtEnd = got == 0
        return got > 0
    }

    func fault(_ problem: String) -> ExportError { .workbook(file, "\(part): \(problem)") }

    func error(_ problem: String, _ remedy: String) -> ExportError {
        ExportError(kind: .malformed, file: file, problem: "\(part): \(problem)", remedy: remedy)
    }

    // MARK: - Plain cells

    /// Where the attributes `r`, `s` and `t` of a cell are.
    struct CellAttributes {
        var reference: Range<Int>?
        var style: Range<Int>?
        var type: Range<Int>?
    }

    /// What is around the value of a plain cell.
    enum PlainValue { case value, inlineText }

    /// Takes a whole cell of the form that nearly all programs write, `<c r="B2" s="1"><v>45671.5</v></c>` or with `<is><t>`, and makes
    /// its value the last text. Anything else, or a cell that is not whole in memory, is left for `next`, which reads each cell alike.
    ///
    /// - Returns: nil: nothing was taken.
    mutating func takePlainCell(_ attributes: inout CellAttributes) -> PlainValue? {
        guard has("<c ", at: at) else { return nil }
        // Positions below `filled` are in the filled part of `bytes`.
        let bytes = bytes, filled = filled
        var place = at + 3
        while true {
            // The name of an attribute, its equals sign and quote, and one byte behind them.
            guard place + 3 < filled, bytes[place + 1] == UInt8(ascii: "="), bytes[place + 2] == 0x22 else {
                return nil
            }
            let name = bytes[place], first = place + 3
            place = first
            while place < filled, bytes[place] != 0x22 { place += 1 }
            let value = first..<place
            switch name {
            case UInt8(ascii: "r"): attributes.reference = value
            case UInt8(ascii: "s"): attributes.style = value
            case UInt8(ascii: "t"): attributes.type = value
            default: return nil
            }
            place += 1
            guard place < filled else { return nil }
            let byte = bytes[place]
            place += 1
            if byte == UInt8(ascii: ">") { break }
            guard byte == 0x20 else { return nil }
        }
        let kind: PlainValue
        if has("<v>", at: place) {
            kind = .value
            place += 3
        } else if has("<is><t>", at: place) {
            kind = .inlineText
            place += 7
        } else {
            return nil
        }
        let first = place
        while place < filled, bytes[place] != UInt8(ascii: "<") { place += 1 }
        let value = first..<place
        switch kind {
        case .value:
            guard has("</v></c>", at: place) else { return nil }
            at = place + 8
        case .inlineText:
            guard has("</t></is></c>", at: place) else { return nil }
            at = place + 13
        }
        text = value
        isVerbatim = false
        return kind
    }

    @inline(__always)
    private func has(_ text: StaticString, at place: Int) -> Bool {
        filled - place >= text.utf8CodeUnitCount && memcmp(bytes + place, text.utf8Start, text.utf8CodeUnitCount) == 0
    }

    // MARK: - What the last token is

    @inline(__always)
    func isNamed(_ name: XMLName) -> Bool { key == name.key }

    func cellAttributes() -> CellAttributes {
        var found = CellAttributes()
        forEachAttribute { name, value in
            guard name.count == 1 else { return true }
            switch bytes[name.lowerBound] {
            case UInt8(ascii: "r"): found.reference = value
            case UInt8(ascii: "s"): found.style = value
            case UInt8(ascii: "t"): found.type = value
            default: break
            }
            return true
        }
        return found
    }

    /// Where the value of an attribute of the last tag is; nil: it has none of this name. Prefixes do not count.
    func attribute(_ wanted: StaticString) -> Range<Int>? {
        var found: Range<Int>?
        forEachAttribute { name, value in
            guard name.count == wanted.utf8CodeUnitCount,
                memcmp(bytes + name.lowerBound, wanted.utf8Start, name.count) == 0
            else { return true }
            found = value
            return false
        }
        return found
    }

    /// Calls the closure with names, without prefixes, and values, until it returns false.
    @inline(__always)
    private func forEachAttribute(_ body: (_ name: Range<Int>, _ value: Range<Int>) -> Bool) {
        // Positions below `last` are in the filled part of `bytes`.
        let bytes = bytes, last = attributes.upperBound
        var place = attributes.lowerBound
        while place < last {
            while place < last, bytes[place] <= 0x20 { place += 1 }
            var first = place
            while place < last, bytes[place] != UInt8(ascii: "="), bytes[place] > 0x20 {
                if bytes[place] == UInt8(ascii: ":") { first = place + 1 }
                place += 1
            }
            let name = first..<place
            while place < last, bytes[place] != 0x22, bytes[place] != 0x27 { place += 1 }
            guard place < last else { return }
            let quote = bytes[place], value = place + 1
            place = value
            while place < last, bytes[place] != quote { place += 1 }
            guard body(name, value..<place) else { return }
            place += 1
        }
    }

    /// The value of an attribute as text, its entities resolved.
    func string(_ wanted: StaticString) -> String? {
        attribute(wanted).map { range in
            var text: [UInt8] = []
            XMLText.append(
                UnsafeBufferPointer(rebasing: UnsafeBufferPointer(start: bytes, count: filled)[range]), to: &text)
            return String(decoding: text, as: UTF8.self)
        }
    }

    /// Nil where it is missing or no whole number.
    func number(_ wanted: StaticString) -> Int? { attribute(wanted).flatMap { number($0) } }

    /// A whole number of at most nine digits.
    func number(_ range: Range<Int>) -> Int? {
        guard (1...9).contains(range.count) else { return nil }
        var number = 0
        for place in range {
            let digit = bytes[place] &- 0x30
            guard digit <= 9 else { return nil }
            number = number * 10 + Int(digit)
        }
        return number
    }

    /// All that is filled; what a range of the last token names is in it.
    var allBytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: bytes, count: filled) }

    /// The last text without the blanks around it, for values that are no texts.
    var value: Range<Int> {
        var first = text.lowerBound, end = text.upperBound
        while first < end, bytes[first] <= 0x20 { first += 1 }
        while first < end, bytes[end - 1] <= 0x20 { end -= 1 }
        return first..<end
    }

    /// Whether these bytes of the last token are this text.
    @inline(__always)
    func isWritten(_ text: StaticString, at range: Range<Int>) -> Bool {
        range.count == text.utf8CodeUnitCount && memcmp(bytes + range.lowerBound, text.utf8Start, range.count) == 0
    }

    /// Bytes of the last token, as they are written.
    func written(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: bytes + range.lowerBound, count: range.count)
    }
}

extension XMLTokenizer {
    /// Appends the last text, its entities resolved.
    func appendText(to target: inout [UInt8]) {
        let source = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(start: bytes, count: text.upperBound)[text])
        if source.contains(where: { $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: "\r") }) {
            XMLText.append(source, isVerbatim: isVerbatim, to: &target)
        } else {
            target.append(contentsOf: source)
        }
    }
}
