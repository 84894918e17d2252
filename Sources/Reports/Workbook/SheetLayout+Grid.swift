internal import KPIContract

extension SheetLayout {
    /// A line of the KPI table: its text columns and its cell; a nil cell is hidden whole.
    struct GridLine {
        var keys: [String]
        var cell: KPISummaryV1.Cell?
        /// Counted into the total row's sums.
        var isSummed = true
    }

    /// A named KPI table with its totals above the header, so that nothing stands below the table.
    struct Grid {
        var name: String
        var keyTitles: [String]
        var columns: [KPIColumn]
        var lines: [GridLine]
        /// The published totals, and what to call them.
        var total: KPISummaryV1.Cell?
        var totalTitle: String
        /// Ratios of lines are formulas; else the published figures.
        var hasLineFormulas = true

        func figure(_ column: KPIColumn, _ cell: KPISummaryV1.Cell?) -> Figure {
            cell.map(column.figure) ?? .hidden
        }

        /// A summary without totals is one without trips.
        func totalFigure(_ column: KPIColumn) -> Figure {
            total.map(column.figure) ?? .none
        }
    }

    /// Where a grid came to stand.
    struct PlacedGrid {
        var totalRow: Int
        var headerRow: Int
        var rows: Range<Int>
        /// By the name of the KPI.
        var columns: [String: Int]
    }

    /// Lays the grid out from the next free row on. A grid without lines is a sentence instead of a table.
    mutating func add(_ grid: Grid) -> PlacedGrid {
        var columns: [String: Int] = [:]
        for (index, column) in grid.columns.enumerated() { columns[column.name] = grid.keyTitles.count + index }
        let totalRow = row, headerRow = row + 1
        let rows = (headerRow + 1)..<(headerRow + 1 + grid.lines.count)
        let placed = PlacedGrid(totalRow: totalRow, headerRow: headerRow, rows: rows, columns: columns)
        addTotals(grid, placed)
        let headers = grid.keyTitles + grid.columns.map(\.title)
        for (column, title) in headers.enumerated() {
            let role: CellStyle.Role = column < grid.keyTitles.count ? .header : .numberHeader
            put(title, role, row: headerRow, column: column)
        }
        setHeight(totalRow, 18)
        setHeight(headerRow, 48)
        for (offset, line) in grid.lines.enumerated() {
            addLine(line, of: grid, placed, row: rows.lowerBound + offset)
        }
        row = rows.upperBound
        frozenRows = headerRow + 1
        repeatedRows = headerRow...headerRow
        if grid.lines.isEmpty {
            put("No trips in this report.", .note, row: row, column: 0, sized: false)
            row += 1
        } else {
            table = Table(name: grid.name, headerRow: headerRow, headers: headers, rowCount: grid.lines.count)
        }
        return placed
    }

    private mutating func addLine(_ line: GridLine, of grid: Grid, _ placed: PlacedGrid, row: Int) {
        for (column, key) in line.keys.enumerated() { put(key, .body, row: row, column: column) }
        var figures: [String: Figure] = [:]
        for column in grid.columns { figures[column.name] = grid.figure(column, line.cell) }
        let operands = FigureRow(row: row, columns: placed.columns, figures: figures)
        for (offset, column) in grid.columns.enumerated() {
            let figure = grid.figure(column, line.cell)
            let formula = grid.hasLineFormulas ? column.rowFormula(for: figure, in: operands) : nil
            put(figure, .body, row: row, column: grid.keyTitles.count + offset, formula: formula)
        }
    }

    private mutating func addTotals(_ grid: Grid, _ placed: PlacedGrid) {
        let row = placed.totalRow
        for column in grid.keyTitles.indices {
            put(column == 0 ? grid.totalTitle : "", .total, row: row, column: column)
        }
        var figures: [String: Figure] = [:]
        for column in grid.columns { figures[column.name] = grid.totalFigure(column) }
        let operands = FigureRow(row: row, columns: placed.columns, figures: figures)
        for (offset, column) in grid.columns.enumerated() {
            let figure = grid.totalFigure(column)
            let place = grid.keyTitles.count + offset
            var formula = column.rowFormula(for: figure, in: operands)
            if case .sum = column.total { formula = sumFormula(for: figure, column, of: grid, placed, place) }
            put(figure, .total, row: row, column: place, formula: formula)
        }
    }

    private func sumFormula(
        for figure: Figure, _ column: KPIColumn, of grid: Grid, _ placed: PlacedGrid, _ place: Int
    ) -> String? {
        let summed = grid.lines.filter(\.isSummed).map { grid.figure(column, $0.cell) }
        let range = SheetLayout.rangeName(rows: placed.rows, column: place)
        guard summed.count < grid.lines.count else {
            return KPIColumn.sumFormula(for: figure, over: summed, as: "SUM(\(range))")
        }
        // Lines that are themselves sums stand in the table too: count only those whose keys are all single.
        let conditions = grid.keyTitles.indices.map {
            SheetLayout.rangeName(rows: placed.rows, column: $0) + ",\"<>All\""
        }
        let sum = "SUMIFS(\(range),\(conditions.joined(separator: ",")))"
        return KPIColumn.sumFormula(for: figure, over: summed, as: sum)
    }
}
