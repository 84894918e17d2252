import KPIContract

/// The five cards of a release, worded as the dashboard has them.
struct HonestCards {
    let overall: KPISummaryV1.Cell
    /// Of every month in turn.
    let monthly: [KPISummaryV1.Cell]
    let shown: [String]

    var all: [KPISummaryV1.KPICard] {
        let first = shown.first ?? "", last = shown.last ?? ""
        let period = first == last ? first : "\(first) to \(last)"
        let trips = overall.trips.map(NumberText.grouped) ?? "Hidden"
        return [
            card("totalTrips", "Total trips", trips, period, "\(trips), \(period)", \.trips, 1, nil, nil),
            card(
                "inHousePercent", "In-house",
                overall.inHousePercent.map { "\($0)%" } ?? hidden(overall.sourcingSuppressed),
                overall.inHouse.flatMap { inHouse in
                    overall.contracted.map {
                        "\(NumberText.grouped(inHouse)) in-house · \(NumberText.grouped($0)) contracted"
                    }
                } ?? "split hidden", overall.inHousePercent.map { "\($0) percent of classified trips" } ?? "none",
                \.inHousePercent, 1, "sourcing", true),
            card(
                "costPerTrip", "Cost per trip",
                overall.costPerTrip.map { NumberText.dollars(cents: $0.cents) } ?? hidden(overall.costedTrips != 0),
                overall.costedTrips.map { "\(NumberText.grouped($0)) costed trips" } ?? "costed trips hidden",
                overall.costPerTrip.map { "\(NumberText.dollars(cents: $0.cents)) for a trip" } ?? "none",
                \.costPerTrip?.cents, 100, "cost", false),
            interval(
                "averageDuration", "Average duration", overall.duration,
                overall.duration.mean.map { ($0.tenths + 5) / 10 }, "", \.duration.mean?.tenths, 10),
            interval(
                "responseP90", "Response p90", overall.response, overall.response.p90, "nine in ten trips within ",
                \.response.p90, 1),
        ]
    }

    private func hidden(_ isHidden: Bool) -> String { isHidden ? "Hidden" : "None" }

    private func interval(
        _ id: String, _ title: String, _ own: KPISummaryV1.Interval, _ seconds: Int?, _ spoken: String,
        _ figure: KeyPath<KPISummaryV1.Cell, Int?>, _ scale: Int
    ) -> KPISummaryV1.KPICard {
        let counts = own.used.map {
            "\(NumberText.grouped($0)) used · \(NumberText.grouped(own.excluded ?? 0)) excluded"
        }
        return card(
            id, title, seconds.map(NumberText.brief(seconds:)) ?? hidden(own.used == nil), counts ?? "counts hidden",
            seconds.map { spoken + NumberText.spoken(seconds: $0) } ?? "none", figure, scale,
            id == "responseP90" ? "response" : "duration",
            false)
    }

    private func card(
        _ id: String, _ title: String, _ value: String, _ subtitle: String, _ spoken: String,
        _ figure: KeyPath<KPISummaryV1.Cell, Int?>, _ scale: Int, _ part: String?, _ isMoreBetter: Bool?
    ) -> KPISummaryV1.KPICard {
        var trend: String?, isBetter: Bool?
        func leavesOut(_ cell: KPISummaryV1.Cell) -> Bool {
            cell.complete == false || cell.incompleteMeasures?.contains { $0 == part } == true
        }
        // The months here follow each other without a gap.
        if monthly.count > 1, let now = monthly[monthly.count - 1][keyPath: figure],
            let before = monthly[monthly.count - 2][keyPath: figure],
            !monthly.suffix(2).contains(where: leavesOut),
            part != "sourcing" || Set(monthly.suffix(2).map(\.sourcingBasis)).count == 1
        {
            trend = now > before ? "up" : now < before ? "down" : "flat"
            isBetter = isMoreBetter.flatMap { now == before ? nil : $0 ? now > before : now < before }
        }
        return KPISummaryV1.KPICard(
            id: id, title: title, value: value, subtitle: subtitle, accessibilityLabel: "\(title): \(spoken).",
            trend: trend, isBetter: isBetter, totalTrips: overall.trips ?? 0,
            avgDuration: overall.duration.mean ?? Tenths(tenths: 0),
            chartData: monthly.compactMap { $0[keyPath: figure] }.map { Double($0) / Double(scale) })
    }
}
