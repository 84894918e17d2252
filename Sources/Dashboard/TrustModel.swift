import Basics
import KPIContract

/// What a reader needs to know to trust the figures, in one line at the top of the page.
struct TrustModel {
    struct Fact {
        var name: String
        var text: String
    }

    /// More days between the newest trip and the page are said in a notice.
    static let mostDays = 45

    /// In a line: how new the data are, and for whom.
    let line: String
    /// The rest.
    let facts: [Fact]
    /// Nil where the trips are recent.
    let oldNotice: PageModel.Notice?

    init(_ summary: KPISummaryV1) {
        let all = summary.cells.first { $0.key == CellKey() }
        let restated = summary.restatements?.max { ($0.restatedAt, $0.month) < ($1.restatedAt, $1.month) }
        let pending = summary.monthsWithRevisionPending
        let age = summary.quality.freshness.ageDays
        var facts: [Fact] = []
        if let all {
            facts.append(
                Fact(name: "Trips without a cost", text: Self.share(.costedTrips, of: all.trips, in: all)))
            let response = all.response
            facts.append(
                Fact(
                    name: "Trips without a response time",
                    text: Self.share(.responseUsed, of: Self.sum(response.used, response.excluded), in: all)))
        }
        facts.append(
            Fact(
                name: "Last restated",
                text: restated.map { "\($0.month), on \($0.restatedAt.prefix(10))" } ?? "no month"))
        facts.append(
            Fact(name: "Revision pending", text: pending.isEmpty ? "no month" : pending.joined(separator: ", ")))
        self.facts = facts
        line =
            "Data through \(summary.dataThrough ?? "no trip yet") · made \(summary.generatedAt.prefix(10)) · records rejected: \(Self.rejected(summary)) · for "
            + (summary.isInternal ? "staff only" : "anyone")
        oldNotice = age.flatMap { days in
            days > Self.mostDays
                ? PageModel.Notice(
                    title: "Old data: the newest trip is \(NumberText.grouped(days)) days older than this page",
                    text: "Exports may be missing since then.") : nil
        }
    }

    private static func rejected(_ summary: KPISummaryV1) -> String {
        if let read = summary.quality.read, let rejected = summary.quality.rejected {
            return percent(rejected, of: read)
        }
        return summary.qualityShares?.lines.first?.text ?? "not shown"
    }

    /// What part of the trips is not in a count of them. A count that leaves out groups says nothing of their trips.
    private static func share(_ measure: Measure, of whole: Int?, in cell: KPISummaryV1.Cell) -> String {
        guard let count = cell[measure], let whole,
            !measure.kpi.coverage(cell).isIncomplete
        else { return "not shown" }
        return percent(whole - count, of: whole)
    }

    private static func sum(_ one: Int?, _ other: Int?) -> Int? {
        guard let one, let other else { return nil }
        return one + other
    }

    /// With one decimal; a rounded 0 or 100 is neither none nor all.
    private static func percent(_ part: Int, of whole: Int) -> String {
        guard whole > 0, part >= 0, part <= whole else { return "none" }
        guard part > 0, part < whole else { return part == 0 ? "0%" : "100%" }
        let tenths = (2000 * part + whole) / (2 * whole)
        return tenths == 0 ? "under 0.1%" : tenths == 1000 ? "over 99.9%" : NumberText.decimals(tenths, 1) + "%"
    }
}
