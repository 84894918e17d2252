/// Takes a text of JSON value by value, from a stream: strict about what is between the values, while their insides
/// are copied for the record parser to judge.
struct JSONPull {
    private var source: any ByteStream
    private let file: String
    private let capacity: Int
    private var place = 0
    private var filled = 0
    /// Offset of the next byte in the text.
    private(set) var offset: Int
    /// Commas with nothing after them.
    private(set) var trailingCommas = 0
    private var chunk: [UInt8] = []

    init(_ source: any ByteStream, file: String, offset: Int = 0, capacity: Int = 1 << 16) {
        self.source = source
        self.file = file
        self.offset = offset
        self.capacity = capacity
    }

    // MARK: - Bytes

    /// The next byte; nil at the end.
    mutating func peek() throws(ExportError) -> UInt8? {
        if place == filled { try fill() }
        return place < filled ? chunk[place] : nil
    }

    private mutating func fill() throws(ExportError) {
        chunk = try source.take(capacity)
        place = 0
        filled = chunk.count
    }

    private mutating func skip() {
        place += 1
        offset += 1
    }

    mutating func peekNonBlank() throws(ExportError) -> UInt8? {
        while let byte = try peek() {
            guard JSONStreamMachine.isWhitespace(byte) else { return byte }
            skip()
        }
        return nil
    }

    /// Whether the next byte that is not blank is this one; then it is taken.
    mutating func take(_ byte: UInt8) throws(ExportError) -> Bool {
        guard try peekNonBlank() == byte else { return false }
        skip()
        return true
    }

    mutating func expect(_ byte: UInt8, _ kind: JSONFault.Kind) throws(ExportError) {
        guard try take(byte) else { throw try fault(kind) }
    }

    mutating func fault(_ kind: JSONFault.Kind) throws(ExportError) -> ExportError {
        let isEnd = try peek() == nil
        return (isEnd && kind != .pathMissing ? .unexpectedEnd : kind).error(file: file, offset: offset)
    }

    // MARK: - Values

    /// Copies the value that begins here: line ends between its tokens become blanks, and one within a text a control
    /// character, which no text may hold. What goes beyond `most` bytes is not kept.
    mutating func copy(into out: inout [UInt8], most: Int) throws(ExportError) {
        var depth = 0
        var isInText = false, isEscaped = false
        guard let first = try peekNonBlank() else { throw try fault(.unexpectedEnd) }
        let isScalar = first != UInt8(ascii: "{") && first != UInt8(ascii: "[") && first != UInt8(ascii: "\"")
        while let byte = try peek() {
            if isInText {
                if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") {
                    // No text goes on beyond its line: the record is broken, and its brackets are counted again.
                    append(0x01, to: &out, most)
                    append(UInt8(ascii: "\""), to: &out, most)
                    isInText = false
                    skip()
                    if depth == 0 { return }
                    continue
                }
                append(byte, to: &out, most)
                skip()
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInText = false
                    if depth == 0 { return }
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isInText = true
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                if isScalar { return }
                depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if isScalar { return }
                depth -= 1
                append(byte, to: &out, most)
                skip()
                if depth == 0 { return }
                continue
            case UInt8(ascii: ","), UInt8(ascii: ":"), 0x20, 0x0A, 0x0D, 0x09:
                if isScalar { return }
            default: break
            }
            append(byte < 0x20 && JSONStreamMachine.isWhitespace(byte) ? 0x20 : byte, to: &out, most)
            skip()
        }
        if !isScalar { throw try fault(.unexpectedEnd) }
    }

    private func append(_ byte: UInt8, to out: inout [UInt8], _ most: Int) {
        if out.count <= most { out.append(byte) }
    }

    /// Passes over the value that begins here.
    mutating func skipValue() throws(ExportError) {
        var none: [UInt8] = []
        try copy(into: &none, most: -1)
    }

    // MARK: - Containers

    /// The key of the next member of the object that was entered, in its quotes; nil where the object ends. Its value
    /// is next.
    mutating func nextKey(isFirst: Bool) throws(ExportError) -> [UInt8]? {
        if try take(UInt8(ascii: "}")) { return nil }
        if !isFirst {
            try expect(UInt8(ascii: ","), .commaOrBraceExpected)
            if try take(UInt8(ascii: "}")) {
                trailingCommas += 1
                return nil
            }
        }
        guard try peekNonBlank() == UInt8(ascii: "\"") else { throw try fault(.keyExpected) }
        var key: [UInt8] = []
        try copy(into: &key, most: 1 << 12)
        try expect(UInt8(ascii: ":"), .colonExpected)
        return key
    }

    /// Whether the array that was entered has another element.
    mutating func nextElement(isFirst: Bool) throws(ExportError) -> Bool {
        if try take(UInt8(ascii: "]")) { return false }
        if isFirst { return true }
        try expect(UInt8(ascii: ","), .commaOrBracketExpected)
        if try take(UInt8(ascii: "]")) {
            trailingCommas += 1
            return false
        }
        return true
    }

    /// A key, in quotes as it is written, as text.
    static func text(of key: [UInt8]) -> String {
        let inner = Array(key.dropFirst().dropLast())
        return inner.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return "" }
            return String(decoding: JSONString.unescape(base, from: 0, to: buffer.count), as: UTF8.self)
        }
    }
}
