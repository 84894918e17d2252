internal import Costs
internal import KPIContract
internal import Trips

extension CostWorkbook {
    /// What the cover says of the sheets after it.
    struct CoverContents {
        private(set) var names: [String] = []
        private(set) var charted: Set<String> = []
        /// Totals that have a name.
        private(set) var totals: [String: SheetLayout.PlacedCell] = [:]

        mutating func add(_ sheet: SheetLayout) {
            names.append(sheet.name)
            if !sheet.charts.isEmpty { charted.insert(sheet.name) }
            for named in sheet.names {
                totals[named.name] = sheet.cells.last { $0.row == named.row && $0.column == named.column }
            }
        }
    }

    /// What this is, of which months, and what is on which sheet.
    func coverSheet(_ shown: CoverContents) -> SheetLayout {
        let names = shown.names
        var sheet = base.frame(
            "Cover", title: report.isInternal ? "INTERNAL: ambulance trip costs" : "Ambulance trip costs")
        sheet.row += 1
        for fact in coverFacts {
            sheet.put(fact.title, .label, row: sheet.row, column: 0, sized: false)
            sheet.put(fact.text, .body, row: sheet.row, column: 1, sized: false)
            sheet.row += 1
        }
        sheet.row += 1
        addKeyFigures(shown.totals, to: &sheet)
        sheet.put(WorkbookReport.notLikeForLike, .stamp, row: sheet.row, column: 0, sized: false)
        sheet.row += 2
        let headerRow = sheet.row
        for (column, title) in ["Sheet", "What is on it"].enumerated() {
            sheet.put(title, .header, row: headerRow, column: column)
        }
        for (offset, name) in names.enumerated() {
            sheet.link(to: name, row: headerRow + 1 + offset, column: 0)
            let text = (Self.contents[name] ?? "") + (shown.charted.contains(name) ? " With a chart." : "")
            sheet.put(text, .body, row: headerRow + 1 + offset, column: 1, sized: false)
        }
        sheet.table = SheetLayout.Table(
            name: "Contents", headerRow: headerRow, headers: ["Sheet", "What is on it"], rowCount: names.count)
        sheet.row = headerRow + 1 + names.count
        sheet.setWidth(0, 26)
        sheet.setWidth(1, 96)
        sheet.frozenRows = 2
        sheet.repeatedRows = 0...1
        return sheet
    }

    var coverFacts: [(title: String, text: String)] {
        let summary = report.summary
        var facts = [
            ("Period", shownMonths.isEmpty ? emptyPeriodText : periodText),
            ("Data through", summary.dataThrough ?? "n/a"),
            ("Generated at", summary.generatedAt),
            ("Rules", "\(summary.rules.name), \(summary.rules.version.prefix(12))"),
        ]
        let withheld = summary.withheldMonths.filter { text in shownMonths.contains { $0.description == text } }
        let pending = Set(summary.monthsWithRevisionPending).intersection(shownMonths.map(\.description)).sorted()
        if !pending.isEmpty { facts.append(("Revision pending", pending.joined(separator: ", "))) }
        if !withheld.isEmpty { facts.append(("Withheld months", withheld.joined(separator: ", "))) }
        if let ledger { facts.append(("Taken from", ledger.origin == .store ? "the store" : "exports")) }
        return facts
    }

    /// Months without trips must not be taken for months that cost nothing.
    private var emptyPeriodText: String {
        let known = Set(report.summary.cells.map(\.month)).union(report.summary.withheldMonths).compactMap { Month($0) }
        guard let first = known.min(), let last = known.max() else { return "there are no trips" }
        return "no trips in the months asked for; there are trips from \(first) to \(last)"
    }

    /// The totals of other sheets, by their names.
    private func addKeyFigures(_ totals: [String: SheetLayout.PlacedCell], to sheet: inout SheetLayout) {
        let figures: [(title: String, name: String)] = [
            ("Trips", "Trips_total"), ("Costed trips", "Costed_trips_total"), ("Cost", "Cost_total"),
            ("Cost per trip", "Cost_per_trip"), ("In-house cost", "In_house_cost_total"),
            ("Contracted cost", "Contracted_cost_total"), ("Cost of the Lines sheet", "Lines_cost_total"),
        ]
        for figure in figures {
            guard let cell = totals[figure.name] else { continue }
            sheet.put(figure.title, .label, row: sheet.row, column: 0, sized: false)
            sheet.repeatTotal(cell, named: figure.name)
            sheet.row += 1
        }
        sheet.row += 1
    }

    private static let contents: [String: String] = [
        "Costs": "Each month and trip type: trips and costs by sourcing, unit costs, loaded miles.",
        "Variance": "Each month against the month and the year before, split into volume and price.",
        "Fiscal years": "Cost by fiscal year, October to September.",
        "In-house v contracted": "Cost by sourcing and month, and why the two are not like for like.",
        "Providers": "The period by provider and contract.",
        "Lines": "Month × provider × contract × trip type × sourcing.",
        "Line variance": "The same lines against the month and the year before.",
        "Provider years": "Cost by fiscal year, provider and contract.",
        "Checks": "What was looked for, how much was found, and by which rule.",
        "Exceptions": "The trips that were found.",
        "Definitions": "What each figure means, how it is rounded, and what is promised.",
    ]

    /// What each figure means, how it is rounded, what is hidden.
    func definitionsSheet() -> SheetLayout {
        var sheet = base.frame("Definitions", title: "Definitions and notes")
        sheet.row += 1
        sheet.addParagraph(report.summary.privacy.statement, width: 120)
        sheet.row += 1
        let headers = ["Term", "Definition"]
        let headerRow = sheet.row
        for (column, title) in headers.enumerated() { sheet.put(title, .header, row: headerRow, column: column) }
        for (offset, term) in terms.enumerated() {
            let row = headerRow + 1 + offset
            sheet.put(term.name, .wrapped, row: row, column: 0)
            sheet.put(term.definition, .wrapped, row: row, column: 1, sized: false)
            sheet.setHeight(row, 15 * Double(1 + term.definition.count / 105))
        }
        sheet.setWidth(0, 26)
        sheet.setWidth(1, 105)
        sheet.table = SheetLayout.Table(name: "Terms", headerRow: headerRow, headers: headers, rowCount: terms.count)
        sheet.frozenRows = 2
        sheet.repeatedRows = 0...1
        return sheet
    }

    var terms: [(name: String, definition: String)] {
        ledger == nil ? ownTerms : ownTerms + Self.insideTerms
    }

    private var ownTerms: [(name: String, definition: String)] {
        [
            ("Trip", Self.tripText),
            ("Cost", "What was paid or is payable, exact to the cent; never an estimate. A cost of 0 is a cost."),
            ("Costed trips", "Trips that have a cost. Unit costs are over these."),
            ("Cost per trip", "Cost over costed trips, rounded to the cent, halves away from zero."),
            ("Cost per loaded mile", loadedMileText),
            ("Loaded miles", "Miles with the patient on board. In published figures rounded to a tenth in each cell."),
            ("Volume and price", Self.changeText),
            (
                "In-house v contracted",
                WorkbookReport.notLikeForLike + " " + WorkbookReport.costBasis
            ),
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
    }

    static let formulasTerm = "Formulas"
    static let tripText = "A completed trip: one unit, one leg. It belongs to the local month of its first time."
    var loadedMileText: String {
        report.isInternal
            ? "Of the trips that have both a cost and loaded miles: their cost over their miles, rounded to the cent. It "
                + "cannot be computed for a part of the months from the figures of each; then the totals have none."
            : "Cost over loaded miles, two published sums, rounded to the cent; hidden where the two leave out different "
                + "trips. The sums may be of different trips: some have a cost and no miles, or miles and no cost."
    }

    private static let insideTerms: [(name: String, definition: String)] = [
        ("Provider, contract", "As the exports name them. They are in no set that is audited for release."),
        ("Trip", "A public id is random, says nothing of the trip and stays the same from run to run."),
        (
            "Exceptions",
            "What the Checks sheet's rules found. A check that could not be made says so there; it found nothing "
                + "because it did not look."
        ),
    ]
}

extension SheetLayout {
    /// A total of another sheet, by its name.
    mutating func repeatTotal(_ cell: PlacedCell, named name: String) {
        switch cell.content {
        case .text(let text), .sheetLink(let text): put(text, .body, row: row, column: 1, sized: false)
        case .number(let number), .formula(_, let number):
            place(
                .formula("=\(name)", result: number), CellStyle(.day, unit: cell.style.unit), row: row, column: 1
            )
        }
    }
}
