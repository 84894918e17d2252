import KPIContract
import Mustache

/// A chart as the template draws it. Numbers are texts already.
struct ChartModel {
    /// The values of one shape by the names in the template.
    typealias Shape = [String: String]

    struct Row {
        var name: String
        var figures: [TableFigure]
    }

    var id: String
    var title: String
    var summary: String
    var height: String
    var ticks: [Shape] = []
    var boxes: [Shape] = []
    var lines: [Shape] = []
    var dots: [Shape] = []
    var labels: [Shape] = []
    var nameOfRows: String
    var columns: [String]
    var rows: [Row]

    /// In tenths of the drawing's unit.
    mutating func addBox(_ mark: String, x: Int, y: Int, width: Int, height: Int) {
        boxes.append([
            "mark": mark, "x": ChartScale.text(x), "y": ChartScale.text(y), "width": ChartScale.text(width),
            "height": ChartScale.text(height),
        ])
    }

    mutating func addLabel(_ mark: String, x: Int, y: Int, _ text: String) {
        labels.append(["mark": mark, "x": ChartScale.text(x), "y": ChartScale.text(y), "text": text])
    }
}

/// A figure in a table.
struct TableFigure: MustacheParent {
    var mark: String
    var text: String
    /// What leaves out trips, or counts others too: a sign after the figure and its words for a screen reader.
    var sign: String?
    var words: String?

    init(_ figure: CellFigure, _ format: FigureFormat) {
        mark = figure.mark
        text = figure.text(format)
        words = figure.coverage.words
        sign = words == nil ? nil : figure.coverage.mark
    }

    // By name, and never nil: what is not here would be looked for in the row and the page, field by field.
    func child(named name: String) -> Any? {
        switch name {
        case "mark": mark
        case "text": text
        case "sign": sign.map { $0 as Any } ?? false
        case "words": words.map { $0 as Any } ?? false
        default: nil
        }
    }
}

/// Draws the months of one region and trip type.
struct MonthChart {
    private typealias Scale = ChartScale
    /// Above this many months points are drawn only where no line reaches them.
    private static let mostDots = 36

    private struct Series {
        var kpi: KPIDescription
        var figures: [CellFigure]
        var values: [Int?] { figures.map { $0.value.map { Scale.chartFigure($0, kpi.format) } } }
    }

    private let plan: MonthChartPlan
    private let months: [String]
    private let series: [Series]

    init(_ plan: MonthChartPlan, _ index: CellFigures) {
        self.plan = plan
        months = index.months
        series = plan.measures.compactMap(KPICatalog.description(named:)).map { kpi in
            Series(kpi: kpi, figures: index.months.map { index.figure(kpi, at: .init(month: $0)) })
        }
    }

    var model: ChartModel {
        var model = ChartModel(
            id: plan.id, title: plan.title, summary: summary, height: "190", nameOfRows: "Month",
            columns: series.map(\.kpi.title),
            rows: months.indices.map { month in
                .init(name: months[month], figures: series.map { TableFigure($0.figures[month], $0.kpi.format) })
            })
        guard let format = series.first?.kpi.format, !months.isEmpty else { return model }
        let axis = ChartAxis(series.flatMap(\.values).compactMap(\.self), top: plan.top, base: Scale.base(format))
        model.ticks = axis.ticks.map { value in
            let y = axis.y(value)
            return [
                "mark": value == 0 && axis.low < 0 ? "grid zero" : "grid", "y": Scale.text(y),
                "labelY": Scale.text(y + 40), "label": Scale.tick(value, format),
            ]
        }
        for month in months.indices { addBoxes(month, axis, to: &model) }
        if !plan.isBars { for number in series.indices { addLine(number, axis, to: &model) } }
        for month in stride(from: 0, to: months.count, by: (months.count + 3) / 4) {
            model.addLabel("month", x: middle(month), y: 1820, months[month])
        }
        return model
    }

    private func edge(_ month: Int) -> Int { Scale.left + month * (Scale.right - Scale.left) / months.count }

    private func middle(_ month: Int) -> Int { (edge(month) + edge(month + 1)) / 2 }

    /// The month's bar, or the dashed box that says that it is hidden.
    private func addBoxes(_ month: Int, _ axis: ChartAxis, to model: inout ChartModel) {
        let gap = (edge(month + 1) - edge(month)) / 5
        let x = edge(month) + gap, width = edge(month + 1) - edge(month) - 2 * gap
        func addBox(_ mark: String, from y: Int) {
            model.addBox(mark, x: x, y: y, width: width, height: Scale.bottom - y)
        }
        let figures = series.map { $0.figures[month] }
        if figures.allSatisfy({ $0.value == nil }), figures.contains(.suppressed) {
            addBox("hidden-bar", from: Scale.bottom - 80)
        } else if plan.isBars, let value = series.first?.values[month] {
            let isPart = series.first?.figures[month].coverage.isIncomplete ?? false
            addBox(isPart ? "bar is-part" : "bar", from: axis.y(value))
        }
    }

    private func addLine(_ number: Int, _ axis: ChartAxis, to model: inout ChartModel) {
        let values = series[number].values, figures = series[number].figures
        var path: [String] = []
        for month in months.indices {
            guard let value = values[month] else { continue }
            let x = middle(month), y = axis.y(value)
            let follows = month > 0 && figures[month].isComparable(with: figures[month - 1])
            let goesOn = month + 1 < months.count && figures[month].isComparable(with: figures[month + 1])
            path.append((follows ? "L" : "M") + Scale.text(x) + " " + Scale.text(y))
            guard months.count <= Self.mostDots || (!follows && !goesOn) else { continue }
            if number == 0 {
                model.dots.append(["x": Scale.text(x), "y": Scale.text(y)])
            } else {
                model.addBox("square", x: x - 25, y: y - 25, width: 50, height: 50)
            }
        }
        let mark = number == 0 ? "line" : "line second"
        model.lines.append(["mark": mark, "path": path.joined(separator: " ")])
        guard series.count > 1 else { return }
        // The key: a piece of each line with its name.
        let x = number == 0 ? 460 : 1900
        model.lines.append(["mark": mark, "path": "M\(Scale.text(x)) 11 L\(Scale.text(x + 200)) 11"])
        model.addLabel("key", x: x + 260, y: 150, series[number].kpi.title)
    }

    /// A sentence for each series.
    private var summary: String {
        if months.isEmpty { return "There is no month to show." }
        return series.map { ChartSummary.months($0.kpi, months: months, figures: $0.figures) }.joined(separator: " ")
    }
}
