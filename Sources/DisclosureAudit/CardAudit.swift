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
        let text: (Int) -> String
        let spoken: (Int) -> String
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
        let checks: [(String, Bool)] = [
            ("title", card.title == plan.title),
            ("value", card.value == text),
            ("subtitle", NumbersInText.areOnly(plan.subtitle, in: card.subtitle)),
            ("accessibilityLabel", NumbersInText.areOnly(spoken + period, in: card.accessibilityLabel)),
            ("trend", card.trend == trend(of: plan.measure, shown: shown, monthly)),
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

    /// The last month against the calendar month before it.
    private func trend(of measure: String, shown: [String], _ monthly: [String: KPISummaryV1.Cell]) -> String? {
        guard let last = shown.last, let month = CalendarMonth(last),
            let before = shown.first(where: { CalendarMonth($0) == month.advanced(by: -1) }),
            let now = monthly[last].flatMap({ figure(measure, $0).figure }),
            let earlier = monthly[before].flatMap({ figure(measure, $0).figure })
        else { return nil }
        return now > earlier ? "up" : now < earlier ? "down" : "flat"
    }

    private func plans(_ overall: KPISummaryV1.Cell, shown: [String]) -> [Plan] {
        let count = { (count: Int?) in count.map(NumberText.grouped).map { [$0] } ?? [] }
        let tenths = { (tenths: Int) in RoundedQuotient.of(tenths, by: 10) ?? 0 }
        return [
            Plan(
                id: "totalTrips", title: "Total trips", measure: "trips", text: NumberText.grouped,
                spoken: NumberText.grouped, subtitle: [shown.first, shown.last].compactMap(\.self),
                isHidden: overall.suppressed),
            Plan(
                id: "inHousePercent", title: "In-house", measure: "inHousePercent", text: { "\($0)%" },
                spoken: { String($0) }, subtitle: count(overall.inHouse) + count(overall.contracted),
                isHidden: overall.sourcingSuppressed),
            Plan(
                id: "costPerTrip", title: "Cost per trip", measure: "costPerTrip",
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
            id: id, title: title, measure: measure, text: { NumberText.brief(seconds: seconds($0)) },
            spoken: { NumberText.spoken(seconds: seconds($0)) },
            subtitle: [own.used, own.excluded].compactMap(\.self).map(NumberText.grouped), isHidden: own.used == nil)
    }
}
