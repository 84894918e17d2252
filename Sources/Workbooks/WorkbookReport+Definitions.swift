import KPIContract
import Reports

/// What each figure means, what is promised, and which rules and run made it.
extension WorkbookReport {
    func definitions() -> SheetContent {
        SheetContent(
            name: "Definitions",
            title: isAccessible ? "What each figure means" : "Definitions, privacy and provenance",
            blocks: [
                .gap(), .facts(provenance), .gap(), .line("Privacy", .heading),
                .paragraph(summary.privacy.statement),
                .paragraph(isInternal ? SummaryReport.internalStamp : "", .stamp), .gap(),
            ],
            table: SheetTable(
                name: "Terms",
                columns: [
                    .init(title: "Term", role: .wrapped, width: 24), .init(title: "Unit", role: .wrapped, width: 20),
                    .init(title: "Definition", role: .wrapped, width: 100, charactersPerLine: 105),
                ],
                lines: Self.terms.map {
                    [
                        .text($0.name), .text(isAccessible && $0.unit.isEmpty ? "no unit" : $0.unit),
                        .text($0.definition),
                    ]
                }, isHeaderFrozen: false))
    }

    private var provenance: [(title: String, text: String)] {
        let privacy = summary.privacy
        return [
            ("Run", runID),
            ("Generated at", summary.generatedAt),
            ("Contract version", summary.contractVersion),
            ("Data through", summary.dataThrough ?? "n/a"),
            ("Month of a trip", "the first present of: \(summary.monthEvent)"),
            ("Dates", summary.dateBasis),
            ("Rules", summary.rules.name),
            ("Rules version", summary.rules.version),
            ("Smallest shown count", "\(privacy.minimumCell) (0 is shown)"),
            ("Hidden cells", String(privacy.suppressedCells)),
            ("Disclosure audit", privacy.auditPassed.map { $0 ? "passed" : "FAILED" } ?? "not made"),
        ]
    }

    private typealias Term = (name: String, unit: String, definition: String)

    private static let terms: [Term] = measures + comparisonTerms + signs

    /// The catalog that all outputs share, with what a reader of costs must know beside it.
    private static let measures: [Term] = KPICatalog.all.map { kpi in
        let isSplitCost = kpi.measure == .inHouseCost || kpi.measure == .contractedCost
        return (kpi.title, words(kpi.shownFormat), kpi.definition + (isSplitCost ? " " + notLikeForLike : ""))
    }

    private static func words(_ format: FigureFormat) -> String {
        switch format {
        case .count: "trips"
        case .percent: "whole percent"
        case .share: "percent, shown with 2 decimals"
        case .tenthsOfPercent: "percent, shown with 1 decimal"
        case .dollars: "dollars"
        case .miles: "statute miles"
        case .seconds, .tenthsOfSeconds: "h:mm:ss"
        }
    }

    private static let comparisonTerms: [Term] = [
        ("Change on month before", "percent", "Trips against the calendar month before, as a share of that month."),
        ("Change on year before", "percent", "Trips against the same month a year before, as a share of that month."),
        ("Rolling 12 months", "trips", "Sum over the twelve months that end with this one; needs all twelve."),
        ("Fiscal year to date", "trips", "Sum from October, when the federal fiscal year starts, up to this month."),
    ]

    private static let signs: [Term] = [
        ("Than usual", "", verdictText),
        ("Under way", "", "The month is not over, or its last trips are not here: it is compared with no other month."),
        (
            "Lacks days", "",
            "The month is over, and days at its beginning or end have no trips: it is compared with none."
        ),
        ("≈", "", roundedText),
        ("A trip", "", "One unit, one leg; a round trip is two. Void trips are not counted."),
        ("Hidden", "", "Not shown: of too few trips or patients, or shown only together with other cells. Not 0."),
        ("n/a", "", "Nothing to compute from: a ratio over none, or no earlier month to compare with."),
        ("Not comparable", "", FigureCoverage.notComparableLegend),
        ("All", "", "Summed over that column. An All line is no further trip."),
        (
            "Times", "[h]:mm:ss",
            "Stored as shares of a day: multiply by 86400 for seconds. Means keep their tenth of a second."
        ),
        (
            "Formulas", "",
            "Stand only where they give exactly the published figure from figures shown here; else the"
                + " published figure itself is written. Recalculating changes nothing."
        ),
    ]

    /// Percentiles of a release are rounded to so many seconds.
    static let percentileStep = KPIDescription.releaseStepSeconds
    static let roundedText =
        "The sign ≈: a release rounds medians and p90s to \(percentileStep) seconds. Its other figures are not rounded so."

    // MARK: Notes

    func notes() -> SheetContent {
        frame.notes(
            WorkbookNote.allCases.filter { $0 != .incomplete || !coverageLegends.isEmpty }.map {
                ($0, words(of: $0).subject, words(of: $0).text)
            })
    }

    /// The notes of a table of measures.
    var tableNotes: [WorkbookNote] { [.hidden, .none, .all] + incompleteNote }

    var incompleteNote: [WorkbookNote] { coverageLegends.isEmpty ? [] : [.incomplete] }

    func words(of note: WorkbookNote) -> (subject: String, text: String) {
        switch note {
        case .hidden:
            let least = summary.privacy.minimumCell
            return (
                "The word hidden",
                isInternal
                    ? "\(SummaryReport.internalStamp). Nothing is hidden in this workbook."
                    : "Not shown: of fewer than \(least) trips or patients, or shown only together with other cells. It"
                        + " does not mean 0. \(summary.privacy.statement)"
            )
        case .none:
            return ("The letters n/a", "Nothing to compute from: a ratio over none, or no such month to compare with.")
        case .all:
            return (
                "The word All",
                "Summed over that column: a line that says All is no further trip. Leave such lines out before adding up."
            )
        case .trips:
            return (
                "Trips",
                "Completed trips; cancelled and no-show are counted beside them. A trip belongs to the month of the first"
                    + " of these that is present: \(summary.monthEvent). Dates: \(summary.dateBasis)."
            )
        case .share:
            return (
                "In-house share",
                "In-house over in-house and contracted trips; unclassified trips are in neither."
            )
        case .cost: return ("Cost", "\(Self.notLikeForLike) \(Self.costBasis)")
        case .times:
            let pairs = intervalNotes.isEmpty ? "" : " " + intervalNotes.joined(separator: ". ") + "."
            return (
                "Used and excluded",
                "A time is made of the trips used. Excluded are those where an end is missing, the interval is negative,"
                    + " or it is over the limit. Percentiles are nearest rank." + pairs
            )
        case .comparisons:
            return (
                "Comparisons",
                "Changes are of trips, as a share of the earlier month. A sum over months needs all of them: it is n/a"
                    + " where one is missing and hidden where one is hidden or leaves out trips. Fiscal years begin in"
                    + " October."
            )
        case .latest:
            return (
                "The latest complete month",
                "\(Self.verdictText) 12 months: the month and the eleven before it, as far as they can be compared with it, at least "
                    + "three. Of a count or a sum it is what it is a month; a share or a mean is that of all trips of these months. "
                    + "A percentile has none: it does not follow from those of months."
                    + (isInternal ? "" : " " + Self.roundedText)
            )
        case .incomplete: return ("The mark +", coverageLines.joined(separator: " "))
        case .restated:
            return (
                "Restated months",
                "A correction can change a month after it was published. Before is what readers saw, after is what stands"
                    + " now, over all regions and trip types."
            )
        }
    }
}
