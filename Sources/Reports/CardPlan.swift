import KPIContract
import KPIs
import Privacy
import Trips

/// How one card of the dashboard is made from the cells.
///
/// A card's `chartData` is its own measure by month, for the months in which that is shown and has a value; only the
/// first card's is sure to be as long as `months`.
struct CardPlan {
    /// Stable: the app may look a card up by it.
    let id: String
    let title: String
    /// Its name in `KPICatalog`.
    let kpi: String
    /// The figure in whole units.
    let measure: (PublishedCell) -> Int?
    /// How many units make one of what the chart shows.
    let unitsPerOne: Int
    let text: (Int) -> String
    /// The figure of a month, for a reader who hears it.
    let spokenFigure: (Int) -> String
    /// The figure over everything and what it is of.
    let spoken: (Int) -> String
    let subtitle: (PublishedCell) -> String
    /// Whether a missing figure is hidden, not merely absent.
    let isHidden: (PublishedCell) -> Bool

    /// The value of a card that has none.
    static let none = "None"

    func card(of publishable: Publishable, months: [Month]) -> KPISummaryV1.KPICard {
        let overall = publishable.overall
        let figure = measure(overall)
        let missing = isHidden(overall) ? "Hidden" : Self.none
        let trend = trend(publishable)
        let part = coverage(overall, publishable).isIncomplete && figure != nil
        let chart = chart(of: publishable, months: months)
        var label = "\(title): \(figure.map(spoken) ?? missing.lowercased())."
        if part { label += " It leaves out trips that cannot be shown." }
        switch trend {
        case .none: break
        case .some(.notComparable): label += " The latest month is not comparable with the month before."
        case .some(.flat): label += " The latest month is level with the month before."
        case .some(let trend):
            let better = trend.isBetter.map { $0 ? ", which is better" : ", which is worse" } ?? ""
            label += " The latest month is \(trend.direction ?? "") on the month before\(better)."
        }
        label += chart.sentences
        return KPISummaryV1.KPICard(
            id: id, title: title, value: figure.map(text) ?? missing,
            subtitle: subtitle(overall) + (part ? Self.partText : ""),
            accessibilityLabel: label, trend: trend?.direction, isBetter: trend?.isBetter,
            totalTrips: overall.trips ?? 0,
            avgDuration: Tenths(tenths: overall.interval(.duration).meanTenths ?? 0),
            chartData: chart.points.map { Double($0.value) / Double(unitsPerOne) })
    }

    private func chart(of publishable: Publishable, months: [Month]) -> CardChart {
        let points = months.compactMap { month in
            publishable.cell(at: CellScope(month: month)).flatMap { cell in
                measure(cell).map {
                    CardChart.Point(month: month, value: $0, coverage: coverage(cell, publishable))
                }
            }
        }
        return CardChart(points: points, text: spokenFigure)
    }

    /// What the subtitle of a figure adds that leaves out trips.
    private static let partText = " · of part of the trips"

    /// How the latest month stands to the month before.
    private enum Trend {
        case up(isBetter: Bool?), down(isBetter: Bool?), flat, notComparable

        var direction: String? {
            switch self {
            case .up: "up"
            case .down: "down"
            case .flat: "flat"
            case .notComparable: nil
            }
        }

        var isBetter: Bool? {
            switch self {
            case .up(let isBetter), .down(let isBetter): isBetter
            case .flat, .notComparable: nil
            }
        }
    }

    /// The latest month against the calendar month before; nil where either is hidden or absent.
    private func trend(_ publishable: Publishable) -> Trend? {
        guard let latest = publishable.months.last,
            let cell = publishable.cell(at: CellScope(month: latest)),
            let earlier = publishable.cell(at: CellScope(month: latest.advanced(by: -1))),
            let now = measure(cell), let before = measure(earlier)
        else { return nil }
        guard coverage(cell, publishable).isComparable(with: coverage(earlier, publishable)) else {
            return .notComparable
        }
        let isBetter = KPICatalog.description(named: kpi)?.isBetter(now, than: before)
        return now > before ? .up(isBetter: isBetter) : now < before ? .down(isBetter: isBetter) : .flat
    }

    private func coverage(_ cell: PublishedCell, _ publishable: Publishable) -> FigureCoverage {
        KPICatalog.description(named: kpi)?.coverage(SummaryReport.contractCell(cell, of: publishable)) ?? .all
    }
}

extension CardPlan {
    static func all(_ publishable: Publishable) -> [CardPlan] {
        [trips(period(publishable)), inHouse, cost, duration(publishable), response(publishable)]
    }

    private static func trips(_ period: String) -> CardPlan {
        CardPlan(
            id: "totalTrips", title: "Total trips", kpi: "trips", measure: \.trips, unitsPerOne: 1,
            text: NumberText.grouped, spokenFigure: NumberText.grouped,
            spoken: { "\(NumberText.grouped($0)), \(period)" }, subtitle: { _ in period }, isHidden: \.suppressed)
    }

    private static var inHouse: CardPlan {
        CardPlan(
            id: "inHousePercent", title: "In-house", kpi: "inHousePercent", measure: \.inHousePercent, unitsPerOne: 1,
            text: { "\($0)%" }, spokenFigure: { "\($0) percent" },
            spoken: { "\($0) percent of the trips divided by sourcing" },
            subtitle: { cell in
                guard let inHouse = cell.inHouse, let contracted = cell.contracted else { return "split not shown" }
                let others = cell.sourcingBasis == .all ? FigureCoverage.contractedOrUnclassified : "contracted"
                return "\(NumberText.grouped(inHouse)) in-house · \(NumberText.grouped(contracted)) \(others)"
            }, isHidden: \.sourcingSuppressed)
    }

    private static var cost: CardPlan {
        CardPlan(
            id: "costPerTrip", title: "Cost per trip", kpi: "costPerTrip", measure: \.costPerTripCents,
            unitsPerOne: 100, text: NumberText.dollars, spokenFigure: NumberText.dollars,
            spoken: { "\(NumberText.dollars(cents: $0)) for a trip with a known cost" },
            subtitle: { cell in
                cell.costedTrips.map { "\(NumberText.grouped($0)) costed trips" } ?? "costed trips hidden"
            }, isHidden: { $0.costPerTripCents == nil && $0.costedTrips != 0 })
    }

    private static func duration(_ publishable: Publishable) -> CardPlan {
        interval(
            .duration, of: publishable, id: "averageDuration", title: "Average duration", kpi: "duration.mean",
            measure: \.meanTenths, unitsPerOne: 10, spoken: { $0 })
    }

    private static func response(_ publishable: Publishable) -> CardPlan {
        interval(
            .response, of: publishable, id: "responseP90", title: "Response p90", kpi: "response.p90",
            measure: \.p90Seconds, unitsPerOne: 1, spoken: { "nine in ten trips within \($0)" })
    }

    private static func interval(
        _ interval: TripInterval, of publishable: Publishable, id: String, title: String, kpi: String,
        measure: @escaping (PublishedInterval) -> Int?, unitsPerOne: Int, spoken: @escaping (String) -> String
    ) -> CardPlan {
        let pair = publishable.intervalPairs[interval] ?? interval.standardPair
        let isStandard = pair == interval.standardPair
        let between = "\(pair.start.words) to \(pair.end.words)"
        let seconds = { (units: Int) in HalfUp.quotient(units, by: unitsPerOne) ?? 0 }
        return CardPlan(
            id: id, title: title, kpi: kpi, measure: { measure($0.interval(interval)) }, unitsPerOne: unitsPerOne,
            text: { NumberText.brief(seconds: seconds($0)) },
            spokenFigure: { NumberText.spoken(seconds: seconds($0)) },
            spoken: { "\(spoken(NumberText.spoken(seconds: seconds($0)))), \(between)" },
            subtitle: { IntervalNote.text($0.interval(interval)) + (isStandard ? "" : " · \(between)") },
            isHidden: { $0.interval(interval).used == nil })
    }

    private static func period(_ publishable: Publishable) -> String {
        guard let first = publishable.months.first, let last = publishable.months.last else { return "no months" }
        return first == last ? first.description : "\(first) to \(last)"
    }
}

/// How many trips an interval's statistics are made of, as every output says it.
enum IntervalNote {
    static func text(_ interval: PublishedInterval) -> String {
        text(used: interval.used, excluded: interval.excluded)
    }

    /// `2,612 used · 1 excluded`.
    static func text(used: Int?, excluded: Int?) -> String {
        guard let used, let excluded else { return "counts hidden" }
        return "\(NumberText.grouped(used)) used · \(NumberText.grouped(excluded)) excluded"
    }
}
