import Basics
import KPIContract

/// A month against others. What is not there is hidden, or there is no such month; the document does not say which.
struct ComparisonRow {
    let month: String
    /// `under way`, `lacks days`, or false.
    let remark: Any
    let figures: [PlainFigure]

    /// - Parameters:
    ///   - index: where the months are found that leave out trips.
    ///   - hasCosts: whether some trip has a cost.
    ///   - remark: why the month is not compared; nil: it is.
    init(_ comparison: KPISummaryV1.Comparison, _ index: CellFigures, hasCosts: Bool, remark: String?) {
        month = comparison.month
        self.remark = remark.map { $0 as Any } ?? false
        /// A change that is missing because one of its two months leaves out trips.
        func change(_ share: Share?, over distance: Int) -> PlainFigure {
            guard remark == nil else { return .text(FigureCoverage.notComparable) }
            guard share == nil, let month = Month(comparison.month) else { return .change(share) }
            let months = [month, month.advanced(by: distance)].map(\.description)
            let isIncomplete = months.contains {
                index.isPartial($0) || index.figure(Measure.trips.kpi, at: .init(month: $0)).coverage.isIncomplete
            }
            return isIncomplete ? .text(FigureCoverage.notComparable) : .change(share)
        }
        figures = [
            .count(comparison.trips), .count(comparison.previousMonthTrips),
            change(comparison.monthOverMonth, over: -1), .count(comparison.previousYearTrips),
            change(comparison.yearOverYear, over: -12), .count(comparison.rolling12Trips),
            .dollars(hasCosts ? comparison.rolling12Cost : nil), .text("FY \(comparison.fiscalYear)"),
            .count(comparison.fiscalYearToDateTrips), .dollars(hasCosts ? comparison.fiscalYearToDateCost : nil),
        ]
    }
}

/// A month's figures as readers saw them before, and as they are now.
struct RestatementRow {
    let month: String
    let restatedAt: String
    let figures: [PlainFigure]

    init(_ restatement: KPISummaryV1.Restatement) {
        month = restatement.month
        restatedAt = restatement.restatedAt
        figures = HeadlineMeasure.all.flatMap { measure in
            [restatement.before, restatement.after].map { PlainFigure(measure.text($0)) }
        }
    }
}

/// What a measure is to reach, and how often it did.
struct TargetRow {
    let measure: String
    let region: String
    let tripType: String
    let target: String
    let gap: String
    let monthsMet: String

    init(_ target: KPISummaryV1.Target) {
        measure = target.kpi?.title ?? target.measure
        region = target.region
        tripType = target.tripType
        self.target = target.words
        gap = target.gapWords ?? "–"
        monthsMet = target.monthsMetText ?? "–"
    }
}

/// How many events of a kind a month has in a region.
struct EventRow {
    let month: String
    let region: String
    let kind: String
    let count: String
    let evacuations: String
    /// Whether the row is of all regions and kinds.
    let isSum: Bool

    init(_ row: KPISummaryV1.EventCount) {
        month = row.month
        region = row.region
        kind = row.kind
        count = NumberText.grouped(row.events)
        evacuations = row.evacuations.map(NumberText.grouped) ?? "hidden"
        isSum = row.region == CellKey.all && row.kind == CellKey.all
    }
}

/// A figure that is not one of a cell.
struct PlainFigure {
    let text: String
    let isThere: Bool

    init(_ text: String?) {
        self.text = text ?? "–"
        isThere = text != nil
    }

    static func text(_ text: String) -> PlainFigure { PlainFigure(text) }
    static func count(_ value: Int?) -> PlainFigure { PlainFigure(value.map(NumberText.grouped)) }
    static func dollars(_ value: Cents?) -> PlainFigure {
        PlainFigure(value.map { NumberText.dollars(cents: $0.cents) })
    }

    /// `+7.14%`.
    static func change(_ share: Share?) -> PlainFigure {
        PlainFigure(
            share.map { ($0.tenThousandths > 0 ? "+" : "") + NumberText.decimals($0.tenThousandths, 2) + "%" })
    }
}

/// What became of the records that were read.
struct QualityModel {
    struct Line {
        var name: String
        var text: String
    }

    /// Of the release, which has no counts: its shares.
    let shares: [Line]
    let hasShares: Bool
    let sharesLegend = KPISummaryV1.QualityShares.legend
    let counts: [Line]
    let hasCounts: Bool
    let warnings: [Line]
    let hasWarnings: Bool
    /// Of a part: warnings are counted by month only.
    let warningScope: String
    let freshness: String
    let exports: String?
    let missingDays: String?

    /// - Parameter isPart: whether the page is of a selection.
    init(_ quality: KPISummaryV1.Quality, _ shares: KPISummaryV1.QualityShares?, isPart: Bool) {
        warningScope = isPart ? " \(KPISummaryV1.Quality.warningScope)" : ""
        self.shares = (shares?.lines ?? []).map { Line(name: $0.title, text: $0.text) }
        hasShares = shares != nil
        hasCounts = quality.read != nil
        let shown = { (count: Int?) in count.map(NumberText.grouped) ?? "hidden" }
        var counts: [Line] = [
            .init(name: "Added", text: shown(quality.added)), .init(name: "Updated", text: shown(quality.updated)),
            .init(name: "Unchanged", text: shown(quality.unchanged)),
            .init(name: "Superseded", text: shown(quality.superseded)),
        ]
        if let merged = quality.merged { counts.append(.init(name: "Merged", text: shown(merged))) }
        counts += [
            .init(name: "Skipped", text: shown(quality.skipped)),
            .init(name: "Rejected", text: shown(quality.rejected)),
            .init(name: "Read, their sum", text: shown(quality.read)),
        ]
        self.counts = counts
        warnings = quality.warnings.filter { $0.value != 0 }.sorted { $0.key < $1.key }.map { code, count in
            Line(name: code.split(separator: "_").joined(separator: " "), text: shown(count))
        }
        hasWarnings = !warnings.isEmpty
        freshness =
            quality.freshness.newestTrip.map { newest in
                let age = quality.freshness.ageDays.map {
                    ", \(NumberText.grouped($0)) \($0 == 1 ? "day" : "days") before this page was made"
                }
                return "The newest trip is of \(newest)\(age ?? "")."
            } ?? "There is no trip yet."
        exports = quality.exports.map {
            "Exports: \(NumberText.grouped($0.loaded)) loaded, \(NumberText.grouped($0.failed)) failed, "
                + "\(NumberText.grouped($0.waived)) waived."
        }
        missingDays = quality.missingDayCount.map { count in
            if count == 0 { return "No day without trips that should have some." }
            let named = (quality.missingDays ?? []).joined(separator: ", ")
            return "Days without any trip: \(NumberText.grouped(count))\(named.isEmpty ? "" : " (\(named))")."
        }
    }
}
