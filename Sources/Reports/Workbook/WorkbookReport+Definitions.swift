internal import KPIContract

extension WorkbookReport {
    /// What each figure means, what is promised, and which rules and run made it.
    func definitionsSheet() -> SheetLayout {
        var sheet = frame("Definitions", title: "Definitions, privacy and provenance")
        sheet.repeatedRows = 0...1
        sheet.frozenRows = 2
        sheet.row += 1
        addProvenance(to: &sheet)
        addTerms(to: &sheet)
        sheet.setWidth(0, 24)
        sheet.setWidth(1, 20)
        sheet.setWidth(2, 100)
        return sheet
    }

    private func addProvenance(to sheet: inout SheetLayout) {
        let privacy = summary.privacy
        let audit = privacy.auditPassed.map { $0 ? "passed" : "FAILED" } ?? "not made"
        let lines: [(String, String)] = [
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
            ("Disclosure audit", audit),
        ]
        for line in lines {
            sheet.put(line.0, .label, row: sheet.row, column: 0, sized: false)
            sheet.put(line.1, .body, row: sheet.row, column: 1, sized: false)
            sheet.row += 1
        }
        sheet.row += 1
        sheet.put("Privacy", .heading, row: sheet.row, column: 0, sized: false)
        sheet.row += 1
        sheet.addParagraph(privacy.statement, width: 130)
        if isInternal { sheet.addParagraph(SummaryReport.internalStamp, .stamp, width: 130) }
        sheet.row += 1
    }

    private func addTerms(to sheet: inout SheetLayout) {
        let headerRow = sheet.row
        let headers = ["Term", "Unit", "Definition"]
        for (column, title) in headers.enumerated() { sheet.put(title, .header, row: headerRow, column: column) }
        for (offset, term) in Self.terms.enumerated() {
            let row = headerRow + 1 + offset
            sheet.put(term.name, .wrapped, row: row, column: 0)
            sheet.put(term.unit, .wrapped, row: row, column: 1)
            sheet.put(term.definition, .wrapped, row: row, column: 2)
            // Set here, as not every reader fits heights to wrapped text: 105 characters to a line of 15 points.
            sheet.setHeight(row, 15 * Double(1 + term.definition.count / 105))
        }
        sheet.table = SheetLayout.Table(
            name: "Terms", headerRow: headerRow, headers: headers, rowCount: Self.terms.count)
        sheet.row = headerRow + 1 + Self.terms.count
    }

    typealias Term = (name: String, unit: String, definition: String)

    static let terms: [Term] = measures + comparisons + signs

    /// The catalog that all outputs share, with what a reader of costs and of times must know beside it.
    private static let measures: [Term] = KPICatalog.all.map { kpi in
        let isSplitCost = kpi.name == "inHouseCost" || kpi.name == "contractedCost"
        return (kpi.title, words(kpi.unit), kpi.definition + (isSplitCost ? " " + notLikeForLike : ""))
    }

    private static func words(_ unit: KPIDescription.Unit) -> String {
        switch unit {
        case .trips: "trips"
        case .percent: "whole percent"
        case .share: "percent, 2 decimals"
        case .dollars: "dollars"
        case .miles: "statute miles"
        case .seconds: "h:mm:ss"
        }
    }

    private static let comparisons: [Term] = [
        ("Change on month before", "percent", "Trips against the calendar month before, as a share of that month."),
        ("Change on year before", "percent", "Trips against the same month a year before, as a share of that month."),
        ("Rolling 12 months", "trips", "Sum over the twelve months that end with this one; needs all twelve."),
        ("Fiscal year to date", "trips", "Sum from October, when the federal fiscal year starts, up to this month."),
    ]

    private static let signs: [Term] = [
        ("A trip", "", "One unit, one leg; a round trip is two. Void trips are not counted."),
        ("Hidden", "", "Not shown: of too few trips or patients, or shown only together with other cells. Not 0."),
        ("n/a", "", "Nothing to compute from: a ratio over none, or no earlier month to compare with."),
        ("Not comparable", "", FigureCoverage.notComparableLegend),
        ("All", "", "Summed over that column. An All line is no further trip."),
        (
            "Times", "[h]:mm:ss",
            "Stored as shares of a day: multiply by 86400 for seconds. Means keep their tenth of a"
                + " second."
        ),
        (
            "Formulas", "",
            "Stand only where they give exactly the published figure from figures shown here; else the"
                + " published figure itself is written. Recalculating changes nothing."
        ),
    ]
}
