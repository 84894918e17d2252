import TestSupport

/// Writes a random table as the parts of a workbook, in the forms that XML and the programs that write it leave open.
struct SheetMarkup {
    var random: SplitMix64
    private let prefix: String
    private var strings: [String] = []

    struct Parts {
        var sheet: [UInt8]
        var strings: [UInt8]
        var styles: [UInt8]
    }

    /// The parts of a table.
    static func parts(of table: RandomSheet, _ random: inout SplitMix64) -> Parts {
        var markup = SheetMarkup(random: random)
        let sheet = markup.sheet(table)
        let parts = Parts(
            sheet: Array(sheet.utf8), strings: Array(markup.sharedStrings().utf8), styles: Array(markup.styles().utf8))
        random = markup.random
        return parts
    }

    private init(random: SplitMix64) {
        var random = random
        prefix = Int.random(in: 0..<5, using: &random) == 0 ? "x:" : ""
        self.random = random
    }

    private mutating func chance(_ of: Int) -> Bool { Int.random(in: 0..<of, using: &random) == 0 }

    private mutating func pick(_ texts: [String]) -> String { texts.randomElement(using: &random) ?? "" }

    // MARK: - Parts

    private mutating func sheet(_ table: RandomSheet) -> String {
        var text = chance(8) ? "\u{FEFF}" : ""
        if chance(2) { text += "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone='yes'?>" + noise() }
        let name = prefix.isEmpty ? "xmlns" : "xmlns:x"
        let main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
        text += open("worksheet", [(name, main), ("xmlns:z", "urn:z")]) + noise()
        if chance(2) { text += open("sheetPr") + empty("tabColor", [("rgb", "FFFF0000")]) + close("sheetPr") + noise() }
        if chance(2) { text += empty("dimension", [("ref", "A1:G9")]) + noise() }
        if chance(3) { text += open("cols") + empty("col", [("min", "1"), ("max", "2")]) + close("cols") }
        if table.rows.isEmpty, chance(2) {
            text += empty("sheetData")
        } else {
            text += open("sheetData") + noise()
            var last = 0
            for row in table.rows {
                text += self.row(row, isNext: row.number == last + 1) + noise()
                last = row.number
            }
            text += close("sheetData") + noise()
        }
        if chance(3) { text += open("mergeCells") + empty("mergeCell", [("ref", "A1:B1")]) + close("mergeCells") }
        if chance(3) { text += open("extLst") + "<z:row/><z:c>5</z:c>" + close("extLst") }
        return text + close("worksheet") + noise()
    }

    private mutating func sharedStrings() -> String {
        var text = open("sst", [("count", "\(strings.count)")]) + noise()
        for string in strings {
            text += string.isEmpty && chance(2) ? empty("si") : open("si") + texts(string) + close("si")
            text += noise()
        }
        return text + close("sst")
    }

    private mutating func styles() -> String {
        var text = open("styleSheet") + open("numFmts")
        for style in SheetStyle.all where !style.code.isEmpty {
            text += empty("numFmt", [("numFmtId", "\(style.format)"), ("formatCode", style.code)]) + noise()
        }
        text += close("numFmts") + open("cellStyleXfs") + empty("xf", [("numFmtId", "14")]) + close("cellStyleXfs")
        text += open("cellXfs")
        for style in SheetStyle.all {
            let attributes = [("numFmtId", "\(style.format)"), ("fontId", "1")]
            text += chance(3) ? open("xf", attributes) + empty("alignment") + close("xf") : empty("xf", attributes)
        }
        return text + close("cellXfs") + noise() + close("styleSheet")
    }

    // MARK: - Rows and cells

    private mutating func row(_ row: RandomSheet.Row, isNext: Bool) -> String {
        var attributes: [(String, String)] = []
        if !isNext || !chance(4) { attributes.append(("r", "\(row.number)")) }
        if row.isHidden { attributes.append(("hidden", pick(["1", "true"]))) }
        if chance(3) { attributes.append(("spans", "1:9")) }
        if chance(3) { attributes.append(("z:descent", "0.25")) }
        if row.cells.isEmpty, chance(2) { return empty("row", attributes) }
        var text = open("row", attributes) + noise(), last = 0
        for (column, value) in row.cells {
            // Cells with a style and no value.
            while last + 1 < column, chance(2) {
                last += 1
                text += pick([empty("c", reference(last, row.number) + [("s", "0")]), blankCell(last, row.number)])
            }
            var attributes = column == last + 1 && chance(3) ? [] : reference(column, row.number)
            if value.style != 0 || chance(4) { attributes.append(("s", "\(value.style)")) }
            if chance(9) { attributes.append(("cm", "1")) }
            text += cell(value, attributes) + noise()
            last = column
        }
        return text + close("row")
    }

    private func reference(_ column: Int, _ row: Int) -> [(String, String)] {
        var name = "", rest = column
        while rest > 0 {
            rest -= 1
            name = String(UnicodeScalar(UInt8(0x41 + rest % 26))) + name
            rest /= 26
        }
        return [("r", "\(name)\(row)")]
    }

    private mutating func blankCell(_ column: Int, _ row: Int) -> String {
        open("c", reference(column, row)) + pick([noise(), empty("v"), open("v") + close("v")]) + close("c")
    }

    private mutating func cell(_ value: RandomSheet.Value, _ attributes: [(String, String)]) -> String {
        func type(_ name: String) -> [(String, String)] { attributes + [("t", name)] }
        let formula = chance(5) ? open("f") + "IF(A1&lt;2,1,0)" + close("f") + noise() : ""
        let plain = open("v") + value.written + close("v")
        switch value.kind {
        case .shared:
            strings.append(value.written)
            return open("c", type("s")) + noise() + open("v") + "\(strings.count - 1)" + close("v") + close("c")
        case .inline:
            return open("c", type("inlineStr")) + noise() + open("is") + texts(value.written) + close("is") + close("c")
        case .formula:
            return open("c", type("str")) + formula + open("v") + encoded(value.written) + close("v") + close("c")
        case .number:
            return open("c", chance(4) ? type("n") : attributes) + formula + plain + noise() + close("c")
        case .boolean: return open("c", type("b")) + formula + plain + close("c")
        case .error: return open("c", type("e")) + formula + plain + close("c")
        case .isoDate: return open("c", type("d")) + noise() + plain + close("c")
        case .formulaWithoutValue:
            return open("c", attributes) + (chance(2) ? empty("f") : open("f") + "A1" + close("f"))
                + (chance(2) ? empty("v") : "") + close("c")
        }
    }

    /// A text as one run, or as several of different fonts, perhaps with how it is pronounced.
    private mutating func texts(_ text: String) -> String {
        func run(_ part: String) -> String {
            open("t", part == " " ? [("xml:space", "preserve")] : []) + encoded(part) + close("t")
        }
        var result: String
        if text.isEmpty, chance(2) {
            result = empty("t")
        } else if chance(3), !text.contains("_"), text.unicodeScalars.count > 1 {
            let scalars = Array(text.unicodeScalars)
            let cut = Int.random(in: 1..<scalars.count, using: &random)
            result = [scalars[..<cut], scalars[cut...]].map { part in
                open("r") + (chance(2) ? open("rPr") + empty("b") + close("rPr") : "")
                    + run(String(String.UnicodeScalarView(part))) + close("r")
            }.joined(separator: noise())
        } else {
            result = run(text)
        }
        if chance(6) {
            result += open("rPh", [("sb", "0"), ("eb", "1")]) + open("t") + "ro" + close("t") + close("rPh")
        }
        return result
    }

    // MARK: - Marks

    private mutating func open(_ name: String, _ attributes: [(String, String)] = []) -> String {
        "<" + prefix + name + list(attributes) + ">"
    }

    private mutating func empty(_ name: String, _ attributes: [(String, String)] = []) -> String {
        if chance(4) { return open(name, attributes) + close(name) }
        return "<" + prefix + name + list(attributes) + "/>"
    }

    private mutating func close(_ name: String) -> String { "</" + prefix + name + (chance(9) ? " >" : ">") }

    private mutating func list(_ attributes: [(String, String)]) -> String {
        var text = ""
        for (name, value) in attributes.shuffled(using: &random) {
            let quote = chance(3) ? "'" : "\""
            let safe = value.unicodeScalars.map { $0 == "\"" ? "&quot;" : $0 == ">" && chance(2) ? "&gt;" : String($0) }
            let equals = pick(["=", "=", "=", "=", " = ", "= "])
            text += pick([" ", " ", " ", "\n ", "  "]) + name + equals + quote + safe.joined() + quote
        }
        return chance(6) ? text + " " : text
    }

    /// What may be between two tags.
    private mutating func noise() -> String {
        guard chance(6) else { return "" }
        return pick(["\n", "  ", "\r\n\t", "<!-- <c r=\"A1\"><v>1</v></c> -->", "<!---->", "<?row x=\"1\"?>"])
    }

    /// A text as the content of an element: entities, references and CDATA as it comes.
    private mutating func encoded(_ text: String) -> String {
        let scalars = Array(text.unicodeScalars)
        var result = "", isVerbatim = false, at = 0
        while at < scalars.count {
            let scalar = scalars[at]
            at += 1
            if chance(30), !isVerbatim { result += pick(["<!-- a<b -->", "<?z 1?>", "<![CDATA[]]>"]) }
            let mayBeVerbatim = scalar != ">" && scalar != "\r" && scalar.value >= 0x20 && scalar != "_"
            if isVerbatim, !mayBeVerbatim || chance(4) {
                result += "]]>"
                isVerbatim = false
            } else if !isVerbatim, mayBeVerbatim, chance(12) {
                result += "<![CDATA["
                isVerbatim = true
            }
            result += isVerbatim ? String(scalar) : written(scalar, rest: scalars[at...])
        }
        return isVerbatim ? result + "]]>" : result
    }

    private mutating func written(_ scalar: Unicode.Scalar, rest: ArraySlice<Unicode.Scalar>) -> String {
        func hexadecimal(_ width: Int) -> String {
            let digits = String(scalar.value, radix: 16, uppercase: chance(2))
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        switch scalar {
        case "<": return pick(["&lt;", "&#60;", "&#x3C;", "&#x3c;"])
        case "&": return pick(["&amp;", "&#38;", "&#x0026;"])
        case ">": return pick(["&gt;", "&#62;"])
        case "\"" where chance(2): return "&quot;"
        case "'" where chance(2): return "&apos;"
        case "\n":
            // XML makes one line end of CR LF, and of a CR alone.
            return pick(["\n", "\n", "\r\n", "&#10;", "&#xA;", "_x000A_"] + (rest.first == "\n" ? [] : ["\r"]))
        case "\r": return pick(["&#13;", "&#xD;", "_x000D_", "_x000d_"])
        case "_":
            let next = rest.prefix(5).map { $0 }
            let isEscape = next.count == 5 && next[0] == "x" && next[1...].allSatisfy { $0.properties.isASCIIHexDigit }
            return isEscape ? "_x005F_" : "_"
        case "\t": return pick(["\t", "&#9;", "_x0009_"])
        case _ where scalar.value < 0x20: return "_x" + hexadecimal(4) + "_"
        default:
            guard chance(15) else { return String(scalar) }
            return chance(2) ? "&#\(scalar.value);" : "&#x" + hexadecimal(chance(8) ? 12 : 1) + ";"
        }
    }
}
