import KPIContract

/// What a card may say of its chart: written again from the document's cells, so that each number of it is one of theirs.
struct CardChartAudit {
    struct Month {
        let name: String
        let figure: Int
        let isOfAllTrips: Bool
        let sourcingBasis: String?
    }

    /// In the order of the chart.
    let months: [Month]
    let spoken: (Int) -> String

    /// The end of the card's label; empty where the chart has no month.
    var label: String {
        switch months.count {
        case 0: ""
        case 1: " Chart: " + place(months[0]) + (months[0].isOfAllTrips ? "." : ", which leaves out trips.")
        default:
            " Chart of \(months.count) months, \(months[0].name) to \(months[months.count - 1].name): " + course + gap
        }
    }

    private func place(_ month: Month) -> String { "\(spoken(month.figure)) in \(month.name)" }

    private var course: String {
        let parts = months.count { !$0.isOfAllTrips }
        var reason = ""
        if parts == months.count {
            reason = "each leaves out trips"
        } else if parts == 1 {
            reason = "1 of them leaves out trips"
        } else if parts > 1 {
            reason = "\(parts) of them leave out trips"
        } else if months.contains(where: { $0.sourcingBasis != months[0].sourcingBasis }) {
            reason = "some count contracted or unclassified trips together"
        }
        let last = spoken(months[months.count - 1].figure)
        guard reason.isEmpty else { return "\(last) in the latest. The months are not comparable: \(reason)." }
        let ordered = months.map(\.figure).sorted()
        guard let low = months.first(where: { $0.figure == ordered.first }),
            let high = months.first(where: { $0.figure == ordered.last }), spoken(low.figure) != spoken(high.figure)
        else { return "\(spoken(months[0].figure)) in each." }
        if months.count == 2 { return "from \(spoken(months[0].figure)) to \(last)." }
        return "from \(spoken(months[0].figure)) to \(last); least \(place(low)), most \(place(high))."
    }

    /// Where the months do not follow each other.
    private var gap: String {
        let known = months.compactMap { CalendarMonth($0.name)?.ordinal }
        let follow = zip(known, known.dropFirst()).allSatisfy { $0 + 1 == $1 }
        return follow && known.count == months.count ? "" : " Months without a figure are left out."
    }
}
