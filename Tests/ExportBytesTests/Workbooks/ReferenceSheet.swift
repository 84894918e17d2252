import Foundation

/// A plain reader of the rows of a sheet: its whole tree, and values converted one by one.
///
/// It has no answer for what is no well-formed XML, and where the meaning of a cell is in doubt.
struct ReferenceSheet {
    private struct Doubt: Error {}

    let strings: [String]
    let is1904: Bool

    /// The records as CSV; nil: there is no answer.
    func csv(_ sheet: [UInt8]) -> String? {
        guard let root = PlainXML.root(sheet), root.name == "worksheet" else { return nil }
        return try? RandomSheet.csv(rows(root))
    }

    private static let names: Set<String> = ["row", "c", "v", "is", "t", "f", "r", "rPh", "sheetData"]

    private func rows(_ root: PlainXML.Element) throws(Doubt) -> [[(column: Int, shown: String)]] {
        let parts = root.elements.filter { $0.name == "sheetData" }
        guard parts.count == 1, let part = parts.first else { throw Doubt() }
        // A tag whose place the damage has changed.
        for other in root.elements where other.name != "sheetData" && other.name != "extLst" {
            guard !Self.names.contains(other.name), other.elements.allSatisfy({ !Self.names.contains($0.name) }) else {
                throw Doubt()
            }
        }
        var rows: [[(column: Int, shown: String)]] = [], last = 0
        for row in part.elements {
            guard row.name == "row" else { throw Doubt() }
            let number = row.attributes["r"].map { Int($0) } ?? last + 1
            guard let number, number > last else { throw Doubt() }
            last = number
            rows.append(try cells(row, number: number))
        }
        return rows
    }

    private func cells(_ row: PlainXML.Element, number: Int) throws(Doubt) -> [(column: Int, shown: String)] {
        var cells: [(column: Int, shown: String)] = []
        for cell in row.elements {
            let last = cells.last?.column ?? 0
            guard cell.name == "c" else { throw Doubt() }
            let column = cell.attributes["r"].map { self.column($0, row: number) } ?? last + 1
            guard let column, column > last else { throw Doubt() }
            cells.append((column, try shown(cell)))
        }
        return cells
    }

    /// The column of `AB12`.
    private func column(_ reference: String, row: Int) -> Int? {
        let letters = reference.unicodeScalars.prefix { ("A"..."Z").contains($0) }
        guard (1...3).contains(letters.count), Int(reference.dropFirst(letters.count)) == row else { return nil }
        return letters.reduce(0) { $0 * 26 + Int($1.value - 64) }
    }

    private func shown(_ cell: PlainXML.Element) throws(Doubt) -> String {
        let type = cell.attributes["t"] ?? "n"
        guard let style = Int(cell.attributes["s"] ?? "0"), SheetStyle.all.indices.contains(style),
            cell.elements.allSatisfy({ ["v", "is", "f"].contains($0.name) }),
            cell.elements.allSatisfy({ $0.name == "is" || $0.elements.isEmpty })
        else { throw Doubt() }
        let values = cell.elements.filter { $0.name == "v" }, inline = cell.elements.filter { $0.name == "is" }
        if type == "inlineStr" {
            guard values.allSatisfy({ $0.text.isEmpty }), inline.count <= 1 else { throw Doubt() }
            return Self.resolved(try inline.map { element throws(Doubt) in try self.text(element) }.joined())
        }
        guard inline.isEmpty, values.count <= 1 else { throw Doubt() }
        let text = values.first?.text ?? ""
        switch type {
        case "str", "d": return Self.resolved(text)
        case "e": return ""
        case _ where text.isEmpty: return ""
        case "s":
            guard let number = Int(text), strings.indices.contains(number) else { throw Doubt() }
            return strings[number]
        case "b":
            guard let shown = ["0": "FALSE", "false": "FALSE", "1": "TRUE", "true": "TRUE"][text] else { throw Doubt() }
            return shown
        case "n": return try number(text, SheetStyle.all[style].kind)
        default: throw Doubt()
        }
    }

    /// The text of an inline string, in one run or several.
    private func text(_ inline: PlainXML.Element) throws(Doubt) -> String {
        var text = ""
        for part in inline.elements where part.name != "rPh" {
            if part.name == "t", part.elements.isEmpty {
                text += part.text
            } else {
                guard part.name == "r" else { throw Doubt() }
                for inner in part.elements where inner.name != "rPr" {
                    guard inner.name == "t", inner.elements.isEmpty else { throw Doubt() }
                    text += inner.text
                }
            }
        }
        return text
    }

    /// The text with `_x000D_` resolved.
    private static func resolved(_ text: String) -> String {
        var rest = text.unicodeScalars[...], result = String.UnicodeScalarView()
        while let first = rest.first {
            let next = rest.dropFirst().prefix(6).map { $0 }
            if first == "_", next.count == 6, next[0] == "x", next[5] == "_",
                next[1...4].allSatisfy({ $0.properties.isASCIIHexDigit }),
                let code = UInt32(String(String.UnicodeScalarView(next[1...4])), radix: 16),
                let scalar = Unicode.Scalar(code)
            {
                result.append(scalar)
                rest = rest.dropFirst(7)
            } else {
                result.append(first)
                rest = rest.dropFirst()
            }
        }
        return String(result)
    }

    private func number(_ text: String, _ kind: SheetStyle.Kind) throws(Doubt) -> String {
        guard text.wholeMatch(of: /-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?/) != nil, let value = Double(text),
            abs(value) < 1e30
        else { throw Doubt() }
        switch kind {
        case .general: break
        case .digits:
            let plain = Self.plain(text, value)
            let isWhole = !text.lowercased().contains("e") && plain.utf8.allSatisfy { (0x30...0x39).contains($0) }
            return (isWhole ? String(repeating: "0", count: max(0, 5 - plain.count)) : "") + plain
        case .date, .hoursAndMinutes, .time, .dateAndTime, .elapsed:
            let seconds = value * 86_400
            // Half a second may be rounded either way.
            guard abs(seconds - seconds.rounded(.down) - 0.5) > 0.001 else { throw Doubt() }
            guard value >= 0, value < 2_958_466 else { break }
            let whole = Int(seconds.rounded())
            // Before midnight the next day does not begin.
            guard whole / 86_400 == Int(value) else { throw Doubt() }
            if let shown = RandomNumbers.shown(days: whole / 86_400, second: whole % 86_400, kind, is1904: is1904) {
                return shown
            }
        }
        return Self.plain(text, value)
    }

    /// As it is written without zeros at the end of its fraction, or with 15 digits and without an exponent.
    private static func plain(_ text: String, _ value: Double) -> String {
        let hasExponent = text.lowercased().contains("e")
        let trimmed =
            hasExponent || !text.contains(".") ? text : String(text.replacing(/\.?0+$/, with: ""))
        if abs(value) >= 1e15 || !hasExponent && !trimmed.contains(".") { return trimmed }
        let digits = trimmed.utf8.count { (0x30...0x39).contains($0) }
        guard digits > 15 || hasExponent else { return trimmed }
        guard value != 0 else { return "0" }
        let parts = String(format: "%.14e", abs(value)).split(separator: "e")
        var significant = String(parts[0].filter { $0 != "." })
        while significant.count > 1, significant.hasSuffix("0") { significant.removeLast() }
        return (value < 0 ? "-" : "") + RandomNumbers.plain(significant, exponent: Int(parts[1]) ?? 0)
    }
}
