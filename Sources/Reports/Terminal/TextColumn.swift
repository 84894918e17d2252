/// Text of a set width for a terminal. Control characters, which could move the cursor or change colours, become `?`.
package enum TextColumn {
    package static func left(_ text: String, _ width: Int) -> String {
        let cut = cut(text, to: width - 1)
        return cut + String(repeating: " ", count: width - cut.count)
    }

    package static func right(_ text: String, _ width: Int) -> String {
        let cut = cut(text, to: width - 1)
        return String(repeating: " ", count: width - cut.count) + cut
    }

    /// What is cut off is marked with `…`.
    static func cut(_ text: String, to width: Int) -> String {
        let clean = harmless(text)
        return clean.count <= width ? clean : clean.prefix(width - 1) + "…"
    }

    /// Lines of at most `width`, broken at spaces.
    package static func wrapped(_ text: String, to width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in harmless(text).split(separator: " ") {
            if !line.isEmpty, line.count + 1 + word.count > width {
                lines.append(line)
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + word
        }
        return lines + [line]
    }

    private static func harmless(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { $0.properties.generalCategory == .control ? "?" : $0 }))
    }
}
