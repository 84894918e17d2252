import Basics
import KPIContract
import Reports

/// What a sheet adds up to, beside the totals of `kpi-summary.json`, with a reason for each difference.
extension CostWorkbook {
    /// Trips and cost of one side.
    private struct Amount: Equatable {
        var trips: Int?
        var cents: Int?

        static func - (left: Amount, right: Amount) -> Amount {
            Amount(
                trips: left.trips.flatMap { trips in right.trips.map { trips - $0 } },
                cents: left.cents.flatMap { cents in right.cents.map { cents - $0 } })
        }

        var isNone: Bool { trips ?? 0 == 0 && cents ?? 0 == 0 }
    }

    /// The total of a sheet, of its lines as they are shown.
    struct SheetTotal {
        /// Nil: the sheet has no number of trips.
        var trips: Int?
        /// Whether these are the trips that have a cost.
        var isOfCostedTrips = false
        var costCents: Int?
        /// Why the sheet has less than its period; nil: it has all of it.
        var rest: String?
    }

    /// The line of a sheet that says so.
    func reconciliation(_ total: SheetTotal) -> String {
        let published = context.published ?? base.overall
        // The setting `missing_counts` hides the number of costed trips everywhere.
        let isCounted = !total.isOfCostedTrips || published?.costedTrips != nil
        let here = Amount(trips: isCounted ? total.trips : nil, cents: total.costCents)
        guard let published, let there = amount([published], total) else {
            return "Not reconciled with kpi-summary.json: it shows no total of trips and cost."
        }
        let selected = base.overall.flatMap { amount([$0], total) } ?? Amount(trips: 0, cents: 0)
        let period = amount(shownMonths.compactMap { figures[$0.description] }.filter { !$0.suppressed }, total)
        // A part that is hidden cannot be told from the others.
        let isHidden = there.cents != nil && (selected.cents == nil || (period ?? selected).cents == nil)
        let all: [(text: String, amount: Amount)] = [
            (report.isInternal ? "other regions" : "other regions, and groups that also hold these", there - selected),
            ("months outside the period", selected - (period ?? selected)),
            (total.rest ?? "not explained: report it as a bug", (period ?? selected) - here),
        ]
        let rest = [(text: "other regions or months, and what is hidden", amount: there - here)]
        let reasons = (isHidden ? rest : all).map { reason in
            (
                text: reason.text,
                amount: Amount(trips: here.trips == nil ? nil : reason.amount.trips, cents: reason.amount.cents)
            )
        }
        let noun = total.isOfCostedTrips ? "costed trips" : "trips"
        var parts: [String] = []
        // Lines that are hidden add up to no trips, which says nothing.
        if let trips = here.trips, let all = there.trips, trips > 0 || here.cents != nil || all == 0 {
            parts.append(
                "\(noun) \(NumberText.grouped(trips)) here, \(NumberText.grouped(all)) there, difference "
                    + NumberText.grouped(all - trips))
        }
        if let cents = here.cents, let all = there.cents {
            let isUnknown = published.costedTrips == 0 && published.trips ?? 0 > 0
            parts.append(
                isUnknown
                    ? "cost unknown"
                    : "cost \(NumberText.dollars(cents: cents)) here, \(NumberText.dollars(cents: all)) there, difference "
                        + (all == cents ? "0" : NumberText.dollars(cents: all - cents)))
        }
        guard !parts.isEmpty else {
            return "Not reconciled with kpi-summary.json: the sheet shows no total." + paidText + rejectedText
        }
        let why = reasons.filter { !$0.amount.isNone }.map { reason in
            let trips = reason.amount.trips.map { "\(NumberText.grouped($0)) \(noun)" }
            let cost = reason.amount.cents.map { NumberText.dollars(cents: $0) }
            return "\([trips, cost].compactMap(\.self).joined(separator: " and ")) (\(reason.text))"
        }
        return "Reconciled with kpi-summary.json: \(parts.joined(separator: "; "))."
            + (why.isEmpty ? "" : " The difference: \(why.joined(separator: "; ")).") + paidText + rejectedText
    }

    /// Nil where a figure is hidden.
    private func amount(_ cells: [Cell], _ total: SheetTotal) -> Amount? {
        let trips = cells.map { total.isOfCostedTrips ? $0.costedTrips : $0.trips }
        let cents = cells.map { $0.totalCost?.cents }
        // A sum of which a part is hidden is not known.
        let shown = Amount(
            trips: trips.contains(nil) ? nil : trips.compactMap(\.self).reduce(0, +),
            cents: cents.contains(nil) ? nil : cents.compactMap(\.self).reduce(0, +))
        return cells.isEmpty || !trips.allSatisfy({ $0 == nil }) || !cents.allSatisfy({ $0 == nil }) ? shown : nil
    }

    /// Of the period. A release does not show the cost of trips that were not run.
    private var paidText: String {
        let cells = shownMonths.compactMap { figures[$0.description] }
        let costs = cells.compactMap { $0.totalCost?.cents }, notRun = cells.compactMap { $0.costNotRun?.cents }
        guard !cells.isEmpty, costs.count == cells.count, notRun.count == cells.count else { return "" }
        let cost = costs.reduce(0, +), rest = notRun.reduce(0, +)
        // A cost that is unknown is not $0.00.
        let isUnknown = cells.allSatisfy { $0.costedTrips == 0 } && cells.contains { $0.trips ?? 0 > 0 }
        guard !isUnknown || rest != 0 else { return "" }
        let texts = [cost + rest, cost, rest].map { NumberText.dollars(cents: $0) }
        return " Paid = total cost + cost of trips not run, in the period: \(texts[0]) = \(texts[1]) + \(texts[2])."
    }

    private var rejectedText: String {
        guard let rejected = report.summary.quality.rejected, rejected > 0 else { return "" }
        return " Rejected, and in no figure: \(NumberText.counted(rejected, "record"))."
    }
}
