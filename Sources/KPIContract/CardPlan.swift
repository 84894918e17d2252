import Basics

/// How one card of the dashboard is made from the cells of the contract.
///
/// A card's `chartData` is its own measure by month, for the months in which that is shown and has a value; only the
/// first card's is sure to be as long as `months`.
struct CardPlan {
    typealias Cell = KPISummaryV1.Cell

    /// Stable: the app may look a card up by it.
    let id: String
    let title: String
    /// A number of the catalog's unit as the card shows it, as a screen reader says it for a month, and for all months.
    let text: (Int) -> String
    let spoken: (Int) -> String
    let spokenOverall: (Int) -> String
    let subtitle: (Cell) -> String

    private static func measure(of id: String) -> KPIDescription? {
        KPISummaryV1.KPICard.measures[id]?.kpi
    }

    /// - Parameters:
    ///   - cells: of the contract; the first is over everything.
    ///   - latest: the last month that is over and shown; later ones are under way, and are neither compared nor spoken of.
    ///   - months: those whose cells are shown.
    ///   - partial: months that lack days: they are neither compared nor spoken of.
    ///   - charts: of the contract.
    func card(
        _ cells: [Cell], latest: Month?, months: [Month], partial: Set<String>,
        _ charts: [KPISummaryV1.ControlChart]
    ) -> KPISummaryV1.KPICard? {
        guard let overall = cells.first, let measure = Self.measure(of: id) else { return nil }
        let totals = cells.filter { $0.region == CellKey.all && $0.tripType == CellKey.all }
        let byMonth = Dictionary(totals.map { ($0.month, $0) }, uniquingKeysWith: { first, _ in first })
        let value = measure.figure(overall)
        let shown = KPISummaryV1.KPICard.value(measure.published(overall), text)
        let whole = byMonth.filter { !partial.contains($0.key) }
        let trend = latest.flatMap { Trend(measure, whole, latest: $0) }
        let verdict = latest.flatMap { charts.chart(of: measure.measure)?.verdict(of: $0.description) }
        let isPart = measure.coverage(overall).isIncomplete
        // A sum that cannot be negative is at least what is shown of it; in documents of 1.1 also a quotient leaves out trips.
        let isBound = measure.combination == .sum && measure.format != .dollars
        let remark = isBound ? " It is at least that: some trips cannot be shown." : " It leaves out trips."
        let points = months.compactMap { month in
            byMonth[month.description].flatMap { cell in
                measure.figure(cell).map { CardChart.Point(month: month, value: $0, coverage: measure.coverage(cell)) }
            }
        }
        let spokenPoints = points.filter { point in
            latest.map { point.month <= $0 } ?? false && !partial.contains(point.month.description)
        }
        let label =
            "\(title): \(value.map(spokenOverall) ?? shown.lowercased())."
            + (isPart && value != nil ? remark : "") + (trend?.sentence ?? "")
            + (verdict.map { " It is \($0.words)." } ?? "")
            + CardChart(points: spokenPoints, text: spoken).sentences
        return KPISummaryV1.KPICard(
            id: id, title: title, value: shown,
            subtitle: subtitle(overall) + (isPart && value != nil ? " · at least" : ""), accessibilityLabel: label,
            trend: trend?.direction, isBetter: verdict?.isBetter, totalTrips: overall.trips ?? 0,
            avgDuration: overall.duration.mean ?? Tenths(tenths: 0),
            chartData: points.map { Double($0.value) / Double(measure.format.unitsPerOne) })
    }

    /// The latest month against the calendar month before.
    private struct Trend {
        /// Nil: the two are not comparable.
        var direction: String?

        /// Nil where either is hidden or absent.
        init?(_ measure: KPIDescription, _ cells: [String: Cell], latest: Month) {
            guard let cell = cells[latest.description], let earlier = cells[latest.advanced(by: -1).description],
                let now = measure.figure(cell), let before = measure.figure(earlier)
            else { return nil }
            guard measure.coverage(cell).isComparable(with: measure.coverage(earlier)) else { return }
            direction = now > before ? "up" : now < before ? "down" : "flat"
        }

        /// Begins with a space.
        var sentence: String {
            guard let direction else { return " The latest complete month is not comparable with the month before." }
            guard direction != "flat" else { return " The latest complete month is level with the month before." }
            return " The latest complete month is \(direction) on the month before."
        }
    }
}

extension CardPlan {
    /// - Parameters:
    ///   - months: all that have cells, whether they are shown or not.
    ///   - intervalEvents: of the contract.
    static func all(_ months: [Month], _ intervalEvents: [KPISummaryV1.IntervalEvents]) -> [CardPlan] {
        let period =
            months.first.flatMap { first in
                months.last.map { $0 == first ? first.description : "\(first) to \($0)" }
            } ?? "no months"
        return [
            CardPlan(
                id: "totalTrips", title: "Total trips", text: NumberText.grouped,
                spoken: NumberText.grouped, spokenOverall: { "\(NumberText.grouped($0)), \(period)" },
                subtitle: { _ in period }),
            CardPlan(
                id: "inHousePercent", title: "In-house", text: { "\($0)%" },
                spoken: { "\($0) percent" }, spokenOverall: { "\($0) percent of in-house and contracted trips" },
                subtitle: sourcing),
            CardPlan(
                id: "costPerTrip", title: "Cost per trip", text: NumberText.dollars, spoken: NumberText.dollars,
                spokenOverall: { "\(NumberText.dollars(cents: $0)) for a trip with a known cost" },
                subtitle: { cell in
                    cell.costedTrips.map { "\(NumberText.grouped($0)) costed trips" } ?? "costed trips hidden"
                }),
            interval("duration", intervalEvents, id: "averageDuration", title: "Average duration") { $0 },
            interval("response", intervalEvents, id: "responseP90", title: "Response p90") {
                "nine in ten trips within \($0)"
            },
        ]
    }

    private static func sourcing(_ cell: Cell) -> String {
        guard let inHouse = cell.inHouse, let contracted = cell.contracted else { return "split not shown" }
        return "\(NumberText.grouped(inHouse)) in-house · \(NumberText.grouped(contracted)) contracted"
    }

    private static func interval(
        _ name: String, _ others: [KPISummaryV1.IntervalEvents], id: String, title: String,
        spoken: @escaping (String) -> String
    ) -> CardPlan {
        let other = others.first { $0.interval == name }
        let place = MeasuredInterval.place(of: name), standard = MeasuredInterval.all[place]
        let between = other?.words ?? "\(standard.start) to \(standard.end)"
        let unitsPerSecond = measure(of: id)?.format.unitsPerOne ?? 1
        let seconds = { (units: Int) in unitsPerSecond == 10 ? NumberText.seconds(tenths: units) : units }
        return CardPlan(
            id: id, title: title,
            text: { NumberText.brief(seconds: seconds($0)) }, spoken: { NumberText.spoken(seconds: seconds($0)) },
            spokenOverall: { "\(spoken(NumberText.spoken(seconds: seconds($0)))), \(between)" },
            subtitle: { counts($0[interval: place]) + (other == nil ? "" : " · \(between)") })
    }

    /// `2,612 used · 1 excluded`.
    private static func counts(_ interval: KPISummaryV1.Interval) -> String {
        guard let used = interval.used, let excluded = interval.excluded else { return "counts hidden" }
        return "\(NumberText.grouped(used)) used · \(NumberText.grouped(excluded)) excluded"
    }
}
