/// Text for a terminal. Control characters are escaped, so that a repeated argument can neither move the cursor nor
/// start a line of its own.
package enum TerminalText {
    /// - Parameters:
    ///   - message: its own line feeds stay.
    ///   - arguments: what the message may repeat; line feeds in these are escaped too.
    package static func escaped(_ message: String, arguments: [String]) -> String {
        var text = message
        for argument in arguments where argument.unicodeScalars.contains(where: isControl) {
            // The parser may repeat the value of `--option=value` alone.
            let value = argument.split(separator: "=", maxSplits: 1).last.map(String.init) ?? ""
            for echoed in [argument, value] where echoed.unicodeScalars.contains(where: { !isControl($0) }) {
                text = text.replacing(echoed, with: escaped(echoed, keepsLines: false))
            }
        }
        return escaped(text, keepsLines: true)
    }

    private static func escaped(_ text: String, keepsLines: Bool) -> String {
        // Nearly every message is printable ASCII.
        if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if !isControl(scalar) || (keepsLines && scalar == "\n") {
                result.append(scalar)
            } else {
                result.append(contentsOf: "\\u{\(String(scalar.value, radix: 16, uppercase: true))}".unicodeScalars)
            }
        }
        return String(result)
    }

    /// C0, DEL and C1; line and paragraph separators; characters that change the direction of the text after them.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
