import Basics
import KPIContract
import KPIs
import Reports
import Trips

/// A note of the cost workbook; the accessible style refers to it by number.
enum CostNote: Int, CaseIterable, SheetNote {
    case hidden = 1, none, all, trips, cost, loadedMile, change, years
    /// Of the workbook for staff only.
    case checks, exceptions
    /// Of a release with marked figures only.
    case incomplete
    /// Of a workbook with a budget only.
    case budget

    /// The note that belongs to a column.
    init?(ofColumn title: String) {
        switch title {
        case "Trips", "In-house trips", "Contracted trips", "Unclassified trips": self = .trips
        case "Variance", "Variance, per cent", "Forecast trips", "Forecast less plan", "Forecast less plan, per cent",
            "Complete months", "In the total":
            self = .budget
        case "Change", "Volume", "Price": self = .change
        case "Year": self = .years
        case "Trips found", "Cost of these": self = .checks
        case "Trip": self = .exceptions
        case _ where title.hasPrefix("Plan "), _ where title.hasPrefix("Actual "), "Forecast cost": self = .budget
        case _ where title.lowercased().contains("mile"): self = .loadedMile
        default:
            guard title.lowercased().contains("cost") else { return nil }
            self = .cost
        }
    }
}

extension CostWorkbook {
    /// What the cover says of the sheets after it.
    struct CoverContents {
        private(set) var names: [String] = []
        private(set) var charted: Set<String> = []
        /// Totals that have a name.
        private(set) var totals: [String: ShownValue] = [:]

        mutating func add(_ sheet: SheetLayout, _ table: PlacedTable?) {
            names.append(sheet.name)
            if !sheet.charts.isEmpty { charted.insert(sheet.name) }
            totals.merge(table?.namedTotals ?? [:]) { $1 }
        }
    }

    /// What this is, of which months, and what is on which sheet.
    func coverSheet(_ contents: CoverContents) -> SheetLayout {
        let sheets = contents.names.map { name in
            (name, (Self.contents[name] ?? "") + (contents.charted.contains(name) ? " With a chart." : ""))
        }
        return frame.layout(
            frame.cover(
                [.gap(), .facts(coverFacts), .gap()] + keyFigures(contents.totals) + legends(of: contents.totals)
                    + [.gap(), .line(WorkbookReport.notLikeForLike, .stamp), .gap()],
                of: sheets, header: "What is on it", widths: (26, 96)))
    }

    var coverFacts: [(title: String, text: String)] {
        let summary = report.summary
        let period = Set(shownMonths.map(\.description))
        var facts = [
            ("Period", period.isEmpty ? emptyPeriodText : periodText),
            ("Data through", summary.dataThrough ?? "n/a"),
            ("Generated at", summary.generatedAt),
            ("Rules", "\(summary.rules.name), \(summary.rules.version.prefix(12))"),
        ]
        let pending = summary.monthsWithRevisionPending.filter(period.contains)
        let withheld = summary.withheldMonths.filter(period.contains)
        if !pending.isEmpty { facts.append(("Revision pending", pending.joined(separator: ", "))) }
        if !withheld.isEmpty { facts.append(("Withheld months", withheld.joined(separator: ", "))) }
        facts += PartialFiscalYear.all(known: knownMonths, period: months).map { ($0.name, $0.text) }
        if !report.selection.isEmpty { facts.insert(("Selection", selectionText), at: 1) }
        if let ledger {
            facts.append(("Taken from", ledger.origin == .store ? "the store" : "exports"))
            if ledger.review == nil { facts.append(("Exceptions to review", Self.noReviewText)) }
        }
        return facts
    }

    private static let noReviewText =
        "Not in this workbook. `tripkpi costs --internal` lists them, of the months that you review."

    /// Months without trips must not be taken for months that cost nothing.
    private var emptyPeriodText: String {
        guard let first = knownMonths.min(), let last = knownMonths.max() else { return "there are no trips" }
        return "no trips in the months asked for; there are trips from \(first) to \(last)"
    }

    /// Totals of other sheets and their names.
    private static let keyFigures = [
        ("Trips", "Trips_total"), ("Costed trips", "Costed_trips_total"), ("Cost", "Cost_total"),
        ("Cost per trip", "Cost_per_trip"), ("In-house cost", "In_house_cost_total"),
        ("Contracted cost", "Contracted_cost_total"), (unclassifiedCostTitle, "Unclassified_cost_total"),
        ("Cost of the Lines sheet", "Lines_cost_total"),
    ]

    private func keyFigures(_ totals: [String: ShownValue]) -> [SheetContent.Block] {
        Self.keyFigures.compactMap { title, name in
            guard let total = totals[name] else { return nil }
            if let word = total.word { return .facts([(title, word)]) }
            return .table(
                SheetTable(
                    columns: [
                        .init(title: "Title", role: .label, isSized: false),
                        .init(title: "Total", unit: .cents, role: .day),
                    ],
                    lines: [[.text(title), .value(total)]], hasHeader: false,
                    formula: { _, _, _ in "=\(name)" }))
        }
    }

    /// What the marks after the key figures mean.
    private func legends(of totals: [String: ShownValue]) -> [SheetContent.Block] {
        let coverage = Self.keyFigures.compactMap { totals[$0.1]?.coverage }.reduce(FigureCoverage.all) { $0.union($1) }
        return coverage.isIncomplete ? [.gap(), .paragraph(FigureCoverage.incompleteLegend)] : []
    }

    private static let contents: [String: String] = [
        "Costs": "Each month and trip type: trips and costs by sourcing, unit costs, loaded miles.",
        "Regions": "Each month and region: the same figures.",
        "Variance": "Each month against the month and the year before, split into volume and price.",
        "Fiscal years": "Cost by fiscal year, October to September.",
        "Region years": "Cost by fiscal year and region, October to September.",
        "In-house v contracted": "Cost by sourcing and month, and why the two are not like for like.",
        "Sourcing years": "Cost by sourcing and fiscal year.",
        "Budget": "Plan, actual, variance and its three parts, and a forecast to year end.",
        "Providers": "The period by provider, contract, region and sourcing.",
        "Lines": "Month × provider × contract × region × trip type × sourcing.",
        "Line variance": "The same lines over all regions against the month and the year before.",
        "Provider years": "Cost by fiscal year, provider and contract.",
        "Checks": "What was looked for, how much was found, and by which rule.",
        "Exceptions": "The trips that were found.",
        MonthChart.dataSheet: "What the chart plots; a month that cannot be compared is empty.",
        "Definitions": "What each figure means, how it is rounded, and what is promised.",
    ]

    // MARK: Definitions and notes

    /// What each figure means, how it is rounded, what is hidden.
    func definitionsSheet() -> SheetContent {
        // The accessible style has no formulas.
        let terms = terms.filter { !base.isAccessible || $0.name != Self.formulasTerm }
        return SheetContent(
            name: "Definitions", title: base.isAccessible ? "What each figure means" : "Definitions and notes",
            blocks: [.gap(), .paragraph(report.summary.privacy.statement), .gap()],
            table: SheetTable(
                name: "Terms",
                columns: [
                    .init(title: "Term", role: .wrapped, width: 26),
                    .init(title: "Definition", role: .wrapped, width: 105, charactersPerLine: 105),
                ],
                lines: terms.map { [.text($0.name), .text($0.definition)] }, isHeaderFrozen: false))
    }

    private var terms: [(name: String, definition: String)] {
        let own = [
            ("Trip", Self.tripText),
            ("Cost", "What was paid or is payable, exact to the cent; never an estimate. A cost of 0 is a cost."),
            ("Costed trips", "Trips that have a cost. Unit costs are over these."),
            ("Cost per trip", "Cost over costed trips, rounded to the cent, halves away from zero."),
            ("Cost per loaded mile", loadedMileText),
            (Self.unclassifiedCostTitle, Self.unclassifiedCostText),
            (
                "Loaded miles",
                "Miles with the patient on board, of all trips. Rounded to a tenth in each cell of the summary, and in each total: the "
                    + "total is rounded once, so rounded lines may add up to some tenths more or less."
            ),
            ("Cost of trips not run", Self.notRunText), ("Cost unknown", Self.unknownText),
            (
                "Reconciled",
                "Each sheet names its total of trips and cost, those of kpi-summary.json, and the reason for each difference."
            ),
            ("Volume and price", Self.changeText),
            ("In-house v contracted", WorkbookReport.notLikeForLike + " " + WorkbookReport.costBasis),
            ("Fiscal year", "October of the year before to September."),
            ("hidden", "Not shown: of too few trips or patients, or shown only together with other cells. Not 0."),
            ("n/a", "Nothing to compute from: a ratio over none, or a month outside the period."),
            (FigureCoverage.notComparable, FigureCoverage.notComparableLegend),
            (
                Self.formulasTerm,
                "Stand only where they give exactly the figure from figures shown here. Recalculating changes nothing; totals "
                    + "of tables without All lines follow the filter."
            ),
        ]
        let budget = context.plan == nil ? [] : [("Budget", Self.budgetText)]
        return own + budget + (ledger == nil ? [] : [Self.providerTerm])
            + (ledger?.review == nil ? [] : Self.reviewTerms)
    }

    private static let notRunText =
        "Cost of cancelled trips and no-shows. It is in no other figure; for staff, the line below the title of each sheet adds it to "
        + "the total cost: both are what was paid."
    private static let unknownText =
        "None of the trips has a cost on record. It is not a cost of 0, and it is in no sum. \"Unknown or 0\": the release does not "
        + "distinguish the two."
    private static let formulasTerm = "Formulas"
    private static let tripText =
        "A completed trip: one unit, one leg. It belongs to the local month of its first time."
    var loadedMileText: String {
        report.isInternal
            ? "Of the trips that have both a cost and loaded miles above zero: their cost over their miles, rounded to the cent. It "
                + "cannot be computed for a part of the months from the figures of each; then the totals have none. A release "
                + "shows it only where every trip that has one has both."
            : "Cost over loaded miles, rounded to the cent. Hidden unless every trip with a cost or with loaded miles has both."
    }

    private static let providerTerm = (
        name: "Provider, contract",
        definition: "As the exports name them. They are in no set that is audited for release."
    )

    private static let reviewTerms: [(name: String, definition: String)] = [
        ("Trip", "A public id is random, says nothing of the trip and stays the same from run to run."),
        (
            "Exceptions",
            "What the Checks sheet's rules found. A check that could not be made says so there; it found nothing "
                + "because it did not look."
        ),
    ]

    func notesSheet() -> SheetContent {
        frame.notes(CostNote.allCases.compactMap { note in words(of: note).map { (note, $0.subject, $0.text) } })
    }

    /// Nil for what is not in this workbook.
    private func words(of note: CostNote) -> (subject: String, text: String)? {
        switch note {
        case .hidden: return base.words(of: .hidden)
        case .none:
            return (
                "The letters n/a",
                "Nothing to compute from: a ratio over none, a month outside the period, a check that was not made, or a "
                    + "total that cannot be had from what is shown. Cost unknown: \(Self.unknownText)"
            )
        case .all: return base.words(of: .all)
        case .trips: return ("Trips", Self.tripText)
        case .cost: return base.words(of: .cost)
        case .loadedMile:
            return ("Cost per loaded mile", loadedMileText + (ledger == nil ? "" : " " + Self.bothText))
        case .incomplete: return base.coverageLines.isEmpty ? nil : base.words(of: .incomplete)
        case .change: return ("Volume and price", Self.changeText)
        case .years:
            return (
                "Fiscal years",
                "October of the year before to September. A year with a hidden month is hidden, too. Year is the sum of the months "
                    + "shown: a sheet names the years that have fewer than 12."
            )
        case .checks: return ledger?.review == nil ? nil : ("Checks", Self.checksText)
        case .budget: return context.plan == nil ? nil : ("Budget", Self.budgetText)
        case .exceptions:
            guard let ledger, let review = ledger.review else { return nil }
            return ("Exceptions", Self.exceptionsText(ledger.origin, review))
        }
    }
}
