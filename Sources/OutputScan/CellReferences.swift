/// Where a cell lies, such as `C1000`: many an identifier looks the same.
enum CellReferences {
    /// Excel's last row.
    private static let lastRow = 1_048_576

    /// One to three capitals, and a row that a sheet has.
    static func isOne(_ text: ArraySlice<UInt8>) -> Bool {
        let letters = text.prefix { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
        let digits = text.dropFirst(letters.count)
        guard (1...3).contains(letters.count), (1...7).contains(digits.count), digits.first != UInt8(ascii: "0"),
            digits.allSatisfy(SpanFacts.isDigit)
        else { return false }
        return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) } <= lastRow
    }

    /// What of a formula is no reference. What stands in quotes is a text, whatever it looks like.
    static func rest(of bytes: [UInt8], _ formula: Range<Int>) -> [Range<Int>] {
        var pieces: [Range<Int>] = []
        var start = formula.lowerBound, at = start
        // A text ends with the mark that it began with.
        var quote: UInt8?
        while at < formula.upperBound {
            if let open = quote {
                if bytes[at] == open { quote = nil }
                at += 1
                continue
            }
            guard SpanFacts.isWordByte(bytes[at]) else {
                if bytes[at] == UInt8(ascii: "\"") || bytes[at] == UInt8(ascii: "'") { quote = bytes[at] }
                at += 1
                continue
            }
            let end = bytes[at..<formula.upperBound].firstIndex { !SpanFacts.isWordByte($0) } ?? formula.upperBound
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
