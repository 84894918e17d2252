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
    package static func cut(_ text: String, to width: Int) -> String {
        let clean = harmless(text)
        return clean.count <= width ? clean : clean.prefix(width - 1) + "…"
    }

    /// What each of the names is written as in `width`: two of them never as the same.
    ///
    /// Those that would be cut alike lose their middle instead, and get a number where that does not help either.
    package static func distinct(_ names: [String], to width: Int) -> [String: String] {
        var written: [String: String] = [:]
        var taken: Set<String> = []
        let ordered = names.reduce(into: [String]()) { known, name in if !known.contains(name) { known.append(name) } }
        let ends = Dictionary(grouping: ordered) { cut($0, to: width) }
        for name in ordered.filter({ $0.count <= width }) + ordered.filter({ $0.count > width }) {
            var text = cut(name, to: width)
            if name.count > width, ends[text]?.count ?? 0 > 1 {
                let tail = (width - 1) / 2
                text = harmless(name.prefix(width - 1 - tail) + "…" + name.suffix(tail))
            }
            var number = 2
            while taken.contains(text) {
                let mark = "…\(number)"
                text = harmless(String(name.prefix(max(0, width - mark.count)))) + mark
                number += 1
            }
            taken.insert(text)
            written[name] = text
        }
        return written
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
