internal import Costs

/// The same figures for readers who hear them, after the checklist for accessible spreadsheets of the UK Analysis Function.
extension CostWorkbook {
    func plainSheets() -> [SheetLayout] {
        let ledgerSheets = ledger.map { ledger in
            [
                providersSheet(ledger), linesSheet(ledger), lineVarianceSheet(ledger), providerYearsSheet(ledger),
                exceptionsSheet(ledger),
            ]
        }
        let figures = [costsSheet(), varianceSheet(), fiscalYearSheet(), sourcingSheet()] + (ledgerSheets ?? [])
        var sheets = [plainNotes(), plainDefinitions()] + figures.filter { !$0.grid.lines.isEmpty }.map(plain)
        // Before the trips it speaks of.
        if let ledger {
            sheets.insert(
                plainChecks(ledger), at: sheets.lastIndex { $0.name == "Exceptions" } ?? sheets.endIndex)
        }
        let left = figures.filter(\.grid.lines.isEmpty).map { "There is no worksheet \($0.name): \($0.grid.emptyText)" }
        let facts = coverFacts.map { "\($0.title): \($0.text)." } + [WorkbookReport.notLikeForLike] + left
        return [book.cover(of: sheets, facts: facts).layout()] + sheets.map { $0.layout() }
    }

    private var book: PlainWorkbook {
        PlainWorkbook(
            title: report.isInternal ? "INTERNAL: ambulance trip costs" : "Ambulance trip costs",
            isInternal: report.isInternal, promise: base.promise)
    }

    private static func marked(_ title: String) -> String {
        CostNote(ofColumn: title).map { "\(title) \($0.mark)" } ?? title
    }

    private func plain(_ sheet: CostSheet) -> PlainSheet {
        book.sheet(
            sheet.name, sheet.title, table: sheet.grid.name,
            notes: [.hidden, .none, .all] + sheet.notes
                + (base.coverageLines.isEmpty ? [] : [.incomplete]),
            headers: (sheet.grid.keyTitles + sheet.grid.columns.map(\.title)).map(Self.marked),
            rows: sheet.grid.plainRows())
    }

    private func plainChecks(_ ledger: CostLedger) -> PlainSheet {
        book.sheet(
            "Checks", Self.checksTitle, table: "Checks", notes: [CostNote.none, .checks],
            headers: Self.checkHeaders.map(Self.marked),
            rows: checkLines(ledger).map { line in
                [.text(line.check), .text(line.made)] + line.figures.map { .figure($0) } + [.text(line.rule)]
            })
    }

    private func plainDefinitions() -> PlainSheet {
        book.sheet(
            "Definitions", "What each figure means", table: "Terms", notes: [], headers: ["Term", "Definition"],
            // It has no formulas.
            rows: terms.filter { $0.name != Self.formulasTerm }.map { [.text($0.name), .text($0.definition)] })
    }

    private func plainNotes() -> PlainSheet {
        book.notes(
            CostNote.allCases.compactMap { note in words(of: note).map { (note, $0.subject, $0.text) } })
    }

    /// Nil for what is not in this workbook.
    private func words(of note: CostNote) -> (subject: String, text: String)? {
        switch note {
        case .hidden: return base.words(of: .hidden)
        case .none:
            return (
                "The letters n/a",
                "Nothing to compute from: a ratio over none, a month outside the period, a check that was not made, or a "
                    + "total that cannot be had from what is shown."
            )
        case .all: return base.words(of: .all)
        case .trips: return ("Trips", Self.tripText)
        case .cost: return base.words(of: .cost)
        case .loadedMile:
            return ("Cost per loaded mile", loadedMileText + (ledger == nil ? "" : " " + Self.bothText))
        case .incomplete:
            let lines = base.coverageLines
            return lines.isEmpty ? nil : ("The marks + and ^", lines.joined(separator: " "))
        case .change: return ("Volume and price", Self.changeText)
        case .years:
            return (
                "Fiscal years", "October of the year before to September. A year with a hidden month is hidden, too."
            )
        case .checks: return ledger == nil ? nil : ("Checks", Self.checksText)
        case .exceptions: return ledger.map { ("Exceptions", Self.exceptionsText($0)) }
        }
    }
}

extension CostGrid {
    /// The totals, and a row a line; no cell is empty.
    fileprivate func plainRows() -> [[PlainSheet.Content]] {
        let totals = hasTotals ? [keyTitles.map { _ in "All" }.map { .text($0) } + plain(self.totals())] : []
        return totals + lines.map { $0.keys.map { .text($0.isEmpty ? "none" : $0) } + plain($0.figures) }
    }

    private func plain(_ figures: [Figure?]) -> [PlainSheet.Content] { figures.map { .figure($0 ?? .none) } }
}
