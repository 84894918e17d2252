import Basics
import KPIContract
import Reports

/// The one writer of tables, in both styles.
extension SheetLayout {
    /// In a plain table no column is wider; longer text wraps.
    private static let widest = 60
    static let pointsPerLine = 15.0

    /// Lays the table out from the next free row on. If the sheet is not plain, a table without lines is its sentence.
    @discardableResult
    mutating func add(_ table: SheetTable) -> PlacedTable { isPlain ? addPlain(table) : addStandard(table) }

    private mutating func addStandard(_ table: SheetTable) -> PlacedTable {
        var headerRow = row
        if case .none = table.totals {} else { headerRow += 1 }
        let firstRow = headerRow + (table.hasHeader ? 1 : 0)
        var placed = PlacedTable(
            headerRow: headerRow, rows: firstRow..<(firstRow + table.lines.count), places: table.places)
        if headerRow > row { setHeight(placed.totalRow, 18) }
        if table.hasTotals { placed.namedTotals = addTotals(table, placed) }
        if table.hasHeader {
            for (column, shape) in table.columns.enumerated() {
                put(shape.title, shape.unit == nil ? .header : .numberHeader, row: headerRow, column: column)
            }
        }
        if let height = table.headerHeight { setHeight(headerRow, height) }
        for offset in table.lines.indices { addLine(offset, of: table, placed) }
        for (column, shape) in table.columns.enumerated() {
            if let width = shape.width { setWidth(column, width) }
        }
        row = placed.rows.upperBound
        limitPrint(to: table, placed)
        if table.hasHeader, table.isHeaderFrozen {
            frozenRows = headerRow + 1
            frozenColumns = table.frozenColumns
            repeatedRows = headerRow...headerRow
        }
        if table.lines.isEmpty, let text = table.emptyText {
            addLine(text)
        } else {
            mark(table, placed, headers: table.columns.map(\.title), rowCount: table.lines.count)
        }
        return placed
    }

    private mutating func mark(_ table: SheetTable, _ placed: PlacedTable, headers: [String], rowCount: Int) {
        guard let name = table.name else { return }
        self.table = MarkedTable(
            name: name, headerRow: placed.headerRow, headers: headers, rowCount: rowCount, isPlain: isPlain)
    }

    /// - Returns: the totals that have a name.
    private mutating func addTotals(_ table: SheetTable, _ placed: PlacedTable) -> [String: ShownValue] {
        var named: [String: ShownValue] = [:]
        let row = placed.totalRow
        let line = table.totalLine()
        for (column, cell) in line.enumerated() {
            let shape = table.columns[column]
            guard let value = cell.value else {
                let title = column == 0 ? table.totalTitle : ""
                put(title, .total, row: row, column: column, sized: shape.unit == nil)
                continue
            }
            let formula =
                table.sumFormula(of: column, value, rows: placed.rows)
                ?? table.formula(of: column, in: line, row: row, places: placed.places)
            put(value, .total, isRounded: table.isRounded(value), row: row, column: column, formula: formula)
            guard let name = table.totalNames[shape.title] else { continue }
            names.append(NamedCell(name: name, row: row, column: column))
            named[name] = value
        }
        return named
    }

    private mutating func addLine(_ offset: Int, of table: SheetTable, _ placed: PlacedTable) {
        let line = table.lines[offset], row = placed.rows.lowerBound + offset
        for column in table.columnOrder ?? Array(line.indices) {
            let shape = table.columns[column]
            switch line[column] {
            case .text(let text):
                put(text, shape.role, row: row, column: column, sized: shape.isSized)
                if let limit = shape.charactersPerLine {
                    setHeight(row, Self.pointsPerLine * Double(1 + text.count / limit))
                }
            case .value(let value):
                var formula = table.formula?(offset, column, placed.rows.lowerBound)
                if formula == nil, table.hasLineFormulas {
                    formula = table.formula(of: column, in: line, row: row, places: placed.places)
                }
                put(
                    value, shape.role, isRounded: table.isRounded(value), row: row, column: column, formula: formula)
            case .month(let text, _):
                put(text, shape.role, format: line[column].format, row: row, column: column)
            case .verdict(let verdict): put(verdict.words, verdict.role, row: row, column: column)
            case .link(let sheet): link(to: sheet, row: row, column: column)
            case .blank: break
            }
        }
    }

    /// A table at the left edge down to the last row, of which no cell is empty. Its totals are its first line.
    private mutating func addPlain(_ table: SheetTable) -> PlacedTable {
        let headerRow = row
        let headers = table.columns.map { column in column.title + (column.note.map { " \($0.mark)" } ?? "") }
        for (column, header) in headers.enumerated() {
            let role: CellStyle.Role = table.columns[column].unit == nil ? .plainHeader : .plainNumberHeader
            put(header, role, row: headerRow, column: column)
        }
        var lines = table.lines
        if table.hasTotals {
            let totals = zip(table.totalLine(), table.columns).map { cell, column in
                column.unit == nil ? .text(CellKey.all) : cell
            }
            lines.insert(totals, at: 0)
        }
        for (offset, line) in lines.enumerated() { addPlain(line, of: table, row: headerRow + 1 + offset) }
        for (column, width) in widths { setWidth(column, min(width, Self.widest)) }
        let headerLines = headers.enumerated().map { column, header in
            1 + header.count / max(1, (widths[column] ?? Self.widest) - 3)
        }
        setHeight(headerRow, Self.pointsPerLine * Double(headerLines.max() ?? 1))
        let placed = PlacedTable(
            headerRow: headerRow, rows: (headerRow + 1)..<(headerRow + 1 + lines.count), places: table.places)
        mark(table, placed, headers: headers, rowCount: lines.count)
        limitPrint(to: table, placed)
        repeatedRows = 0...headerRow
        return placed
    }

    private mutating func limitPrint(to table: SheetTable, _ placed: PlacedTable) {
        guard let count = table.printedLines, count < placed.rows.count else { return }
        printedCorner = (placed.rows.lowerBound + count - 1, table.columns.count - 1)
    }

    private mutating func addPlain(_ line: [SheetCell], of table: SheetTable, row: Int) {
        var textLines = 1
        for (column, cell) in line.enumerated() {
            if table.columns[column].unit == nil {
                let text = cell.text.isEmpty ? "none" : cell.text
                put(text, .plain, format: cell.format, row: row, column: column)
                textLines = max(textLines, 1 + text.count / (Self.widest - 4))
            } else {
                let value = cell.value ?? .notApplicable
                put(value, .plainNumber, isRounded: table.isRounded(value), row: row, column: column)
            }
        }
        if textLines > 1 { setHeight(row, Self.pointsPerLine * Double(textLines)) }
    }
}
