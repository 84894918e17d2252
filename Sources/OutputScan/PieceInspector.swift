import Basics

/// Inspects one piece of text at a time: shapes first, then identifiers of the run.
struct PieceInspector {
    private let shapes: ShapeFinder
    private let identifiers: IdentifierSet?
    /// Hashes of texts that are public: names of regions and the like, whatever columns hold the same.
    private let publicTexts: Set<IdentifierCode>

    init(ownDays: Set<CivilDay>, showsDates: Bool, identifiers: IdentifierSet?, publicTexts: [String]) {
        shapes = ShapeFinder(ownDays: ownDays, showsDates: showsDates)
        self.identifiers = identifiers.flatMap { $0.count > 0 ? $0 : nil }
        var known: Set<IdentifierCode> = []
        if let hash = identifiers?.hash {
            for text in publicTexts {
                let bytes = Array(text.utf8)
                Self.forEachSpan(of: bytes, bytes.indices, by: hash) { code, _ in
                    known.insert(code)
                    return false
                }
            }
        }
        self.publicTexts = known
    }

    /// - Parameter isNumber: whether the piece is a number by itself, as in JSON and in cells: it has none of the shapes,
    ///   and is no identifier unless it has nine digits or more before its point.
    func kind(in bytes: [UInt8], _ range: Range<Int>, isNumber: Bool) -> OutputFinding.Kind? {
        if isNumber, bytes[range].prefix(while: { $0 != UInt8(ascii: ".") }).count(where: SpanCounts.isDigit) < 9 {
            return nil
        }
        if let kind = kind(of: bytes, range, isNumber: isNumber) { return kind }
        guard !isNumber, bytes[range].contains(where: { $0 >= 0x80 }) else { return nil }
        return Self.folded(bytes[range]).flatMap { kind(of: $0, $0.indices, isNumber: false) }
    }

    private func kind(of bytes: [UInt8], _ range: Range<Int>, isNumber: Bool) -> OutputFinding.Kind? {
        if !isNumber, let shape = shapes.kind(in: bytes, range) { return shape }
        guard let identifiers else { return nil }
        let isFound = Self.forEachSpan(of: bytes, range, by: identifiers.hash) { code, _ in
            identifiers.contains(code) && !publicTexts.contains(code)
        }
        return isFound ? .identifier : nil
    }

    /// Calls the body with the hash of each run of 1 to 8 words that could be an identifier, until it says true.
    @discardableResult
    private static func forEachSpan(
        of bytes: [UInt8], _ range: Range<Int>, by hash: IdentifierHash, _ body: (IdentifierCode, SpanCounts) -> Bool
    ) -> Bool {
        var start = range.lowerBound
        while start < range.upperBound {
            guard SpanCounts.isWordByte(bytes[start]),
                start == range.lowerBound || !SpanCounts.isWordByte(bytes[start - 1])
            else {
                start += 1
                continue
            }
            var facts = SpanCounts()
            var state = hash.start
            var rest: UInt64 = 0
            var at = start
            while at < range.upperBound, facts.bytes < SpanCounts.maximumBytes {
                let byte = bytes[at]
                rest |= UInt64(SpanCounts.lowercased(byte)) << UInt64(8 * (facts.bytes & 7))
                facts.bytes += 1
                if facts.bytes & 7 == 0 {
                    state.take(rest)
                    rest = 0
                }
                let isDigit = SpanCounts.isDigit(byte), isLetter = SpanCounts.isLetter(byte)
                if isDigit { facts.digits += 1 }
                if isLetter { facts.letters += 1 }
                at += 1
                guard isDigit || isLetter else { continue }
                let endsWord = at == range.upperBound || !SpanCounts.isWordByte(bytes[at])
                guard endsWord else { continue }
                facts.words += 1
                if facts.words > SpanCounts.maximumWords { break }
                if facts.isTelling(isName: true), body(state.code(rest: rest, count: facts.bytes), facts) {
                    return true
                }
            }
            start += 1
        }
        return false
    }

    /// The text with hyphens, blanks and digits of other alphabets replaced by those of ASCII, and characters without
    /// width removed; nil if that changes nothing.
    private static func folded(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
        let text = String(decoding: bytes, as: UTF8.self)
        var folded = String.UnicodeScalarView()
        var isOther = false
        for scalar in text.unicodeScalars {
            let properties = scalar.properties
            var replacement = scalar
            if !scalar.isASCII {
                if let digit = properties.numericType == .decimal ? properties.numericValue : nil {
                    replacement = Unicode.Scalar(UInt8(digit) + 0x30)
                } else if properties.generalCategory == .dashPunctuation || scalar == "\u{2212}" {
                    replacement = "-"
                } else if properties.generalCategory == .spaceSeparator {
                    replacement = " "
                } else if scalar == "\u{FF20}" || scalar == "\u{FE6B}" {
                    replacement = "@"
                } else if scalar == "\u{FF0E}" {
                    replacement = "."
                } else if properties.generalCategory == .format {
                    isOther = true
                    continue
                }
            }
            isOther = isOther || replacement != scalar
            folded.append(replacement)
        }
        return isOther ? Array(String(folded).utf8) : nil
    }
}
