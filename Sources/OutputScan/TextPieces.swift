/// Cuts a text of any format into the pieces that mean something by themselves: strings, cells, texts of elements,
/// values of attributes. One pass over the bytes; no structure is built.
///
/// The text may be any file: what does not follow its format is cut as plain text.
struct TextPieces {
    enum Format {
        /// JSON, or one document of JSON a line.
        case json
        /// HTML and XML.
        case markup
        /// XML of a workbook, where cells have numbers and references to cells.
        case workbook
        case delimited(by: UInt8)
        /// Runs of printable bytes.
        case plain

        /// The format of a file by its first byte, or else by its name.
        init(of bytes: ArraySlice<UInt8>, named name: String) {
            switch bytes.first(where: { $0 > 0x20 }) {
            case UInt8(ascii: "{"), UInt8(ascii: "["): self = .json
            case UInt8(ascii: "<"): self = .markup
            case _ where name.hasSuffix(".csv"): self = .delimited(by: UInt8(ascii: ","))
            case _ where name.hasSuffix(".tsv"): self = .delimited(by: UInt8(ascii: "\t"))
            default: self = .plain
            }
        }
    }

    /// - Parameters:
    ///   - range: the piece in `bytes`, which are the text's own or an unescaped copy.
    ///   - isNumber: whether the piece is a number by itself, as in JSON and in cells.
    ///   - offset: where the piece begins in the text, in bytes.
    typealias Visit = (_ bytes: [UInt8], _ range: Range<Int>, _ isNumber: Bool, _ offset: Int) -> Void

    private let bytes: [UInt8]
    private let end: Int
    private let visit: Visit
    private var at: Int

    static func forEach(in bytes: [UInt8], _ format: Format, _ visit: Visit) {
        withoutActuallyEscaping(visit) { forEach(in: bytes, bytes.indices, format, $0) }
    }

    private static func forEach(in bytes: [UInt8], _ range: Range<Int>, _ format: Format, _ visit: @escaping Visit) {
        var pieces = TextPieces(bytes: bytes, end: range.upperBound, visit: visit, at: range.lowerBound)
        switch format {
        case .json:
            if !pieces.cutJSON() { forEach(in: bytes, range, .plain, visit) }
        case .markup: pieces.cutMarkup(isWorkbook: false)
        case .workbook: pieces.cutMarkup(isWorkbook: true)
        case .delimited(let delimiter): pieces.cutCells(delimiter)
        case .plain: pieces.cutPlain()
        }
    }

    private var byte: UInt8 { at < end ? bytes[at] : 0 }

    private func isByte(_ character: Unicode.Scalar, at place: Int) -> Bool {
        place < end && bytes[place] == UInt8(ascii: character)
    }

    /// The next such byte, or the end of the text.
    private func next(_ mark: UInt8, from start: Int) -> Int { bytes[start..<end].firstIndex(of: mark) ?? end }

    /// Shows a piece, and its meaning if it has escapes.
    private func show(_ range: Range<Int>, isNumber: Bool = false) {
        guard !range.isEmpty else { return }
        visit(bytes, range, isNumber, range.lowerBound)
        if !isNumber, let meaning = Self.unescaped(bytes[range]) {
            visit(meaning, meaning.indices, false, range.lowerBound)
        }
    }

    private mutating func cutPlain() {
        while at < end {
            let stop = bytes[at..<end].firstIndex { $0 < 0x20 || $0 == 0x7F } ?? end
            if stop - at >= SpanCounts.minimumBytes { show(at..<stop) }
            at = stop + 1
        }
    }
}

// CSV and JSON.
extension TextPieces {
    /// RFC 4180. Text between a closing quote and the next delimiter is no CSV, but it is there.
    private mutating func cutCells(_ delimiter: UInt8) {
        while at < end {
            if byte == UInt8(ascii: "\"") {
                let start = at
                var meaning: [UInt8] = []
                at += 1
                while at < end {
                    if byte == UInt8(ascii: "\"") {
                        at += 1
                        if byte != UInt8(ascii: "\"") { break }
                    }
                    if at < end { meaning.append(byte) }
                    at += 1
                }
                visit(meaning, meaning.indices, false, start)
            }
            let start = at
            while at < end, byte != delimiter, byte != 0x0A { at += 1 }
            show(start..<at, isNumber: Self.isShortNumber(bytes[start..<at]))
            at += 1
        }
    }

    /// `-1234.50`, as our writers write numbers: with a point, or of fewer than eight digits. Longer whole numbers do not
    /// occur among counts and may be identifiers.
    private static func isShortNumber(_ cell: ArraySlice<UInt8>) -> Bool {
        let digits = cell.count(where: SpanCounts.isDigit), points = cell.count { $0 == UInt8(ascii: ".") }
        let isPlain = cell.allSatisfy { SpanCounts.isDigit($0) || [0x2D, 0x2E, 0x0D].contains($0) }
        return isPlain && digits > 0 && (points == 1 || (points == 0 && digits < 8))
    }

    /// Strings are shown as text and bare words as numbers.
    ///
    /// - Returns: whether the text is JSON. If it is not, a bare word may be something other than a number.
    private mutating func cutJSON() -> Bool {
        enum Token { case none, string, bare, opening, closing, comma, colon }
        var depth = 0, isJSON = true
        var last = Token.none
        func isAfterValue() -> Bool { last == .string || last == .bare || last == .closing }
        while at < end {
            let start = at
            switch byte {
            case 0x20, 0x0A, 0x0D, 0x09: at += 1
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                isJSON = isJSON && (depth == 0 || !isAfterValue())
                (depth, at, last) = (depth + 1, at + 1, .opening)
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                isJSON = isJSON && depth > 0 && (isAfterValue() || last == .opening)
                (depth, at, last) = (depth - 1, at + 1, .closing)
            case UInt8(ascii: ","):
                isJSON = isJSON && depth > 0 && isAfterValue()
                (at, last) = (at + 1, .comma)
            case UInt8(ascii: ":"):
                isJSON = isJSON && depth > 0 && last == .string
                (at, last) = (at + 1, .colon)
            case UInt8(ascii: "\""):
                isJSON = isJSON && (depth == 0 || !isAfterValue())
                at += 1
                while at < end, byte != UInt8(ascii: "\"") {
                    let isEscape = byte == UInt8(ascii: "\\")
                    if isEscape { isJSON = isJSON && isWholeEscape(at: at + 1) }
                    at += isEscape ? 2 : 1
                }
                isJSON = isJSON && at < end
                show(start + 1..<min(at, end))
                (at, last) = (at + 1, .string)
            default:
                while at < end, SpanCounts.isWordByte(byte) || [0x2B, 0x2D, 0x2E].contains(byte) { at += 1 }
                let isWord = Self.isBareWord(bytes[start..<at])
                isJSON = isJSON && isWord && (depth == 0 || !isAfterValue())
                show(start..<at, isNumber: isWord && depth > 0)
                (at, last) = (max(at, start + 1), .bare)
            }
        }
        return isJSON && depth == 0 && last != .none
    }

    /// Whether a `u` after a backslash has four hexadecimal digits.
    private func isWholeEscape(at mark: Int) -> Bool {
        guard isByte("u", at: mark) else { return true }
        let digits = bytes[(mark + 1)..<max(mark + 1, min(mark + 5, end))]
        return digits.count == 4 && digits.allSatisfy { SpanCounts.isDigit($0) || ($0 | 0x20) &- 0x61 < 6 }
    }

    /// A number, `true`, `false` or `null`.
    private static func isBareWord(_ word: ArraySlice<UInt8>) -> Bool {
        let text = String(decoding: word, as: UTF8.self)
        return word.contains(where: SpanCounts.isDigit)
            ? Double(text) != nil : ["true", "false", "null"].contains(text)
    }
}

// HTML and XML.
extension TextPieces {
    /// Attributes of drawings, which are rows of numbers.
    private static let drawing: Set = ["d", "points", "viewBox", "transform"]
    /// Attributes of a workbook that hold references to cells.
    private static let references: Set = ["r", "ref", "sqref", "spans", "topLeftCell", "activeCell"]

    /// Texts, comments, and what is between `<` and `>`.
    private mutating func cutMarkup(isWorkbook: Bool) {
        var tag = ""
        while at < end {
            if byte != UInt8(ascii: "<") {
                let stop = next(UInt8(ascii: "<"), from: at)
                switch isWorkbook ? tag : "" {
                case "v": show(at..<stop, isNumber: true)
                case "f":
                    let formula = Self.unescaped(bytes[at..<stop]) ?? Array(bytes[at..<stop])
                    for piece in CellReferences.rest(of: formula, formula.indices) { visit(formula, piece, false, at) }
                default: show(at..<stop)
                }
                at = stop
            } else if isByte("!", at: at + 1) {
                let stop = next(UInt8(ascii: ">"), from: at)
                show(min(at + 2, stop)..<stop)
                at = stop + 1
            } else {
                tag = cutTag(isWorkbook: isWorkbook)
                if ["script", "style"].contains(tag.lowercased()), at < end { cutRawText(in: tag) }
            }
        }
    }

    /// - Returns: the name of the tag.
    private mutating func cutTag(isWorkbook: Bool) -> String {
        let start = at + 1
        at = bytes[start..<end].firstIndex { $0 <= 0x20 || $0 == UInt8(ascii: ">") } ?? end
        let tag = String(decoding: bytes[start..<at].prefix(40), as: UTF8.self)
        // What is in a tag and is no value.
        var rest = start
        while at < end, byte != UInt8(ascii: ">") {
            guard byte == UInt8(ascii: "=") else {
                at += 1
                continue
            }
            let name = String(
                decoding: bytes[rest..<at].suffix(40).split(whereSeparator: { $0 <= 0x20 }).last ?? [], as: UTF8.self)
            show(rest..<at)
            at += 1
            let value: Range<Int>
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                value = at + 1..<next(byte, from: at + 1)
                at = min(value.upperBound + 1, end)
            } else {
                value = at..<(bytes[at..<end].firstIndex { $0 <= 0x20 || $0 == UInt8(ascii: ">") } ?? end)
                at = value.upperBound
            }
            rest = at
            let isReference =
                isWorkbook && Self.references.contains(name) && CellReferences.areAll(in: bytes[value])
            let isNumber =
                isWorkbook && bytes[value].allSatisfy { SpanCounts.isDigit($0) || [0x2D, 0x2E].contains($0) }
            if !isReference { show(value, isNumber: isNumber || Self.drawing.contains(name)) }
        }
        show(rest..<min(at, end))
        at += 1
        return tag
    }

    /// The content of a `script` or `style`, which has no markup and no entities and ends with its own end tag alone:
    /// data as JSON, all else as plain text.
    private mutating func cutRawText(in tag: String) {
        let mark = Array("</\(tag.lowercased())".utf8)
        var stop = at
        while stop < end, !bytes[stop..<min(stop + mark.count, end)].map(SpanCounts.lowercased).elementsEqual(mark) {
            stop = stop + 1 < end ? next(mark[0], from: stop + 1) : end
        }
        let format = Format(of: bytes[at..<stop], named: "")
        var isData = false
        if case .json = format { isData = true }
        Self.forEach(in: bytes, at..<stop, isData ? .json : .plain, visit)
        at = stop
    }
}

// Escapes of all formats.
extension TextPieces {
    private static let entities = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ", "commat": "@", "period": ".",
        "hyphen": "-", "lpar": "(", "rpar": ")", "plus": "+", "sol": "/",
    ]

    /// The piece without escapes: backslashes as in JSON, entities as in HTML and XML. Nil if it has neither.
    private static func unescaped(_ piece: ArraySlice<UInt8>) -> [UInt8]? {
        guard piece.contains(where: { $0 == UInt8(ascii: "\\") || $0 == UInt8(ascii: "&") }) else { return nil }
        var meaning: [UInt16] = []
        var rest = Array(String(decoding: piece, as: UTF8.self).utf16)[...]
        while let unit = rest.popFirst() {
            if unit == 0x5C, let mark = rest.popFirst() {
                let digits = String(decoding: rest.prefix(4), as: UTF16.self)
                if mark == 0x75, digits.utf8.count == 4, let code = UInt16(digits, radix: 16) {
                    meaning.append(code)
                    rest = rest.dropFirst(4)
                } else {
                    meaning.append("nrtbf".utf16.contains(mark) ? 0x20 : mark)
                }
            } else if unit == 0x26, let stop = rest.prefix(12).firstIndex(of: 0x3B),
                let text = entity(String(decoding: rest[..<stop], as: UTF16.self))
            {
                meaning += text.utf16
                rest = rest[(stop + 1)...]
            } else {
                meaning.append(unit)
            }
        }
        return Array(String(decoding: meaning, as: UTF16.self).utf8)
    }

    private static func entity(_ name: String) -> String? {
        guard name.hasPrefix("#") else { return entities[name] }
        let digits = name.dropFirst()
        let code = digits.first == "x" || digits.first == "X" ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        return code.flatMap(Unicode.Scalar.init).map { String($0) }
    }
}

/// References to cells, such as `C1000`. Many identifiers look the same.
enum CellReferences {
    /// Excel's last row.
    private static let lastRow = 1_048_576

    /// References to cells and areas, such as `C1000` or `A5:K17 M5`.
    static func areAll(in text: ArraySlice<UInt8>) -> Bool {
        text.split { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: " ") }.allSatisfy(isOne)
    }

    /// One to three capitals, and a row that a sheet has.
    private static func isOne(_ text: ArraySlice<UInt8>) -> Bool {
        let letters = text.prefix { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
        let digits = text.dropFirst(letters.count)
        guard (1...3).contains(letters.count), (1...7).contains(digits.count), digits.first != UInt8(ascii: "0"),
            digits.allSatisfy(SpanCounts.isDigit)
        else { return false }
        return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) } <= lastRow
    }

    /// The parts of a formula that are no references. Text in quotes is no reference, whatever it looks like.
    static func rest(of bytes: [UInt8], _ formula: Range<Int>) -> [Range<Int>] {
        var pieces: [Range<Int>] = []
        var start = formula.lowerBound, at = start
        // The mark that ends the text that has begun.
        var quote: UInt8?
        while at < formula.upperBound {
            if let open = quote {
                if bytes[at] == open { quote = nil }
                at += 1
                continue
            }
            guard SpanCounts.isWordByte(bytes[at]) else {
                if bytes[at] == UInt8(ascii: "\"") || bytes[at] == UInt8(ascii: "'") { quote = bytes[at] }
                at += 1
                continue
            }
            let end = bytes[at..<formula.upperBound].firstIndex { !SpanCounts.isWordByte($0) } ?? formula.upperBound
            if isOne(bytes[at..<end]) {
                pieces.append(start..<at)
                start = end
            }
            at = end
        }
        pieces.append(start..<formula.upperBound)
        return pieces.filter { !$0.isEmpty }
    }
}
