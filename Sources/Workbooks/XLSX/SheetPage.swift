/// How a sheet goes on paper: on one page where it can be read there; else as wide as a page, with its header on each.
struct SheetPage {
    enum Form: Equatable {
        /// As small as it takes.
        case onePage
        /// So many pages wide, and as many high as it takes.
        case wide(Int)
        /// A page for the table and one for the chart beside it: on one page neither could be read, and without a break the
        /// chart could be on two. In per cent of full size.
        case divided(beforeColumn: Int, scale: Int)
    }

    /// Pixels of a row and of a column, of 96 to the inch, where nothing else is set.
    static let rowPixels = 20
    private static let columnPixels = 64
    /// What fits on Letter and on Legal paper, landscape, at full size. A twentieth is left for programs with wider fonts.
    private static let letterWidth = 912, legalWidth = 1186, pageHeight = 638
    /// A scale is fixed, where the other forms fit the page, and a program without Calibri makes columns wider.
    private static let roomForWiderFonts = 0.87
    /// Smaller text than this part of full size is hard to read: a page more is better.
    private static let leastScale = 0.6, leastScaleOfTable = 0.5

    let form: Form
    /// The last row and column that are printed.
    let corner: (row: Int, column: Int)

    init(_ layout: SheetLayout) {
        let columns = Columns(layout.widths)
        let charts = layout.charts.map { chart in
            (
                column: columns.last(before: columns.start(of: chart.column) + ChartLayout.width),
                row: chart.row + ChartLayout.rowCount
            )
        }
        let tableColumn = max(
            layout.lastCell.column, columns.last(before: layout.lineCharacters * Columns.characterPixels))
        let last = (
            row: charts.map(\.row).reduce(layout.lastCell.row, max),
            column: charts.map(\.column).reduce(tableColumn, max)
        )
        corner = (layout.printedCorner?.row ?? last.row, last.column)
        let height = (0...corner.row).reduce(0) { sum, row in
            sum + (layout.heights[row].map { Int($0 * 4 / 3) } ?? Self.rowPixels)
        }
        let page = Double(layout.isOnWidePaper ? Self.legalWidth : Self.letterWidth)
        let scale = page / Double(columns.start(of: corner.column + 1))
        let tableScale = Self.roomForWiderFonts * page / Double(columns.start(of: tableColumn + 1))
        let heightScale = Double(Self.pageHeight) / Double(height)
        if min(scale, heightScale) >= Self.leastScale {
            form = .onePage
        } else if let chart = layout.charts.map(\.column).min(), scale < Self.leastScale {
            let least = heightScale < Self.leastScaleOfTable ? tableScale : min(tableScale, heightScale)
            form = .divided(beforeColumn: chart, scale: max(10, min(100, Int(least * 100))))
        } else {
            let isTooWide = scale < Self.leastScaleOfTable && layout.frozenColumns > 0 && !layout.isOnWidePaper
            form = .wide(isTooWide ? 2 : 1)
        }
    }

    /// Where columns are, from the left.
    private struct Columns {
        static let characterPixels = 7
        private static let margin = 5
        private let widths: [Int: Int]

        init(_ widths: [Int: Int]) { self.widths = widths }

        private func pixels(_ column: Int) -> Int {
            widths[column].map { $0 * Self.characterPixels + Self.margin } ?? SheetPage.columnPixels
        }

        func start(of column: Int) -> Int { (0..<column).reduce(0) { $0 + pixels($1) } }

        /// The last column that begins before this.
        func last(before end: Int) -> Int {
            var column = 0, start = pixels(0)
            while start < end {
                column += 1
                start += pixels(column)
            }
            return column
        }
    }
}
