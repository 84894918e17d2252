import Basics
import KPIContract

/// A key figure of the latest complete month beside earlier ones: the page without its script. With it, `cards.js` draws
/// the same figures as cards, of any region and trip type.
struct KeyFigure {
    /// The measures of the cards and of the charts by month, in their order.
    static let measures = KPICatalog.measures([.trips, .inHouseShare, .costPerTrip, .responseP90, .durationMean])
    /// Of fewer months nothing is said together.
    static let fewestPooledMonths = 3

    let title: String
    /// The month, the month before, the same month a year before, twelve months together, and everything.
    let figures: [PlainFigure]
    /// `about the same as usual`; empty where the month is in no control chart.
    let verdict: String

    /// - Parameter month: nil: no month is shown.
    init(
        _ kpi: KPIDescription, _ index: CellFigures, month: Month?, isRelease: Bool,
        _ charts: [KPISummaryV1.ControlChart]
    ) {
        let isRounded = isRelease && kpi.isRoundedInRelease
        func text(_ figure: CellFigure?) -> PlainFigure {
            guard let figure, figure != .undefined else { return PlainFigure(nil) }
            return PlainFigure(
                figure.value.map { kpi.spacious($0, isRounded: isRounded) + figure.coverage.mark } ?? "hidden")
        }
        func figure(_ distance: Int) -> CellFigure? {
            month.map { index.figure(kpi, at: .init(month: $0.advanced(by: distance).description)) }
        }
        func cell(_ distance: Int) -> KPISummaryV1.Cell? {
            month.flatMap { index.comparableCell(at: .init(month: $0.advanced(by: distance).description)) }
        }
        title = kpi.title
        figures = [
            text(figure(0)), text(figure(-1)), text(figure(-12)),
            PlainFigure(
                Self.pooled(kpi, (-11...0).compactMap(cell)).map { pooled in
                    kpi.spacious(pooled.value, isRounded: false)
                        + (pooled.months == 12 ? "" : ", of \(pooled.months) months")
                }), text(index.figure(kpi, at: .init())),
        ]
        verdict = month.flatMap { charts.chart(of: kpi.measure)?.verdict(of: $0.description)?.words } ?? ""
    }

    /// The months that can be compared with the last of them, together; nil for fewer than three.
    static func pooled(_ kpi: KPIDescription, _ cells: [KPISummaryV1.Cell]) -> (value: Int, months: Int)? {
        guard let last = cells.last else { return nil }
        let months = cells.filter {
            kpi.figure($0) != nil && kpi.coverage($0).isComparable(with: kpi.coverage(last))
        }
        guard kpi.figure(last) != nil, months.count >= fewestPooledMonths else { return nil }
        return kpi.pooled(months).map { ($0, months.count) }
    }
}
