/// A chart of columns of a sheet: the one that it is on, or another.
package struct ChartLayout {
    package enum Kind {
        case line, stackedColumn
    }

    package struct Series {
        package var column: Int
        /// In the legend.
        package var name: String
        /// RGB, at least 3:1 against white.
        package var color: UInt32
        package var pattern: Pattern

        package init(column: Int, name: String, color: UInt32, pattern: Pattern = .solid) {
            self.column = column
            self.name = name
            self.color = color
            self.pattern = pattern
        }
    }

    /// Distinguishes series without colour.
    package enum Pattern {
        case solid, striped, dotted
    }

    package var kind: Kind
    package var title: String
    /// What the chart shows, in words, for those who do not see it.
    package var altText: String
    package var valueAxis: String
    package var valueFormat = "#,##0"
    /// Where the columns are.
    package var dataSheet: String
    package var rows: Range<Int>
    package var categoryColumn: Int
    package var series: [Series]
    /// Rows whose points are hollow.
    package var hollowRows: [Int] = []
    /// Where the value axis begins; nil: below the least value, which can be less than 0.
    package var axisStart: Double? = 0
    /// Where its upper left corner is.
    package var row = 0
    package var column = 0

    /// In pixels.
    static let width = 600, height = 320

    package init(
        _ kind: Kind, title: String, altText: String, valueAxis: String, dataSheet: String, rows: Range<Int>,
        categoryColumn: Int, series: [Series]
    ) {
        self.kind = kind
        self.title = title
        self.altText = altText
        self.valueAxis = valueAxis
        self.dataSheet = dataSheet
        self.rows = rows
        self.categoryColumn = categoryColumn
        self.series = series
    }

    /// How many rows of a usual height the chart covers.
    package static var rowCount: Int { (height + SheetPage.rowPixels - 1) / SheetPage.rowPixels }

    /// A round number at or below the least value, so that a line fills its chart. At most 9 steps of 1, 2 or 5 times a power
    /// of ten are between it and the largest value.
    ///
    /// - Parameter unit: that the steps are counted in.
    package static func axisStart(of values: [Double], unit: Double = 1) -> Double {
        guard let least = values.min(), let most = values.max(), least > 0 else { return 0 }
        var step = 1.0, factors = [2.0, 2.5, 2.0].makeIterator()
        while (most - least) / unit / step > 8 {
            if let factor = factors.next() {
                step *= factor
            } else {
                factors = [2.0, 2.5, 2.0].makeIterator()
            }
        }
        return (least / unit / step).rounded(.down) * step * unit
    }
}
