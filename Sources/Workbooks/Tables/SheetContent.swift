import Reports

/// A sheet before it is laid out, described as data: one description for both styles of a workbook.
struct SheetContent {
    /// What is between the title and the table.
    enum Block {
        /// Empty rows.
        case gap(Int = 1)
        case line(String, CellStyle.Role = .note)
        /// Broken into lines as wide as the table.
        case paragraph(String, CellStyle.Role = .note)
        case table(SheetTable)

        /// A row for each title with its text; the title bold.
        static func facts(_ facts: [(title: String, text: String)]) -> Block {
            .table(
                SheetTable(
                    columns: [
                        .init(title: "Title", role: .label, isSized: false), .init(title: "Text", isSized: false),
                    ],
                    lines: facts.map { [.text($0.title), .text($0.text)] }, hasHeader: false))
        }
    }

    var name: String
    var title: String
    /// Of the standard style.
    var blocks: [Block] = []
    /// Notes of the accessible style, where the standard style has lines and paragraphs.
    var notes: [any SheetNote] = []
    /// Of the accessible style, for a sheet without a table: a line each.
    var sentences: [String] = []
    /// What is to be read before the table in both styles; of the accessible style, a line each.
    var remarks: [String] = []
    var table: SheetTable?
    /// Whether it is printed on Legal paper, as wide as one page.
    var isOnWidePaper = false
}

/// Lays out the sheets of one workbook: what all of them share.
struct SheetFrame {
    /// Of the workbook.
    var title: String
    var isInternal: Bool
    /// A sentence on every sheet that may be released.
    var promise: String
    var style: WorkbookStyle

    private var stampOrPromise: String { isInternal ? SummaryReport.internalStamp : promise }

    func layout(_ content: SheetContent) -> SheetLayout { placed(content).sheet }

    /// - Returns: where its table is; nil: it has none.
    func placed(_ content: SheetContent) -> (sheet: SheetLayout, table: PlacedTable?) {
        var sheet = SheetLayout(name: content.name, isPlain: style == .accessible)
        sheet.isOnWidePaper = content.isOnWidePaper
        switch style {
        case .standard: begin(&sheet, content)
        case .accessible: beginAccessible(&sheet, content)
        }
        guard var table = content.table else { return (sheet, nil) }
        table.isOfRelease = !isInternal
        let placed = sheet.add(table)
        return (sheet, placed)
    }

    /// What is printed at the top of each page.
    var printedStamp: String? { isInternal ? SummaryReport.internalStamp : nil }

    /// A title and, under it, the stamp or the promise; then the blocks.
    private func begin(_ sheet: inout SheetLayout, _ content: SheetContent) {
        sheet.addLine(content.title, .title)
        sheet.addLine(stampOrPromise, isInternal ? .stamp : .notice)
        sheet.setHeight(0, 26)
        sheet.setHeight(1, 18)
        sheet.frozenRows = 2
        sheet.repeatedRows = 0...1
        let width = Self.textWidth(content)
        for block in content.blocks {
            switch block {
            case .gap(let count): sheet.row += count
            case .line(let text, let role): sheet.addLine(text, role)
            case .paragraph(let text, let role): sheet.addParagraph(text, role, width: width)
            case .table(var table):
                table.isOfRelease = !isInternal
                sheet.add(table)
            }
        }
    }

    /// How many characters a line above the table has: about as many as the table is wide.
    private static func textWidth(_ content: SheetContent) -> Int {
        guard var table = content.table else { return 110 }
        // The first lines are as wide as the others.
        table.lines = Array(table.lines.prefix(100))
        table.totals = .none
        var sheet = SheetLayout(name: content.name)
        sheet.add(table)
        return min(150, max(90, sheet.widths.values.reduce(0, +)))
    }

    /// A title in A1 and sentences below it.
    private func beginAccessible(_ sheet: inout SheetLayout, _ content: SheetContent) {
        sheet.addLine(content.title, .plainTitle)
        guard content.table == nil else {
            // A sentence runs over the empty cells beside it.
            for line in lines(content.notes) + content.remarks { sheet.addLine(line, .plainNumber) }
            return
        }
        for line in [stampOrPromise] + content.sentences {
            sheet.setHeight(sheet.row, SheetLayout.pointsPerLine * Double(1 + line.count / 100))
            sheet.addLine(line, .plain)
        }
        sheet.setWidth(0, 100)
    }

    /// What is between the title and the table in the accessible style.
    func lines(_ notes: [any SheetNote]) -> [String] {
        let numbers = notes.map { String($0.rawValue) }
        let reference =
            switch numbers.count {
            case 0: ""
            case 1: " Note \(numbers[0]) on the Notes worksheet belongs to it."
            default: " Notes \(numbers.joined(separator: ", ")) on the Notes worksheet belong to it."
            }
        return ["This worksheet contains one table.\(reference)", stampOrPromise]
    }

    /// The cover of the accessible style, which names the sheets.
    ///
    /// - Parameter facts: sentences about the whole workbook.
    func accessibleCover(of sheets: [SheetContent], facts: [String]) -> SheetContent {
        let count =
            sheets.count == 1
            ? "This workbook has one more worksheet, with one table:"
            : "This workbook has \(sheets.count) more worksheets, each with one table:"
        return SheetContent(
            name: "Cover", title: title, sentences: facts + [count] + sheets.map { "\($0.name): \($0.title)." })
    }

    /// The cover of the standard style: facts, what is on which sheet, and links to them.
    func cover(
        _ blocks: [SheetContent.Block], of sheets: [(name: String, text: String)], header: String, widths: (Int, Int)
    ) -> SheetContent {
        SheetContent(
            name: "Cover", title: title, blocks: blocks,
            table: SheetTable(
                name: "Contents",
                columns: [
                    .init(title: "Sheet", width: widths.0), .init(title: header, width: widths.1, isSized: false),
                ],
                lines: sheets.map { [.link($0.name), .text($0.text)] }, isHeaderFrozen: false))
    }

    /// The sheet of notes.
    func notes(_ notes: [(note: any SheetNote, subject: String, text: String)]) -> SheetContent {
        let isAccessible = style == .accessible
        return SheetContent(
            name: "Notes",
            title: isAccessible ? "What to know before figures are compared or added up" : "Notes", blocks: [.gap()],
            table: SheetTable(
                name: "Notes",
                columns: [
                    .init(title: "Note", role: .wrapped, width: 8), .init(title: "Subject", role: .wrapped, width: 24),
                    .init(title: "Text", role: .wrapped, width: 100, isSized: false, charactersPerLine: 105),
                ],
                lines: notes.map {
                    [
                        .text(isAccessible ? "note \($0.note.rawValue)" : String($0.note.rawValue)), .text($0.subject),
                        .text($0.text),
                    ]
                }))
    }
}
