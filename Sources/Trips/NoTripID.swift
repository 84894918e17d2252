/// Ids that are not those of a trip. They are recognised byte by byte: each id of an export is looked at.
package enum NoTripID {
    /// Whether an id is a number that a spreadsheet has rounded, so that several trips have it: `1E+11`, `1.23E+11`, `1.23E11`.
    package static func isRounded(_ id: Span<UInt8>) -> Bool {
        var end = id.count
        while end > 0, isDigit(id[end - 1]) { end -= 1 }
        guard (2...3).contains(id.count - end), end > 1 else { return false }
        let hasPlus = id[end - 1] == UInt8(ascii: "+")
        if hasPlus { end -= 1 }
        let e = end - 1
        guard e > 0, id[e] & 0xDF == UInt8(ascii: "E"), isDigit(id[0]) else { return false }
        if e == 1 { return hasPlus }
        guard e > 2, id[1] == UInt8(ascii: ".") || id[1] == UInt8(ascii: ",") else { return false }
        for at in 2..<e where !isDigit(id[at]) { return false }
        return true
    }

    /// Whether an id that JSON has as a number is written with a fraction or an exponent: 1, 1.0 and 1e0 are one number, and
    /// would be three ids.
    package static func isUnclearNumber(_ id: Span<UInt8>) -> Bool {
        guard id.count > 1, isDigit(id[0]) || id[0] == UInt8(ascii: "-") else { return false }
        for at in 1..<id.count where !isDigit(id[at]) { return true }
        return false
    }

    /// Whether an id says that its record is a total of others: `Total`, `Subtotal North`, `Grand total:`, `North total`.
    package static func isTotal(_ id: Span<UInt8>) -> Bool {
        var start = spells("sub", in: id, at: 0) ? 3 : spells("grand", in: id, at: 0) ? 5 : 0
        if start > 0 {
            while start < id.count, isJoint(id[start]) { start += 1 }
        }
        if spells("total", in: id, at: start) {
            var end = start + 5
            if end < id.count, id[end] | 0x20 == UInt8(ascii: "s") { end += 1 }
            if end == id.count || !isOfWord(id[end]) { return true }
        }
        var end = id.count - 5
        guard end > 0, spells("total", in: id, at: end) else { return false }
        if end > 3, spells("sub", in: id, at: end - 3) { end -= 3 }
        guard isJoint(id[end - 1]) else { return false }
        for at in 0..<id.count where isDigit(id[at]) { return false }
        return true
    }

    /// Whether an id is nothing but a word for what is computed of other records: `Average`, `Max:`, `TTL`.
    package static func isAggregate(_ id: Span<UInt8>) -> Bool {
        var end = id.count
        if end > 0, id[end - 1] == UInt8(ascii: ":") { end -= 1 }
        return aggregates.contains { $0.utf8CodeUnitCount == end && spells($0, in: id, at: 0) }
    }

    private static let aggregates: [StaticString] = [
        "average", "averages", "avg", "mean", "median", "max", "maximum", "min", "minimum", "count", "sum", "ttl",
        "overall", "summe", "gesamt", "gesamtsumme", "zwischensumme", "totaal", "eindtotaal", "totale", "totalt",
        "somme",
        "suma", "soma", "summa",
    ]

    /// Without regard to case.
    private static func spells(_ word: StaticString, in id: Span<UInt8>, at start: Int) -> Bool {
        guard start + word.utf8CodeUnitCount <= id.count else { return false }
        return word.withUTF8Buffer { letters in
            for at in letters.indices where id[start + at] | 0x20 != letters[at] { return false }
            return true
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func isJoint(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }

    private static func isOfWord(_ byte: UInt8) -> Bool {
        isDigit(byte) || (0x61...0x7A).contains(byte | 0x20) || byte >= 0x80
    }
}
