/// The cells of CSV (RFC 4180, commas), each with its row and column, both counted from 1.
enum CSVPieces {
    static func walk(
        _ bytes: [UInt8], delimiter: UInt8 = UInt8(ascii: ","), firstRow: Int = 1,
        visit: (_ bytes: [UInt8], _ range: Range<Int>, _ isFigure: Bool, _ place: () -> String) -> Void
    ) {
        var row = firstRow, column = 1, at = 0
        while at < bytes.count {
            if bytes[at] == UInt8(ascii: "\"") {
                var meant: [UInt8] = []
                at += 1
                while at < bytes.count {
                    if bytes[at] == UInt8(ascii: "\"") {
                        at += 1
                        guard at < bytes.count, bytes[at] == UInt8(ascii: "\"") else { break }
                    }
                    meant.append(bytes[at])
                    at += 1
                }
                let (row, column) = (row, column)
                visit(meant, meant.indices, false) { "row \(row), column \(column)" }
            }
            // What stands between the quote and the next delimiter is no CSV, but it is there.
            let start = at
            while at < bytes.count, bytes[at] != delimiter, bytes[at] != 0x0A { at += 1 }
            if start < at {
                let range = start..<at
                let (row, column) = (row, column)
                visit(bytes, range, isFigure(bytes[range])) { "row \(row), column \(column)" }
            }
            guard at < bytes.count else { return }
            if bytes[at] == 0x0A { (row, column) = (row + 1, 1) } else { column += 1 }
            at += 1
        }
    }

    /// `-1234.50`, as our writers write numbers: with a point, or of fewer than nine digits. Longer whole numbers do not
    /// occur among counts and may be anything.
    private static func isFigure(_ cell: ArraySlice<UInt8>) -> Bool {
        var digits = 0, points = 0
        for byte in cell {
            if SpanFacts.isDigit(byte) {
                digits += 1
            } else if byte == UInt8(ascii: ".") {
                points += 1
            } else if byte != UInt8(ascii: "-"), byte != 0x0D {
                return false
            }
        }
        return digits > 0 && (points == 1 || (points == 0 && digits < 8))
    }
}
