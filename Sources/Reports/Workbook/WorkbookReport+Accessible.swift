internal import KPIContract
internal import Trips

/// The same figures for readers who hear them, after the checklist for accessible spreadsheets of the UK Analysis
/// Function.
extension WorkbookReport {
    func plainSheets() -> [SheetLayout] {
        var sheets = [
            plainNotes(), plainDefinitions(), plainMonths(), plainComparisons(), plainCells(), plainTimes(),
            plainRestated(), plainQuality(),
        ].filter { !$0.rows.isEmpty }
        sheets.insert(plainCover(of: sheets), at: 0)
        return sheets.map { $0.layout() }
    }

    private func plainCover(of sheets: [PlainSheet]) -> PlainSheet {
        let facts =
            coverLines.map { "\($0.title): \($0.text)." } + [
                "Data through: \(summary.dataThrough ?? "n/a"). Generated at: \(summary.generatedAt).",
                "This workbook has \(sheets.count) more worksheets, each with one table:",
            ]
        return PlainSheet(
            name: "Cover", title: "Ambulance trip KPIs",
            lines: [isInternal ? SummaryReport.internalStamp : promise] + facts
                + sheets.map { "\($0.name): \($0.title)." })
    }

    private func plain(
        _ name: String, _ title: String, table: String, notes: [WorkbookNote], headers: [String],
        rows: [[PlainSheet.Content]]
    ) -> PlainSheet {
        let numbers = notes.map { String($0.rawValue) }
        let refers =
            switch numbers.count {
            case 0: ""
            case 1: " Note \(numbers[0]) on the Notes worksheet belongs to it."
            default: " Notes \(numbers.joined(separator: ", ")) on the Notes worksheet belong to it."
            }
        return PlainSheet(
            name: name, title: title,
            lines: ["This worksheet contains one table.\(refers)", isInternal ? SummaryReport.internalStamp : promise],
            tableName: table, headers: headers, rows: rows)
    }

    private func plainNotes() -> PlainSheet {
        plain(
            "Notes", "What to know before figures are compared or added up", table: "Notes", notes: [],
            headers: ["Note", "Subject", "Text"],
            rows: WorkbookNote.allCases.map { note in
                let (subject, text) = words(of: note)
                return [.text("note \(note.rawValue)"), .text(subject), .text(text)]
            })
    }

    private func plainDefinitions() -> PlainSheet {
        plain(
            "Definitions", "What each figure means", table: "Terms", notes: [],
            headers: ["Term", "Unit", "Definition"],
            rows: Self.terms.map {
                [.text($0.name), .text($0.unit.isEmpty ? "no unit" : $0.unit), .text($0.definition)]
            })
    }

    private func plainMonths() -> PlainSheet {
        let columns: [KPIColumn] = [
            .trips, .cancelled, .noShow, .inHouse, .contracted, .unclassified, .inHousePercent, .totalCost,
            .inHouseCost,
            .contractedCost, .costedTrips, .costPerTrip, .loadedMiles, .meanDuration, .p90Duration, .meanResponse,
            .p90Response,
        ]
        let lines = (overall.map { [("All", Optional($0))] } ?? []) + monthTotals.map { ($0.month, $0.cell) }
        return plain(
            "Months", "Every month over all regions and trip types", table: "Months",
            notes: [.hidden, .none, .all], headers: ["Month"] + columns.map(marked),
            rows: summary.cells.isEmpty
                ? []
                : lines.map { name, cell in [.text(name)] + columns.map { .figure(cell.map($0.figure) ?? .hidden) } })
    }

    private func plainComparisons() -> PlainSheet {
        let headers = MonthComparison.headers.enumerated().map { index, title in
            [0, MonthComparison.fiscalYearColumn].contains(index) ? title : "\(title) \(WorkbookNote.comparisons.mark)"
        }
        return plain(
            "Comparisons", "Each month against earlier ones", table: "Comparisons", notes: [.hidden, .none],
            headers: headers,
            rows: MonthComparison.all(in: self).map { comparison in
                MonthComparison.headers.indices.map { column in
                    switch column {
                    case 0: .text(comparison.month)
                    case MonthComparison.fiscalYearColumn: .text(comparison.fiscalYear)
                    default: .figure(comparison.figure(column))
                    }
                }
            })
    }

    private func plainCells() -> PlainSheet {
        plain(
            "Regions and types", "Every month, region and trip type", table: "Cells",
            notes: [.hidden, .none, .all], headers: ["Month", "Region", "Trip type"] + Self.cellColumns.map(marked),
            rows: summary.cells.map { cell in
                [cell.month, cell.region, cell.tripType].map { .text($0) }
                    + Self.cellColumns.map { .figure($0.figure(cell)) }
            })
    }

    private func plainTimes() -> PlainSheet {
        plain(
            "Times", "Times of every cell: trips used and excluded, mean, median and p90", table: "Times",
            notes: [.hidden, .none, .all],
            headers: Self.timeHeaders.enumerated().map { $0 < 4 ? $1 : "\($1) \(WorkbookNote.times.mark)" },
            rows: summary.cells.flatMap { cell in
                TripInterval.allCases.map { interval in
                    Self.timeKeys(cell, interval).map { .text($0) }
                        + Self.timeFigures(cell[interval]).map { .figure($0) }
                }
            })
    }

    private func plainRestated() -> PlainSheet {
        plain(
            "Restated", "Months whose figures differ from those published before", table: "RestatedMonths",
            notes: [.none, .restated], headers: Self.restatedHeaders,
            rows: (summary.restatements ?? []).map { restatement in
                [.text(restatement.month)] + Self.restatedFigures(restatement).map { .figure($0) }
            })
    }

    private func plainQuality() -> PlainSheet {
        let records = recordLines.map { ("Records", $0.title, Figure.sum($0.count, .count), $0.meaning) }
        let exports = exportLines.map { ("Exports", $0.title, Figure.value($0.count, .count), $0.meaning) }
        let warnings = summary.quality.warnings.sorted { $0.key < $1.key }.map { code, count in
            (
                "Warnings", code, Figure.sum(count, .count),
                WarningCode(rawValue: code)?.explanation ?? "of a later version"
            )
        }
        return plain(
            "Data quality", "What became of the records, and warnings", table: "DataQuality", notes: [.hidden],
            headers: ["Part", "Item", "Count", "Meaning"],
            rows: (records + exports + warnings).map { part, item, count, meaning in
                [.text(part), .text(item), .figure(count), .text(meaning.isEmpty ? "none" : meaning)]
            })
    }

    /// A column's title with the notes that belong to it.
    private func marked(_ column: KPIColumn) -> String {
        let name = column.name
        let note: WorkbookNote? =
            switch name {
            case "trips": .trips
            case "inHousePercent": .share
            case "duration.mean", "duration.p50", "duration.p90", "response.mean", "response.p90": .times
            default: name.lowercased().contains("cost") && name != "costedTrips" ? .cost : nil
            }
        return column.title + (note.map { " \($0.mark)" } ?? "")
    }
}
