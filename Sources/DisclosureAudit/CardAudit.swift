import KPIContract

/// Checks the dashboard's cards: each is about one measure of the cell over everything, and its texts hold no other number.
struct CardAudit {
    let expected: ExpectedCells
    /// Months of the charts.
    let months: [String]
    /// The document's own cell over everything; its percentiles are checked elsewhere.
    let overall: KPISummaryV1.Cell?

    /// One card that a release may have.
    private struct Plan {
        let id: String
        let title: String
        let measure: String
        /// The entry of `incompleteMeasures` that leaves trips out of it; nil: `complete` alone does.
        let part: String?
        /// Whether more is better; nil: neither way is.
        let isMoreBetter: Bool?
        let text: (Int) -> String
        let spoken: (Int) -> String
        /// What stands after the figure of a month of the chart.
        var unit = ""
        /// Numbers of the subtitle, in the order in which they stand.
        let subtitle: [String]
        let isHidden: Bool
    }

    func check(
        _ cards: [KPISummaryV1.KPICard], shown: [String], _ cells: [KPISummaryV1.Cell], _ findings: inout FindingList
    ) {
        guard let overall else { return }
        let plans = plans(overall, shown: shown)
        SummaryAudit.require(
            cards.map(\.id) == plans.map(\.id), "kpiCards are not the cards that a release has", &findings)
        let monthly = Dictionary(
            cells.filter { $0.region == AuditedRelease.all && $0.tripType == AuditedRelease.all }
                .map { ($0.month, $0) }, uniquingKeysWith: { first, _ in first })
        for (card, plan) in zip(cards, plans) {
            for wrong in wrongMembers(of: card, plan, overall, shown: shown, monthly) {
                SummaryAudit.require(
                    false, "card \(plan.id): \(wrong) is not what the cells give, or holds a number of no cell",
                    &findings)
            }
        }
    }

    private func wrongMembers(
        of card: KPISummaryV1.KPICard, _ plan: Plan, _ overall: KPISummaryV1.Cell, shown: [String],
        _ monthly: [String: KPISummaryV1.Cell]
    ) -> [String] {
        let value = figure(plan.measure, overall)
        let text = value.figure.map(plan.text) ?? (plan.isHidden ? "Hidden" : "None")
        let scale = (0..<value.decimals).reduce(1.0) { scale, _ in scale * 10 }
        let series = months.compactMap { monthly[$0].flatMap { figure(plan.measure, $0).figure } }
        // A title may hold a number that is no figure, as `p90` does.
        let spoken = [plan.title, value.figure.map(plan.spoken) ?? ""].flatMap { NumbersInText.tokens($0) ?? [] }
        let period = [shown.first, shown.last].compactMap(\.self)
        let chart = chartLabel(of: plan, monthly), isChartSaid = card.accessibilityLabel.hasSuffix("." + chart)
        let label = String(card.accessibilityLabel.dropLast(isChartSaid ? chart.count : 0))
        let trend = trend(of: plan, shown: shown, monthly)
        let checks: [(String, Bool)] = [
            ("title", card.title == plan.title),
            ("value", card.value == text),
            ("subtitle", NumbersInText.areOnly(plan.subtitle, in: card.subtitle)),
            ("accessibilityLabel", isChartSaid && NumbersInText.areOnly(spoken + period, in: label)),
            ("trend", card.trend == trend?.name),
            ("isBetter", card.isBetter == trend?.isBetter),
            ("totalTrips", card.totalTrips == overall.trips),
            ("avgDuration", card.avgDuration.tenths == overall.duration.mean?.tenths ?? 0),
            ("chartData", card.chartData == series.map { Double($0) / scale }),
        ]
        return checks.filter { !$0.1 }.map(\.0)
    }

    private func figure(_ measure: String, _ cell: KPISummaryV1.Cell) -> (figure: Int?, decimals: Int) {
        guard case .figure(let figure, let decimals)? = CellMeasure.all.first(where: { $0.key == measure })?.value(cell)
        else { return (nil, 0) }
        return (figure, decimals)
    }

    private func chartLabel(of plan: Plan, _ monthly: [String: KPISummaryV1.Cell]) -> String {
        let months = months.compactMap { name in
            monthly[name].flatMap { cell in
                figure(plan.measure, cell).figure.map {
                    CardChartAudit.Month(
                        name: name, figure: $0, isOfAllTrips: isOfAll(plan, cell),
                        sourcingBasis: plan.part == "sourcing" ? cell.sourcingBasis : nil)
                }
            }
        }
        return CardChartAudit(months: months, spoken: { plan.spoken($0) + plan.unit }).label
    }

    /// The last month against the calendar month before it.
    private func trend(
        of plan: Plan, shown: [String], _ monthly: [String: KPISummaryV1.Cell]
    ) -> (name: String, isBetter: Bool?)? {
        guard let last = shown.last, let month = CalendarMonth(last),
            let before = shown.first(where: { CalendarMonth($0) == month.advanced(by: -1) }),
            let cell = monthly[last], let earlierCell = monthly[before],
            let now = figure(plan.measure, cell).figure, let earlier = figure(plan.measure, earlierCell).figure,
            isOfAll(plan, cell), isOfAll(plan, earlierCell),
            plan.part != "sourcing" || cell.sourcingBasis == earlierCell.sourcingBasis
        else { return nil }
        guard now != earlier else { return ("flat", nil) }
        return (now > earlier ? "up" : "down", plan.isMoreBetter.map { $0 == (now > earlier) })
    }

    /// Different trips are not compared.
    private func isOfAll(_ plan: Plan, _ cell: KPISummaryV1.Cell) -> Bool {
        cell.complete == true && !(plan.part.map { (cell.incompleteMeasures ?? []).contains($0) } ?? false)
    }

    private func plans(_ overall: KPISummaryV1.Cell, shown: [String]) -> [Plan] {
        let count = { (count: Int?) in count.map(NumberText.grouped).map { [$0] } ?? [] }
        let tenths = { (tenths: Int) in RoundedQuotient.of(tenths, by: 10) ?? 0 }
        return [
            Plan(
                id: "totalTrips", title: "Total trips", measure: "trips", part: nil, isMoreBetter: nil,
                text: NumberText.grouped,
                spoken: NumberText.grouped, subtitle: [shown.first, shown.last].compactMap(\.self),
                isHidden: overall.suppressed),
            Plan(
                id: "inHousePercent", title: "In-house", measure: "inHousePercent", part: "sourcing",
                isMoreBetter: true,
                text: { "\($0)%" },
                spoken: { String($0) }, unit: " percent", subtitle: count(overall.inHouse) + count(overall.contracted),
                isHidden: overall.sourcingSuppressed),
            Plan(
                id: "costPerTrip", title: "Cost per trip", measure: "costPerTrip", part: "cost", isMoreBetter: false,
                text: { NumberText.dollars(cents: $0) }, spoken: { NumberText.dollars(cents: $0) },
                subtitle: count(overall.costedTrips), isHidden: overall.costedTrips != 0),
            interval(
                "averageDuration", "Average duration", "duration.mean", overall.duration, seconds: tenths),
            interval("responseP90", "Response p90", "response.p90", overall.response, seconds: { $0 }),
        ]
    }

    private func interval(
        _ id: String, _ title: String, _ measure: String, _ own: KPISummaryV1.Interval, seconds: @escaping (Int) -> Int
    ) -> Plan {
        Plan(
            id: id, title: title, measure: measure, part: String(measure.prefix { $0 != "." }), isMoreBetter: false,
            text: { NumberText.brief(seconds: seconds($0)) },
            spoken: { NumberText.spoken(seconds: seconds($0)) },
            subtitle: [own.used, own.excluded].compactMap(\.self).map(NumberText.grouped), isHidden: own.used == nil)
    }
}
