/// The texts of a workbook, each with its sheet and cell; of parts that are no sheets, the part's name.
struct WorkbookPieces {
    private let members: [ZipMembers.Member]
    private let sheetNames: [String]

    init(_ members: [ZipMembers.Member]) {
        self.members = members
        var names: [String] = []
        if let workbook = members.first(where: { $0.name == "xl/workbook.xml" }) {
            MarkupPieces.walk(workbook.bytes) { bytes, range, context in
                if context.tag == "sheet", context.attribute == "name" {
                    names.append(String(decoding: bytes[range], as: UTF8.self))
                }
            }
        }
        sheetNames = names
    }

    func walk(_ visit: (_ bytes: [UInt8], _ range: Range<Int>, _ isFigure: Bool, _ place: () -> String) -> Void) {
        for member in members {
            let number = sheetNumber(member)
            var cell = "", shared = -1
            MarkupPieces.walk(member.bytes) { bytes, range, context in
                if context.tag == "c", context.attribute == "r" { cell = String(decoding: bytes[range], as: UTF8.self) }
                if context.tag == "t" || context.tag == "si", member.name == "xl/sharedStrings.xml" {
                    if context.attribute == nil, context.tag == "t" { shared += 1 }
                }
                if Self.isPlace(bytes[range], context) { return }
                // Numbers of cells and of the layout are figures; a text cell is none.
                let isFigure = context.tag == "v" || (context.attribute != nil && Self.isNumber(bytes[range]))
                func whereItStands() -> String {
                    if let number { return "sheet \(name(number)), cell \(cell)" }
                    if member.name == "xl/sharedStrings.xml", shared >= 0 { return place(ofShared: shared) }
                    return "part \(member.name), byte \(context.offset)"
                }
                let isFormula = context.tag == "f" && context.attribute == nil
                for piece in isFormula ? CellReferences.rest(of: bytes, range) : [range] {
                    visit(bytes, piece, isFigure, whereItStands)
                }
            }
        }
    }

    private static let places: Set = ["r", "ref", "sqref", "spans", "topLeftCell", "activeCell"]

    /// Where a cell or an area lies, such as `C1000` or `A5:K17 M5`: many an identifier looks the same.
    private static func isPlace(_ text: ArraySlice<UInt8>, _ context: MarkupPieces.Context) -> Bool {
        guard let attribute = context.attribute, places.contains(attribute) else { return false }
        return text.split { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: " ") }.allSatisfy(CellReferences.isOne)
    }

    /// Counted from 1; nil for other parts.
    private func sheetNumber(_ member: ZipMembers.Member) -> Int? {
        guard member.name.hasPrefix("xl/worksheets/sheet"), member.name.hasSuffix(".xml") else { return nil }
        return Int(member.name.dropFirst("xl/worksheets/sheet".count).dropLast(4))
    }

    private func name(_ number: Int) -> String {
        sheetNames.indices.contains(number - 1) ? sheetNames[number - 1] : "\(number)"
    }

    /// Where a shared text first stands.
    private func place(ofShared index: Int) -> String {
        for member in members {
            guard let number = sheetNumber(member) else { continue }
            var cell = "", isShared = false
            var found: String?
            MarkupPieces.walk(member.bytes) { bytes, range, context in
                let text = String(decoding: bytes[range].prefix(20), as: UTF8.self)
                switch (context.tag, context.attribute) {
                case ("c", "r"): (cell, isShared) = (text, false)
                case ("c", "t"): isShared = text == "s"
                case ("v", nil): if isShared, text == String(index), found == nil { found = cell }
                default: break
                }
            }
            if let found { return "sheet \(name(number)), cell \(found)" }
        }
        return "shared text \(index + 1)"
    }

    private static func isNumber(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.allSatisfy { SpanFacts.isDigit($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") }
    }
}
