/// Text for a person's terminal: control characters are written out, so that an argument that is echoed can neither move
/// the cursor nor start a line of its own.
enum TerminalText {
    /// - Parameters:
    ///   - message: its own line feeds stay.
    ///   - arguments: what the message may repeat; line feeds in these are written out too.
    static func escaped(_ message: String, arguments: [String]) -> String {
        var text = message
        for argument in arguments where argument.unicodeScalars.contains(where: isControl) {
            // An option and its value may be one argument and are echoed apart.
            let value = argument.split(separator: "=", maxSplits: 1).last.map(String.init) ?? ""
            for echoed in [argument, value] where echoed.unicodeScalars.contains(where: { !isControl($0) }) {
                text = text.replacing(echoed, with: escaped(echoed, keepsLines: false))
            }
        }
        return escaped(text, keepsLines: true)
    }

    private static func escaped(_ text: String, keepsLines: Bool) -> String {
        guard text.unicodeScalars.contains(where: isControl) else { return text }
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

    /// C0, DEL and C1; line and paragraph separators; and what turns the direction of the text after it.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
