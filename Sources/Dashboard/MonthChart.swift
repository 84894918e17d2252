import KPIContract
import Mustache

/// A chart of months as the template draws it. Numbers are texts already.
struct ChartModel {
    struct Tick {
        var mark: String
        var y: String
        var labelY: String
        var label: String
    }

    struct Box {
        var mark: String
        var x: String
        var y: String
        var width: String
        var height: String
    }

    struct Dot {
        var x: String
        var y: String
    }

    struct Line {
        var mark: String
        var path: String
    }

    struct Label {
        var mark: String
        var x: String
        var y: String
        var text: String
    }

    struct Row {
        var name: String
        var figures: [TableFigure]
    }

    var id: String
    var title: String
    var summary: String
    var height: String
    var ticks: [Tick] = []
    var boxes: [Box] = []
    var lines: [Line] = []
    var dots: [Dot] = []
    var labels: [Label] = []
    var nameOfRows: String
    var columns: [String]
    var rows: [Row]
}

/// A figure in a table.
struct TableFigure: MustacheParent {
    var mark: String
    var text: String
    /// What leaves out trips, or counts others too: a sign after the figure and its words for a screen reader.
    var sign: String?
    var words: String?

    init(_ figure: Figure, _ format: KPIDescription.Format) {
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
        var figures: [Figure]
        var values: [Int?] { figures.map { $0.value.map { Scale.chartFigure($0, kpi.format) } } }
    }

    private let plan: MonthChartPlan
    private let months: [String]
    private let series: [Series]

    init(_ plan: MonthChartPlan, _ index: CellIndex) {
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
            return .init(
                mark: value == 0 && axis.low < 0 ? "grid zero" : "grid", y: Scale.text(y), labelY: Scale.text(y + 40),
                label: Scale.tick(value, format))
        }
        for month in months.indices { addBoxes(month, axis, to: &model) }
        if !plan.isBars { for number in series.indices { addLine(number, axis, to: &model) } }
        let every = (months.count + 3) / 4
        model.labels += stride(from: 0, to: months.count, by: every).map {
            .init(mark: "month", x: Scale.text(middle($0)), y: "182", text: months[$0])
        }
        return model
    }

    private func edge(_ month: Int) -> Int { Scale.left + month * (Scale.right - Scale.left) / months.count }

    private func middle(_ month: Int) -> Int { (edge(month) + edge(month + 1)) / 2 }

    /// The month's bar, or the dashed box that says that it is hidden.
    private func addBoxes(_ month: Int, _ axis: ChartAxis, to model: inout ChartModel) {
        let gap = (edge(month + 1) - edge(month)) / 5
        let x = edge(month) + gap, width = edge(month + 1) - edge(month) - 2 * gap
        func box(_ mark: String, from y: Int) -> ChartModel.Box {
            .init(
                mark: mark, x: Scale.text(x), y: Scale.text(y), width: Scale.text(width),
                height: Scale.text(Scale.bottom - y))
        }
        let figures = series.map { $0.figures[month] }
        if figures.allSatisfy({ $0.value == nil }), figures.contains(.hidden) {
            model.boxes.append(box("hidden-bar", from: Scale.bottom - 80))
        } else if plan.isBars, let value = series.first?.values[month] {
            let isPart = series.first?.figures[month].coverage.isIncomplete ?? false
            model.boxes.append(box(isPart ? "bar is-part" : "bar", from: axis.y(value)))
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
                model.dots.append(.init(x: Scale.text(x), y: Scale.text(y)))
            } else {
                model.boxes.append(
                    .init(mark: "square", x: Scale.text(x - 25), y: Scale.text(y - 25), width: "5", height: "5"))
            }
        }
        model.lines.append(.init(mark: number == 0 ? "line" : "line second", path: path.joined(separator: " ")))
        guard series.count > 1 else { return }
        // The key: a piece of each line with its name.
        let x = number == 0 ? 460 : 1900
        model.lines.append(
            .init(
                mark: number == 0 ? "line" : "line second", path: "M\(Scale.text(x)) 11 L\(Scale.text(x + 200)) 11"))
        model.labels.append(
            .init(mark: "key", x: Scale.text(x + 260), y: "15", text: series[number].kpi.title))
    }

    /// A sentence for each series.
    private var summary: String {
        if months.isEmpty { return "There is no month to show." }
        return series.map { ChartSummary.months($0.kpi, months: months, figures: $0.figures) }.joined(separator: " ")
    }
}
