/// The shape of a value without its content: digits become `9`, letters `A` or `a`, other bytes are kept
/// only if they are common punctuation. Runs are cut at 24 characters.
package enum ValueShape {
    package static func of(_ bytes: some Sequence<UInt8>) -> String {
        var shape = ""
        var length = 0
        for byte in bytes {
            if length == 24 { return shape + "…" }
            length += 1
            switch byte {
            case 0x30...0x39: shape.append("9")
            case 0x41...0x5A: shape.append("A")
            case 0x61...0x7A: shape.append("a")
            case 0x20, 0x2C, 0x2D, 0x2E, 0x2F, 0x3A, 0x24, 0x28, 0x29, 0x2B, 0x5F, 0x23, 0x40:
                shape.unicodeScalars.append(Unicode.Scalar(byte))
            case 0x80...0xBF: length -= 1
            case 0xC0...0xFF: shape.append("ä")
            default: shape.append("?")
            }
        }
        return shape
    }
}
