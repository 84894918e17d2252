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
    /// The figure in whole units.
    let measure: (PublishedCell) -> Int?
    /// How many units make one of what the chart shows.
    let unitsPerOne: Int
    let text: (Int) -> String
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
        let direction = trend(publishable)
        let series = months.compactMap { publishable.cell(at: CellScope(month: $0)).flatMap(measure) }
        var label = "\(title): \(figure.map(spoken) ?? missing.lowercased())."
        switch direction {
        case "up": label += " The latest month is up on the month before."
        case "down": label += " The latest month is down on the month before."
        case "flat": label += " The latest month is level with the month before."
        default: break
        }
        return KPISummaryV1.KPICard(
            id: id, title: title, value: figure.map(text) ?? missing, subtitle: subtitle(overall),
            accessibilityLabel: label, trend: direction, totalTrips: overall.trips ?? 0,
            avgDuration: Tenths(tenths: overall.interval(.duration).meanTenths ?? 0),
            chartData: series.map { Double($0) / Double(unitsPerOne) })
    }

    /// The latest month against the calendar month before; nil where either is hidden or absent.
    private func trend(_ publishable: Publishable) -> String? {
        guard let latest = publishable.months.last,
            let now = publishable.cell(at: CellScope(month: latest)).flatMap(measure),
            let before = publishable.cell(at: CellScope(month: latest.advanced(by: -1))).flatMap(measure)
        else { return nil }
        return now > before ? "up" : now < before ? "down" : "flat"
    }
}

extension CardPlan {
    static func all(_ publishable: Publishable) -> [CardPlan] {
        [trips(period(publishable)), inHouse, cost, duration(publishable), response(publishable)]
    }

    private static func trips(_ period: String) -> CardPlan {
        CardPlan(
            id: "totalTrips", title: "Total trips", measure: \.trips, unitsPerOne: 1, text: NumberText.grouped,
            spoken: { "\(NumberText.grouped($0)), \(period)" }, subtitle: { _ in period }, isHidden: \.suppressed)
    }

    private static var inHouse: CardPlan {
        CardPlan(
            id: "inHousePercent", title: "In-house", measure: \.inHousePercent, unitsPerOne: 1, text: { "\($0)%" },
            spoken: { "\($0) percent of the trips divided by sourcing" },
            subtitle: { cell in
                guard let inHouse = cell.inHouse, let contracted = cell.contracted else { return "split not shown" }
                let others = cell.sourcingBasis == .all ? "contracted or other" : "contracted"
                return "\(NumberText.grouped(inHouse)) in-house · \(NumberText.grouped(contracted)) \(others)"
            }, isHidden: \.sourcingSuppressed)
    }

    private static var cost: CardPlan {
        CardPlan(
            id: "costPerTrip", title: "Cost per trip", measure: \.costPerTripCents, unitsPerOne: 100,
            text: NumberText.dollars, spoken: { "\(NumberText.dollars(cents: $0)) for a trip with a known cost" },
            subtitle: { cell in
                cell.costedTrips.map { "\(NumberText.grouped($0)) costed trips" } ?? "costed trips hidden"
            }, isHidden: { $0.costPerTripCents == nil && $0.costedTrips != 0 })
    }

    private static func duration(_ publishable: Publishable) -> CardPlan {
        interval(
            .duration, of: publishable, id: "averageDuration", title: "Average duration", measure: \.meanTenths,
            unitsPerOne: 10, spoken: { $0 })
    }

    private static func response(_ publishable: Publishable) -> CardPlan {
        interval(
            .response, of: publishable, id: "responseP90", title: "Response p90", measure: \.p90Seconds,
            unitsPerOne: 1, spoken: { "nine in ten trips within \($0)" })
    }

    private static func interval(
        _ interval: TripInterval, of publishable: Publishable, id: String, title: String,
        measure: @escaping (PublishedInterval) -> Int?, unitsPerOne: Int, spoken: @escaping (String) -> String
    ) -> CardPlan {
        let pair = publishable.intervalPairs[interval] ?? interval.standardPair
        let isStandard = pair == interval.standardPair
        let between = "\(pair.start.words) to \(pair.end.words)"
        let seconds = { (units: Int) in HalfUp.quotient(units, by: unitsPerOne) ?? 0 }
        return CardPlan(
            id: id, title: title, measure: { measure($0.interval(interval)) }, unitsPerOne: unitsPerOne,
            text: { NumberText.brief(seconds: seconds($0)) },
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
