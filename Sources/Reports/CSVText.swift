/// Rows of RFC 4180, for whoever writes CSV.
package enum CSVText {
    /// Text that a spreadsheet would take for a formula gets an apostrophe before it (SPEC §5). Figures do not: they
    /// are ours, and `-12.00` is a number.
    package static func harmless(_ text: String) -> String {
        guard let first = text.unicodeScalars.first, "=+-@\t\r".unicodeScalars.contains(first) else { return text }
        return "'" + text
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
