import Reports

import Costs
import KPIContract
import Trips

/// The chart of in-house and contracted cost, in the standard style.
extension CostWorkbook {
    /// In-house and contracted cost of a line.
    static func costs(_ line: [SheetCell], _ table: SheetTable) -> [ShownValue?] {
        let places = table.places
        return costTitles.map { title in places[title].flatMap { line[$0].value } }
    }

    /// The sheet of both costs by month, with a chart.
    func chartedSourcing() -> SheetLayout {
        var content = sourcingSheet()
        guard var table = content.table else { return frame.layout(content) }
        let plotted = addPlots(to: &table)
        content.table = table
        var (sheet, placed) = frame.placed(content)
        if let plotted, let placed { sheet.charts = [chart(table, placed, plotted: plotted)] }
        return sheet
    }

    /// Whether a month may be compared with the others: both costs are shown, and leave out no trips.
    private static func isPlotted(_ line: [SheetCell], _ table: SheetTable) -> Bool {
        costs(line, table).allSatisfy { $0?.whole != nil && $0?.coverage == FigureCoverage.all }
    }

    /// The columns in which the chart finds its values: a month that is left out must be a gap, and the word `hidden`
    /// would be drawn as 0. Nil if there is nothing to draw.
    private func addPlots(to table: inout SheetTable) -> [String]? {
        let shown = table.lines.count { Self.isPlotted($0, table) }
        guard shown > 0 else { return nil }
        guard shown < table.lines.count else { return Self.costTitles }
        let plots = table.lines.map { line -> [SheetCell] in
            Self.isPlotted(line, table)
                ? Self.costs(line, table).map { cost in cost.map { SheetCell.value($0) } ?? .blank } : [.blank, .blank]
        }
        for (index, cells) in plots.enumerated() { table.lines[index] += cells }
        let titles = ["In-house, plotted", "Contracted, plotted"]
        table.columns += titles.map { .init(title: $0, unit: .cents) }
        return titles
    }

    private func chart(_ table: SheetTable, _ placed: PlacedTable, plotted: [String]) -> ChartLayout {
        let plottedLines = table.lines.filter { Self.isPlotted($0, table) }
        let shown = plottedLines.map { line in
            // In groups of three: nine digits in a row would be taken for a social security number.
            let dollars = Self.costs(line, table).map { cost -> String in
                let dollars = cost?.cellNumber ?? 0
                return (dollars < 0 ? "-$" : "$") + NumberText.grouped(Int(abs(dollars).rounded()))
            }
            return "\(line[0].text) in-house \(dollars[0]), contracted \(dollars[1])"
        }
        let hidden = table.lines.count - shown.count
        let looks: [(UInt32, ChartLayout.Pattern)] = [(0x1F4E79, .solid), (0xC55A11, .striped)]
        var chart = ChartLayout(
            kind: .stackedColumn, title: "Cost by sourcing, without unclassified trips",
            altText: "Stacked columns of cost per month by sourcing, without unclassified trips, to the dollar: "
                + "\(shown.joined(separator: "; "))."
                + (hidden > 0 ? " \(hidden) months are hidden or not comparable." : ""),
            valueAxis: "Dollars", valueFormat: "$#,##0", headerRow: placed.headerRow, rows: placed.rows,
            categoryColumn: 0,
            series: looks.enumerated().map { index, look in
                ChartLayout.Series(
                    column: placed.column(plotted[index]), nameColumn: placed.column(Self.costTitles[index]),
                    color: look.0, pattern: look.1)
            }, row: placed.headerRow, column: table.columns.count + 1)
        chart.hasNegative = plottedLines.contains { line in Self.costs(line, table).contains { $0?.whole ?? 0 < 0 } }
        if chart.hasNegative { chart.altText += " Where refunds leave a negative cost, its column goes down from 0." }
        return chart
    }
}
