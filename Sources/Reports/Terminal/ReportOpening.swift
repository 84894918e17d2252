import KPIContract

/// What a short report says first: who it is for, of which months it is, and how old the data are.
struct ReportOpening: Sendable {
    /// Data are old if the newest trip was more days ago: a whole month is missing.
    private static let oldAfterDays = 31

    let stamp: String
    /// `October 2023 to September 2025`.
    let months: String
    /// When the newest trip was.
    let age: String
    let isOld: Bool
    /// What the figures are restricted to.
    let selection: [String]

    init(_ report: SummaryReport) {
        let summary = report.summary
        stamp = summary.stamp
        let shown = (summary.months + summary.withheldMonths).sorted()
        let ends = [shown.first, shown.last].compactMap { $0.map(PlainName.month) }
        months = ends.isEmpty ? "no month" : ends[0] == ends[1] ? ends[0] : ends.joined(separator: " to ")
        selection = report.selection.map(PlainName.sentence)
        let through = summary.dataThrough.map(PlainName.day)
        let days = summary.quality.freshness.ageDays ?? 0
        // Of a part, an early last day is no fault.
        isOld = selection.isEmpty && through != nil && days > Self.oldAfterDays
        age =
            isOld
            ? "WARNING: old data. The newest day with trips is \(through ?? ""), \(NumberText.grouped(days)) days ago."
            : through.map { "Data through \($0)." } ?? "No trips."
    }
}
