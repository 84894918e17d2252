import KPIContract
import Trips

/// A key figure of the latest complete month beside earlier ones: the page without its script. With it, `cards.js` draws
/// the same figures as cards, of any region and trip type.
struct KeyFigure {
    /// The measures of the cards and of the charts by month, in their order.
    static let measures = ["trips", "inHouseShare", "costPerTrip", "response.p90", "duration.mean"]
    /// Fewer months have no mean.
    static let fewestMonthsOfMean = 3

    let title: String
    /// The month, the month before, the same month a year before, their mean over twelve months, and over everything.
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
        title = kpi.title
        figures = [
            text(figure(0)), text(figure(-1)), text(figure(-12)),
            PlainFigure(
                Self.mean((-11...0).compactMap(figure), step: isRounded ? KPIDescription.releaseStepSeconds : 1).map {
                    mean in
                    kpi.spacious(mean.value, isRounded: isRounded)
                        + (mean.months == 12 ? "" : ", of \(mean.months) months")
                }), text(index.figure(kpi, at: .init())),
        ]
        verdict = month.flatMap { charts.chart(of: kpi.name)?.verdict(of: $0.description)?.words } ?? ""
    }

    /// The mean of the months that can be compared with the last of them, halves up; nil for fewer than three.
    ///
    /// - Parameter step: that the figures are rounded to.
    static func mean(_ figures: [CellFigure], step: Int) -> (value: Int, months: Int)? {
        guard let last = figures.last else { return nil }
        let values = figures.filter { $0.isComparable(with: last) }.compactMap(\.value)
        guard values.count >= fewestMonthsOfMean else { return nil }
        return HalfUp.quotient(values.reduce(0, +), by: values.count * step).map { ($0 * step, values.count) }
    }
}
