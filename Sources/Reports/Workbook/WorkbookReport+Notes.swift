internal import KPIContract

/// What to know before figures are compared or added up. The number of a note is its place here.
enum WorkbookNote: Int, CaseIterable, SheetNote {
    case hidden = 1, none, all, trips, share, cost, times, comparisons, restated
    /// Of a release with marked figures only.
    case incomplete
}

extension WorkbookReport {
    func notesSheet() -> SheetLayout {
        var sheet = frame("Notes", title: "Notes")
        sheet.row += 1
        let headerRow = sheet.row
        let headers = ["Note", "Subject", "Text"]
        for (column, title) in headers.enumerated() { sheet.put(title, .header, row: headerRow, column: column) }
        for (offset, note) in shownNotes.enumerated() {
            let row = headerRow + 1 + offset
            let (subject, text) = words(of: note)
            sheet.put(String(note.rawValue), .wrapped, row: row, column: 0)
            sheet.put(subject, .wrapped, row: row, column: 1)
            sheet.put(text, .wrapped, row: row, column: 2, sized: false)
            // Set here, as not every reader fits heights to wrapped text.
            sheet.setHeight(row, 15 * Double(1 + text.count / 105))
        }
        sheet.table = SheetLayout.Table(
            name: "Notes", headerRow: headerRow, headers: headers, rowCount: shownNotes.count)
        sheet.row = headerRow + 1 + shownNotes.count
        sheet.frozenRows = headerRow + 1
        sheet.repeatedRows = headerRow...headerRow
        sheet.setWidth(0, 8)
        sheet.setWidth(1, 24)
        sheet.setWidth(2, 100)
        return sheet
    }

    var shownNotes: [WorkbookNote] {
        WorkbookNote.allCases.filter { $0 != .incomplete || !summary.coverageLegends.isEmpty }
    }

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
                "In-house over in-house and contracted trips; unclassified trips are in neither"
                    + (isInternal ? "." : ", unless the share is marked ^: then it is of all trips.")
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
        case .incomplete: return ("The marks + and ^", coverageLines.joined(separator: " "))
        case .restated:
            return (
                "Restated months",
                "A correction can change a month after it was published. Before is what readers saw, after is what stands"
                    + " now, over all regions and trip types."
            )
        }
    }
}
