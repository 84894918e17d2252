import KPIContract

/// The five cards of a release, worded as the dashboard has them.
struct HonestCards {
    let overall: KPISummaryV1.Cell
    /// Of every month in turn.
    let monthly: [KPISummaryV1.Cell]
    let shown: [String]
    let charts: [KPISummaryV1.ControlChart]

    var all: [KPISummaryV1.KPICard] {
        let first = shown.first ?? "", last = shown.last ?? ""
        let period = first == last ? first : "\(first) to \(last)"
        let trips = overall.trips.map(NumberText.grouped) ?? "Hidden"
        return [
            card("totalTrips", "Total trips", trips, period, "\(trips), \(period)", \.trips, 1, nil),
            card(
                "inHousePercent", "In-house",
                overall.inHousePercent.map { "\($0)%" } ?? hidden(overall.sourcingSuppressed),
                overall.inHouse.flatMap { inHouse in
                    overall.contracted.map {
                        "\(NumberText.grouped(inHouse)) in-house · \(NumberText.grouped($0)) contracted"
                    }
                } ?? "split hidden", overall.inHousePercent.map { "\($0) percent of classified trips" } ?? "none",
                \.inHousePercent, 1, "sourcing"),
            card(
                "costPerTrip", "Cost per trip",
                overall.costPerTrip.map { NumberText.dollars(cents: $0.cents) } ?? hidden(overall.costedTrips != 0),
                overall.costedTrips.map { "\(NumberText.grouped($0)) costed trips" } ?? "costed trips hidden",
                overall.costPerTrip.map { "\(NumberText.dollars(cents: $0.cents)) for a trip" } ?? "none",
                \.costPerTrip?.cents, 100, "cost"),
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
            id, title, seconds.map(NumberText.brief(seconds:)) ?? hidden(own.used != 0), counts ?? "counts hidden",
            seconds.map { spoken + NumberText.spoken(seconds: $0) } ?? "none", figure, scale,
            id == "responseP90" ? "response" : "duration")
    }

    private func card(
        _ id: String, _ title: String, _ value: String, _ subtitle: String, _ spoken: String,
        _ figure: KeyPath<KPISummaryV1.Cell, Int?>, _ scale: Int, _ part: String?
    ) -> KPISummaryV1.KPICard {
        var trend: String?
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
        }
        let months = zip(shown, monthly).compactMap { month, cell in
            cell[keyPath: figure].map {
                ChartMonth(
                    name: month, figure: $0, leavesOut: leavesOut(cell),
                    basis: part == "sourcing" ? cell.sourcingBasis : nil)
            }
        }
        return KPISummaryV1.KPICard(
            id: id, title: title, value: value, subtitle: subtitle,
            accessibilityLabel: "\(title): \(spoken)." + chart(months) { said(id, $0) },
            trend: trend, isBetter: isBetter(id), totalTrips: overall.trips ?? 0,
            avgDuration: overall.duration.mean ?? Tenths(tenths: 0),
            chartData: monthly.compactMap { $0[keyPath: figure] }.map { Double($0) / Double(scale) })
    }

    /// The signal of the last month.
    private func isBetter(_ id: String) -> Bool? {
        let measures = [
            "inHousePercent": "inHouseShare", "averageDuration": "duration.mean", "responseP90": "response.p90",
        ]
        let chart = charts.first {
            $0.measure == measures[id] ?? id && $0.region == "All" && $0.tripType == "All"
        }
        return chart?.signals.first { $0.month == shown.last }?.isBetter
    }

    private struct ChartMonth {
        var name: String
        var figure: Int
        var leavesOut: Bool
        var basis: String?
    }

    private func said(_ id: String, _ figure: Int) -> String {
        switch id {
        case "totalTrips": NumberText.grouped(figure)
        case "inHousePercent": "\(figure) percent"
        case "costPerTrip": NumberText.dollars(cents: figure)
        case "averageDuration": NumberText.spoken(seconds: (figure + 5) / 10)
        default: NumberText.spoken(seconds: figure)
        }
    }

    /// The months here follow each other, but some may have no figure.
    private func chart(_ months: [ChartMonth], _ said: (Int) -> String) -> String {
        guard let first = months.first, let last = months.last else { return "" }
        let parts = months.filter(\.leavesOut).count, count = months.count
        if count == 1 {
            return " Chart: \(said(first.figure)) in \(first.name)\(parts == 1 ? ", which leaves out trips" : "")."
        }
        var text = " Chart of \(count) months, \(first.name) to \(last.name): "
        if parts > 0 || Set(months.map(\.basis)).count > 1 {
            text += said(last.figure) + " in the latest. The months are not comparable: "
            text +=
                parts == count
                ? "each leaves out trips."
                : parts == 0
                    ? "some count contracted or unclassified trips together."
                    : "\(parts) of them \(parts == 1 ? "leaves" : "leave") out trips."
        } else {
            let figures = months.map(\.figure), least = figures.min() ?? 0, most = figures.max() ?? 0
            func month(_ figure: Int) -> String { months[figures.firstIndex(of: figure) ?? 0].name }
            text +=
                said(least) == said(most)
                ? "\(said(first.figure)) in each."
                : count == 2
                    ? "from \(said(first.figure)) to \(said(last.figure))."
                    : "from \(said(first.figure)) to \(said(last.figure)); least \(said(least)) in \(month(least)), "
                        + "most \(said(most)) in \(month(most))."
        }
        let places = [first.name, last.name].compactMap { shown.firstIndex(of: $0) }
        return text + (places[1] - places[0] + 1 > count ? " Months without a figure are left out." : "")
    }
}
