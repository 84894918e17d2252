/// Rows of RFC 4180, for whoever writes CSV.
package enum CSVText {
    /// Text that a spreadsheet would take for a formula gets an apostrophe before it. Figures do not: they
    /// are ours, and `-12.00` is a number.
    ///
    /// Blanks, marks without width and control characters before the sign do not hide it, for some programs drop them;
    /// nor do the full-width forms of the signs, which an input method turns into the plain ones.
    package static func harmless(_ text: String) -> String {
        guard let first = text.unicodeScalars.first else { return text }
        let isControl = first.value < 0x20
        guard let sign = text.unicodeScalars.first(where: { !isUnseen($0) }) else {
            return isControl ? "'" + text : text
        }
        return isControl || signs.contains(sign) ? "'" + text : text
    }

    private static let signs: Set<Unicode.Scalar> = [
        "=", "+", "-", "@", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}", "\u{FE66}", "\u{FE62}", "\u{FE63}",
        "\u{FE6B}",
    ]

    private static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .spaceSeparator, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

    /// Adds a row, ended with CR LF.
    package static func append(_ fields: [String], to bytes: inout [UInt8]) {
        for (index, field) in fields.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            let mustQuote = field.utf8.contains { [0x22, 0x2C, 0x0D, 0x0A].contains($0) }
            guard mustQuote else {
                bytes.append(contentsOf: field.utf8)
                continue
            }
            bytes.append(UInt8(ascii: "\""))
            for byte in field.utf8 {
                if byte == UInt8(ascii: "\"") { bytes.append(byte) }
                bytes.append(byte)
            }
            bytes.append(UInt8(ascii: "\""))
        }
        bytes.append(contentsOf: [0x0D, 0x0A])
    }
}
