/// A sheet of the cost workbook before it is laid out, the same for both profiles.
struct CostSheet {
    var name: String
    var title: String
    /// What must not be overlooked.
    var warning: String?
    var paragraphs: [String] = []
    var grid: CostGrid
    /// Of totals, by their place among the columns.
    var totalNames: [Int: String] = [:]
    var emphasis: (kind: Emphasis.Kind, places: ClosedRange<Int>)?
    /// What the accessible profile says on its Notes sheet, where the others have paragraphs.
    var notes: [CostNote] = []
}

extension CostWorkbook {
    func layout(_ content: CostSheet) -> SheetLayout { placed(content).sheet }

    func placed(_ content: CostSheet) -> (sheet: SheetLayout, place: SheetLayout.PlacedCosts) {
        var sheet = base.frame(content.name, title: content.title)
        if let warning = content.warning {
            sheet.put(warning, .stamp, row: sheet.row, column: 0, sized: false)
            sheet.row += 1
        }
        for paragraph in content.paragraphs { sheet.addParagraph(paragraph) }
        base.addCoverage(to: &sheet)
        let placed = sheet.add(content.grid, naming: content.totalNames)
        if let emphasis = content.emphasis, !placed.rows.isEmpty {
            let columns = placed.column(emphasis.places.lowerBound)...placed.column(emphasis.places.upperBound)
            sheet.emphases.append(Emphasis(kind: emphasis.kind, rows: placed.rows, columns: columns))
        }
        return (sheet, placed)
    }
}
