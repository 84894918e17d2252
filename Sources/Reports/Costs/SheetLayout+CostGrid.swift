extension SheetLayout {
    /// Where a cost grid came to stand.
    struct PlacedCosts {
        var totalRow: Int
        var headerRow: Int
        var rows: Range<Int>
        /// The sheet's column of each of the grid's.
        var firstColumn: Int

        func column(_ place: Int) -> Int { firstColumn + place }
    }

    /// Lays the grid out from the next free row on, and freezes its header.
    ///
    /// - Parameter names: of totals, by their place among the columns.
    @discardableResult
    mutating func add(_ grid: CostGrid, naming names: [Int: String] = [:]) -> PlacedCosts {
        // Totals keep clear of a note above them.
        if grid.hasTotals { row += 1 }
        let totalRow = row, headerRow = row + 1, firstColumn = grid.keyTitles.count
        let rows = (headerRow + 1)..<(headerRow + 1 + grid.lines.count)
        if grid.hasTotals { addTotals(grid, row: totalRow, rows: rows, naming: names) }
        let headers = grid.keyTitles + grid.columns.map(\.title)
        for (column, title) in headers.enumerated() {
            put(title, column < firstColumn ? .header : .numberHeader, row: headerRow, column: column)
        }
        setHeight(totalRow, 18)
        setHeight(headerRow, 48)
        for (offset, line) in grid.lines.enumerated() {
            let row = rows.lowerBound + offset
            for (column, key) in line.keys.enumerated() { put(key, .body, row: row, column: column) }
            for (place, figure) in line.figures.enumerated() {
                guard let figure else { continue }
                put(
                    figure, .body, row: row, column: firstColumn + place,
                    formula: grid.formula(place, line.figures, row: row))
            }
        }
        row = rows.upperBound
        frozenRows = headerRow + 1
        frozenColumns = min(grid.keyTitles.count, 2)
        repeatedRows = headerRow...headerRow
        if grid.lines.isEmpty {
            put(grid.emptyText, .note, row: row, column: 0, sized: false)
            row += 1
        } else {
            table = Table(name: grid.name, headerRow: headerRow, headers: headers, rowCount: grid.lines.count)
        }
        return PlacedCosts(totalRow: totalRow, headerRow: headerRow, rows: rows, firstColumn: firstColumn)
    }

    private mutating func addTotals(_ grid: CostGrid, row: Int, rows: Range<Int>, naming names: [Int: String]) {
        for column in grid.keyTitles.indices {
            put(column == 0 ? grid.totalTitle : "", .total, row: row, column: column)
        }
        let totals = grid.totals()
        for (place, total) in totals.enumerated() {
            let column = grid.keyTitles.count + place
            guard let total else {
                put("", .total, row: row, column: column, sized: false)
                continue
            }
            let formula = grid.totalFormula(place, total, rows: rows) ?? grid.formula(place, totals, row: row)
            put(total, .total, row: row, column: column, formula: formula)
            if let name = names[place] { self.names.append((name, row, column)) }
        }
    }
}
