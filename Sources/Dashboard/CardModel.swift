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

    init(_ card: KPISummaryV1.KPICard, _ index: CellFigures) {
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
        let isUp = now > before
        let text = { (value: Int) in kpi.format.shown(value) }
        let way = now == before ? "level with" : isUp ? "up from" : "down from"
        trend = "\(month): \(text(now)), \(way) \(text(before))"
        guard now != before else { return }
        arrow = isUp ? "▲" : "▼"
        // The document says it; one of version 1.0 does not.
        guard let isBetter = card.isBetter ?? kpi.isBetter(now, than: before) else { return }
        mark += isBetter ? " is-better" : " is-worse"
        trend += isBetter ? ", better" : ", worse"
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
