import KPIContract
import ProcessControl

/// The control charts of a release, made from its cells by the code that makes XmR charts.
struct HonestCharts {
    let cells: [KPISummaryV1.Cell]
    /// Without a gap.
    let shown: [String]

    private struct Plan {
        var measure: String
        var figure: (KPISummaryV1.Cell) -> Int?
        var count: (KPISummaryV1.Cell) -> Int
        var part: String?
        var isMoreBetter: Bool?
        var step = 1
        /// Parts of a unit in a line, and in the figure.
        var parts: (line: Int, figure: Int)
    }

    private static var plans: [Plan] {
        [
            Plan(measure: "trips", figure: \.trips, count: { _ in 11 }, parts: (10, 1)),
            Plan(
                measure: "inHouseShare", figure: \.inHouseShare?.tenThousandths,
                count: { ($0.inHouse ?? 11) + ($0.contracted ?? 11) }, part: "sourcing", isMoreBetter: true,
                parts: (10_000, 10_000)),
            Plan(
                measure: "costPerTrip", figure: \.costPerTrip?.cents, count: { $0.costedTrips ?? 11 }, part: "cost",
                isMoreBetter: false, parts: (100, 100)),
            Plan(
                measure: "duration.mean", figure: \.duration.mean?.tenths, count: { $0.duration.used ?? 11 },
                part: "duration", isMoreBetter: false, parts: (10, 10)),
            Plan(
                measure: "response.p90", figure: \.response.p90, count: { $0.response.used ?? 11 }, part: "response",
                isMoreBetter: false, step: 10, parts: (10, 1)),
        ]
    }

    var all: [KPISummaryV1.ControlChart] {
        guard let first = shown.first else { return [] }
        let places = cells.filter { $0.month == first }.map { ($0.region, $0.tripType) }
        return places.flatMap { region, tripType in
            let own = shown.compactMap { month in
                cells.first { $0.month == month && $0.region == region && $0.tripType == tripType }
            }
            return Self.plans.compactMap { chart($0, own) }
        }
    }

    private func chart(_ plan: Plan, _ own: [KPISummaryV1.Cell]) -> KPISummaryV1.ControlChart? {
        guard let end = own.lastIndex(where: { plan.figure($0) != nil }) else { return nil }
        let last = own[end]
        let whole = own[...end].map { cell in
            let leavesOut = [cell, last].contains { cell in
                cell.complete == false || cell.incompleteMeasures?.contains { $0 == plan.part } == true
            }
            let isOtherBasis = plan.part == "sourcing" && cell.sourcingBasis != last.sourcingBasis
            return leavesOut || isOtherBasis || plan.count(cell) < 11 ? nil : plan.figure(cell)
        }
        let isCount = plan.measure == "trips"
        guard let earliest = whole.firstIndex(where: { $0.map { !isCount || $0 >= 11 } ?? false }) else { return nil }
        let begin = earliest + (isCount ? 1 : 0)
        let figures = Array(whole[begin...]), shown = Array(shown[begin...])
        guard figures.last != Int?.none, let chart = XmRChart(figures, step: plan.step),
            plan.measure != "trips" || chart.mean.rounded(parts: 1) >= 11
        else { return nil }
        let line = { (limit: XmRLimit) in
            Double(limit.rounded(parts: plan.parts.line / plan.parts.figure)) / Double(plan.parts.line)
        }
        return KPISummaryV1.ControlChart(
            measure: plan.measure, region: last.region, tripType: last.tripType, lastMonth: last.month,
            monthCount: figures.count { $0 != nil }, monthsLeftOut: zip(shown, figures).filter { $1 == nil }.map(\.0),
            mean: line(chart.mean), lowerLimit: line(chart.lowerLimit), upperLimit: line(chart.upperLimit),
            signals: zip(shown, chart.signals).compactMap { month, signal in
                signal.map {
                    KPISummaryV1.ControlSignal(
                        month: month, rule: $0.rule.rawValue, direction: $0.direction.rawValue,
                        isBetter: plan.isMoreBetter.map { isMoreBetter in isMoreBetter == (signal?.direction == .high) }
                    )
                }
            })
    }
}
