import KPIContract

/// Checks the dashboard's cards: each is about one measure of the cell over everything, and its texts hold no other number.
struct CardAudit {
    /// One card that a release may have.
    private struct Plan {
        let id: String
        let title: String
        /// The key of the contract's cell.
        let measure: String
        /// The entry of `incompleteMeasures` that leaves trips out of it; nil: `complete` alone does.
        let partial: String?
        /// Whether more is better; nil: neither direction is.
        let text: (Int) -> String
        let spoken: (Int) -> String
        /// The unit after the figure of a month of the chart.
        var unit = ""
        /// Numbers of the subtitle, in the order in which they stand.
        let subtitle: [String]
    }

    /// A month of a card's chart.
    private struct ChartMonth {
        let name: String
        let figure: Int
        let isOfAllTrips: Bool
        let sourcingBasis: String?
    }

    private let document: KPISummaryV1
    private let overall: KPISummaryV1.Cell
    /// Months that the release shows.
    private let shown: [String]
    /// Later months are under way, and are neither compared nor spoken of; nil: none is over.
    private let latest: String?
    private let monthly: [String: KPISummaryV1.Cell]

    /// Nil for a document without cells.
    init?(_ document: KPISummaryV1, shown: [String]) {
        // Its percentiles are checked elsewhere.
        guard let overall = document.cells.first else { return nil }
        self.document = document
        self.overall = overall
        self.shown = shown
        latest = document.headline?.month
        monthly = Dictionary(
            document.cells.filter { $0.region == CellKey.all && $0.tripType == CellKey.all }
                .map { ($0.month, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// What is wrong; empty if nothing is.
    var findings: [String] {
        let plans = plans, cards = document.kpiCards
        let isComplete = cards.map(\.id) == plans.map(\.id)
        return (isComplete ? [] : ["kpiCards are not the cards that a release has"])
            + zip(cards, plans).flatMap { card, plan in
                wrongMembers(of: card, plan).map {
                    "card \(plan.id): \($0) is not what the cells give, or holds a number of no cell"
                }
            }
    }

    private func wrongMembers(of card: KPISummaryV1.KPICard, _ plan: Plan) -> [String] {
        let figure = overall[plan.measure], kpi = KPICatalog.description(named: plan.measure)
        let scale = kpi?.format.unitsPerOne ?? 1
        let series = document.months.compactMap { monthly[$0]?[plan.measure] }
        // A title may hold a number that is no figure, as `p90` does.
        let spoken = [plan.title, figure.map(plan.spoken) ?? ""].flatMap { NumbersInText.tokens($0) ?? [] }
        let period = [shown.first, shown.last].compactMap(\.self)
        let chart = chartLabel(of: plan), isChartSaid = card.accessibilityLabel.hasSuffix("." + chart)
        let label = String(card.accessibilityLabel.dropLast(isChartSaid ? chart.count : 0))
        let trend = trend(of: plan)
        let checks: [(String, Bool)] = [
            ("title", card.title == plan.title),
            ("value", card.value == kpi.map { KPISummaryV1.KPICard.value($0.published(overall), plan.text) }),
            ("subtitle", NumbersInText.areOnly(plan.subtitle, in: card.subtitle)),
            ("accessibilityLabel", isChartSaid && NumbersInText.areOnly(spoken + period, in: label)),
            ("trend", card.trend == trend),
            ("isBetter", card.isBetter == isBetter(plan)),
            ("totalTrips", card.totalTrips == overall.trips),
            ("avgDuration", card.avgDuration.tenths == overall.duration.mean?.tenths ?? 0),
            ("chartData", card.chartData == series.map { Double($0) / Double(scale) }),
        ]
        return checks.filter { !$0.1 }.map(\.0)
    }

    /// The latest complete month against the calendar month before it.
    private func trend(of plan: Plan) -> String? {
        guard let last = latest, let month = CalendarMonth(last),
            let before = shown.first(where: { CalendarMonth($0) == month.advanced(by: -1) }),
            document.partialMonths?.contains(before) != true,
            let cell = monthly[last], let earlierCell = monthly[before],
            let now = cell[plan.measure], let earlier = earlierCell[plan.measure],
            isOfAllTrips(plan, cell), isOfAllTrips(plan, earlierCell),
            plan.partial != "sourcing" || cell.sourcingBasis == earlierCell.sourcingBasis
        else { return nil }
        return now == earlier ? "flat" : now > earlier ? "up" : "down"
    }

    /// The signal of the latest complete month. The charts are checked elsewhere.
    private func isBetter(_ plan: Plan) -> Bool? {
        let name = plan.measure == "inHousePercent" ? "inHouseShare" : plan.measure
        let chart = document.controlCharts?.first {
            $0.measure == name && $0.region == CellKey.all && $0.tripType == CellKey.all
        }
        return chart?.signals.first { $0.month == latest }?.isBetter
    }

    /// Different trips are not compared.
    private func isOfAllTrips(_ plan: Plan, _ cell: KPISummaryV1.Cell) -> Bool {
        cell.complete == true && !(plan.partial.map { (cell.incompleteMeasures ?? []).contains($0) } ?? false)
    }

    private var plans: [Plan] {
        let count = { (count: Int?) in count.map(NumberText.grouped).map { [$0] } ?? [] }
        let dollars = { (cents: Int) in NumberText.dollars(cents: cents) }
        return [
            Plan(
                id: "totalTrips", title: "Total trips", measure: "trips", partial: nil,
                text: NumberText.grouped, spoken: NumberText.grouped,
                subtitle: [shown.first, shown.last].compactMap(\.self)),
            Plan(
                id: "inHousePercent", title: "In-house", measure: "inHousePercent", partial: "sourcing",
                text: { "\($0)%" }, spoken: { String($0) }, unit: " percent",
                subtitle: count(overall.inHouse) + count(overall.contracted)),
            Plan(
                id: "costPerTrip", title: "Cost per trip", measure: "costPerTrip", partial: "cost",
                text: dollars, spoken: dollars, subtitle: count(overall.costedTrips)),
            interval("averageDuration", "Average duration", "duration", ".mean", overall.duration) {
                RoundedQuotient.of($0, by: 10) ?? 0
            },
            interval("responseP90", "Response p90", "response", ".p90", overall.response) { $0 },
        ]
    }

    private func interval(
        _ id: String, _ title: String, _ interval: String, _ statistic: String, _ own: KPISummaryV1.Interval,
        seconds: @escaping (Int) -> Int
    ) -> Plan {
        Plan(
            id: id, title: title, measure: interval + statistic, partial: interval,
            text: { NumberText.brief(seconds: seconds($0)) }, spoken: { NumberText.spoken(seconds: seconds($0)) },
            subtitle: [own.used, own.excluded].compactMap(\.self).map(NumberText.grouped))
    }
}

// What a card may say of its chart: written again from the document's cells, so that each number of it is one of theirs.
extension CardAudit {
    /// The end of the card's label; empty where the chart has no month.
    private func chartLabel(of plan: Plan) -> String {
        let months = document.months.compactMap { name -> ChartMonth? in
            guard let latest, name <= latest, document.partialMonths?.contains(name) != true,
                let cell = monthly[name], let figure = cell[plan.measure]
            else {
                return nil
            }
            return ChartMonth(
                name: name, figure: figure, isOfAllTrips: isOfAllTrips(plan, cell),
                sourcingBasis: plan.partial == "sourcing" ? cell.sourcingBasis : nil)
        }
        let spoken = { (month: ChartMonth) in plan.spoken(month.figure) + plan.unit }
        guard let first = months.first, let last = months.last else { return "" }
        guard months.count > 1 else {
            return " Chart: \(spoken(first)) in \(first.name)"
                + (first.isOfAllTrips ? "." : ", which leaves out trips.")
        }
        return " Chart of \(months.count) months, \(first.name) to \(last.name): " + course(of: months, spoken)
            + gap(in: months)
    }

    private func course(of months: [ChartMonth], _ spoken: (ChartMonth) -> String) -> String {
        let first = months[0], last = months[months.count - 1]
        let parts = months.count { !$0.isOfAllTrips }
        var reason = ""
        if parts == months.count {
            reason = "each leaves out trips"
        } else if parts == 1 {
            reason = "1 of them leaves out trips"
        } else if parts > 1 {
            reason = "\(parts) of them leave out trips"
        } else if months.contains(where: { $0.sourcingBasis != first.sourcingBasis }) {
            reason = "some count contracted or unclassified trips together"
        }
        guard reason.isEmpty else { return "\(spoken(last)) in the latest. The months are not comparable: \(reason)." }
        let ordered = months.map(\.figure).sorted()
        guard let low = months.first(where: { $0.figure == ordered.first }),
            let high = months.first(where: { $0.figure == ordered.last }), spoken(low) != spoken(high)
        else { return "\(spoken(first)) in each." }
        if months.count == 2 { return "from \(spoken(first)) to \(spoken(last))." }
        return "from \(spoken(first)) to \(spoken(last)); least \(spoken(low)) in \(low.name), "
            + "most \(spoken(high)) in \(high.name)."
    }

    /// Where the months do not follow each other.
    private func gap(in months: [ChartMonth]) -> String {
        let known = months.compactMap { CalendarMonth($0.name)?.ordinal }
        let follow = zip(known, known.dropFirst()).allSatisfy { $0 + 1 == $1 }
        return follow && known.count == months.count ? "" : " Months without a figure are left out."
    }
}
