import KPIContract
import Trips

/// A card of the dashboard: the words of the summary, and how its figure went.
struct CardModel {
    var id: String
    var title: String
    var value: String
    var note: String
    var mark: String
    var arrow: String
    var trend: String
    var spark: String

    /// - Parameter charts: nil: a document from before there were any; changes are then neither better nor worse.
    init(_ card: KPISummaryV1.KPICard, _ index: CellFigures, _ charts: [KPISummaryV1.ControlChart]?) {
        id = card.id
        title = card.title
        value = card.value
        note = card.subtitle
        mark = "card-trend"
        arrow = ""
        trend = "No month to compare with"
        spark = ""
        guard let kpi = KPISummaryV1.KPICard.measures[card.id].flatMap(KPICatalog.description(named:)) else { return }
        let figures = index.months.map { index.figure(kpi, at: .init(month: $0)) }
        spark = Self.spark(figures)
        guard let month = index.latest, let latest = Month(month) else { return }
        let last = index.figure(kpi, at: .init(month: month))
        let previous = index.figure(kpi, at: .init(month: latest.advanced(by: -1).description))
        guard let now = last.value, let before = previous.value else {
            if last == .suppressed { trend = "Hidden in \(month)" }
            return
        }
        guard last.isComparable(with: previous) else {
            trend = "\(month): \(FigureCoverage.notComparable) with the month before"
            return
        }
        let text = { (value: Int) in kpi.format.shown(value) }
        let way = now == before ? "level with" : now > before ? "up from" : "down from"
        trend = "\(month): \(text(now)), \(way) \(text(before))"
        guard let chart = charts?.chart(of: kpi.name), let verdict = chart.verdict(of: month) else { return }
        trend += "; \(verdict.words)"
        if let isBetter = verdict.isBetter { mark += isBetter ? " is-better" : " is-worse" }
        if let signal = chart.signals.first(where: { $0.month == month }) {
            arrow = signal.direction == "high" ? "▲" : "▼"
        }
    }

    /// A line over 120 by 24 from the least figure to the largest, without axes: the chart below has them.
    /// Months that cannot be compared are not joined.
    private static func spark(_ figures: [CellFigure]) -> String {
        let values = figures.map(\.value)
        let known = values.compactMap(\.self)
        guard let largest = known.max(), let least = known.min(), values.count > 1 else { return "" }
        var path: [String] = []
        for place in values.indices {
            guard let value = values[place] else { continue }
            let follows = place > 0 && figures[place].isComparable(with: figures[place - 1])
            let x = 10 + place * 1180 / (values.count - 1),
                y = 230 - ChartScale.ratio(220, value - least, max(1, largest - least))
            path.append((follows ? "L" : "M") + ChartScale.text(x) + " " + ChartScale.text(y))
        }
        return path.joined(separator: " ")
    }
}
