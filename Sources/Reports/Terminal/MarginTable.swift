/// A table for a terminal: a margin for marks, a name, and figures at the right of their columns. A column without a figure
/// is dropped, and so is a row in which every figure is hidden.
struct MarginTable: Sendable {
    struct Column: Sendable {
        /// The header in two lines.
        let header: [String]
        /// The column with the lowest rank goes first if a line has no room for all of them; nil: it stays.
        var rank: Int?
    }

    struct Row: Sendable {
        /// One character.
        var mark = " "
        let name: String
        let figures: [CellText]
    }

    /// A line of the table.
    struct Line: Sendable, Hashable {
        let text: String
        var isHeader = false
    }

    private static let leastName = 14
    private static let margin = 2

    private let title: String
    private let columns: [Column]
    /// Those that are shown.
    let rows: [Row]
    /// Names of the rows that are dropped.
    let hiddenNames: [String]

    /// - Parameter title: stands above the names.
    init(title: String, columns: [Column], rows: [Row]) {
        func isHidden(_ row: Row) -> Bool {
            row.figures.contains(.notShown) && row.figures.allSatisfy { $0 == .notShown || $0.text.isEmpty }
        }
        let shown = rows.filter { !isHidden($0) }
        let used = columns.indices.filter { place in shown.contains { $0.figures[place].isFigure } }
        self.title = title
        self.columns = used.map { columns[$0] }
        self.rows = shown.map { row in
            let figures = used.map { row.figures[$0] }
            let mark = row.mark == " " && figures.contains(where: \.isIncomplete) ? "+" : row.mark
            return Row(mark: mark, name: row.name, figures: figures)
        }
        hiddenNames = rows.filter(isHidden).map(\.name)
    }

    /// Whether a figure of the table is hidden.
    var hasHidden: Bool { rows.contains { $0.figures.contains(.notShown) } }

    func has(_ mark: String) -> Bool { rows.contains { $0.mark == mark } }

    /// At most `width` columns wide; empty without rows.
    func lines(_ width: Int = TableReport.width) -> [Line] {
        guard !rows.isEmpty else { return [] }
        var places = Array(columns.indices)
        func room(_ place: Int) -> Int {
            2 + (columns[place].header + rows.map { $0.figures[place].text }).map(\.count).reduce(0, max)
        }
        func total() -> Int { places.map(room).reduce(0, +) }
        while width - Self.margin - total() < Self.leastName,
            let least = places.filter({ columns[$0].rank != nil }).min(by: { rank($0) < rank($1) })
        {
            places.removeAll { $0 == least }
        }
        let longest = (rows.map(\.name) + [title]).map(\.count).reduce(Self.leastName, max)
        let name = max(1, min(longest, width - Self.margin - total()))
        let names = TextColumn.distinct(rows.map(\.name), to: name)
        func line(_ mark: String, _ title: String, _ figures: [String]) -> String {
            let text =
                mark + " " + TextColumn.left(title, name + 1).prefix(name)
                + zip(figures, places).map { TextColumn.right($0, room($1)) }.joined()
            return String(text.reversed().drop { $0 == " " }.reversed())
        }
        return [
            Line(text: line(" ", "", places.map { columns[$0].header[0] }), isHeader: true),
            Line(text: line(" ", title, places.map { columns[$0].header[1] }), isHeader: true),
        ]
            + rows.map { row in
                Line(text: line(row.mark, names[row.name] ?? row.name, places.map { row.figures[$0].text }))
            }
    }

    private func rank(_ place: Int) -> Int { columns[place].rank ?? 0 }
}
