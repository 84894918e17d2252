import Reports

/// Where a table is on its sheet.
struct PlacedTable {
    var headerRow: Int
    var rows: Range<Int>
    /// Columns by their titles.
    var places: [String: Int]
    /// The totals that have a name, by it.
    var namedTotals: [String: ShownValue] = [:]

    var totalRow: Int { headerRow - 1 }

    func column(_ title: String) -> Int { places[title] ?? 0 }
}
