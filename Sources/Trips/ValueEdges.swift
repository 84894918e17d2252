// What is no part of a value: blanks, invisible characters, and the marks that make a spreadsheet take a number as text.
extension Array where Element == UInt8 {
    /// Without blanks, control characters and invisible characters (UTF-8) at either end.
    package func trimmingBlanks() -> ArraySlice<UInt8> { self[...].trimmingBlanks() }

    /// What a field means: without what is invisible at either end, and without `="…"` around it or `'` before it, by
    /// which spreadsheets protect a number from being read as one.
    package func meantValue() -> ArraySlice<UInt8> {
        let value = trimmingBlanks()
        guard let first = value.first, value.count > 1 else { return value }
        let second = value[value.startIndex + 1]
        if first == 0x3D, second == 0x22, value.count > 2, value.last == 0x22 {
            return value.dropFirst(2).dropLast().trimmingBlanks()
        }
        return first == 0x27 && ValueEdges.isProtected(second) ? value.dropFirst().trimmingBlanks() : value
    }
}

extension ArraySlice where Element == UInt8 {
    /// Without blanks, control characters and invisible characters (UTF-8) at either end.
    package func trimmingBlanks() -> ArraySlice<UInt8> {
        var slice = self
        while let first = slice.first {
            if first <= 0x20 || first == 0x7F {
                slice = slice.dropFirst()
            } else if first >= 0x80, let length = ValueEdges.invisible(slice.prefix(3)) {
                slice = slice.dropFirst(length)
            } else {
                break
            }
        }
        while let last = slice.last {
            if last <= 0x20 || last == 0x7F {
                slice = slice.dropLast()
            } else if last >= 0x80, ValueEdges.invisible(slice.suffix(2)) == 2 {
                slice = slice.dropLast(2)
            } else if last >= 0x80, ValueEdges.invisible(slice.suffix(3)) == 3 {
                slice = slice.dropLast(3)
            } else {
                break
            }
        }
        return slice
    }
}

extension StringProtocol {
    /// With one blank in the place of each run of blanks of any kind, and none at the ends.
    package func foldingBlanks() -> String { split(whereSeparator: \.isWhitespace).joined(separator: " ") }

    /// Without blanks, control characters and invisible characters at both ends.
    package func trimmingBlanks() -> String {
        let text = String(self)
        guard let first = text.utf8.first, let last = text.utf8.last else { return "" }
        if ValueEdges.isVisible(first), ValueEdges.isVisible(last) { return text }
        return String(decoding: Array(text.utf8).trimmingBlanks(), as: UTF8.self)
    }
}

/// The bytes at either end of a value.
public enum ValueEdges {
    /// Whether a byte is a visible ASCII character.
    @inlinable
    @inline(__always)
    public static func isVisible(_ byte: UInt8) -> Bool { byte &- 0x21 <= 0x5D }

    /// Whether a value that begins and ends with these bytes is meant as it is written: see `meantValue`.
    @inlinable
    @inline(__always)
    public static func arePlain(_ first: UInt8, _ last: UInt8) -> Bool {
        isVisible(first) && isVisible(last) && first != 0x27 && first != 0x3D
    }

    /// What a spreadsheet would read as a number or a formula, so that a `'` before it only protects it.
    static func isProtected(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || [0x2B, 0x2D, 0x3D, 0x40, 0x28, 0x24, 0x2E].contains(byte)
    }

    /// How many bytes the invisible character is long that these bytes begin with; nil: they begin with none.
    ///
    /// No-break and narrow blanks, blanks of typesetting, zero-width characters, marks of direction, soft hyphen, byte-order
    /// mark and control characters.
    static func invisible(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard let first = bytes.first, bytes.count > 1 else { return nil }
        let second = bytes[bytes.startIndex + 1]
        if first == 0xC2 { return second <= 0xA0 || second == 0xAD ? 2 : nil }
        guard bytes.count > 2 else { return nil }
        let third = bytes[bytes.startIndex + 2]
        let isInvisible =
            switch (first, second) {
            case (0xE2, 0x80): third <= 0x8F || (0xA8...0xAF).contains(third)
            case (0xE2, 0x81): (0x9F...0xAF).contains(third)
            case (0xE3, 0x80), (0xE1, 0x9A): third == 0x80
            case (0xE1, 0xA0): third == 0x8E
            case (0xEF, 0xBB): third == 0xBF
            default: false
            }
        return isInvisible ? 3 : nil
    }
}
