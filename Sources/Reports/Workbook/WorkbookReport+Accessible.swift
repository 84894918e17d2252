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
        let facts =
            coverLines.map { "\($0.title): \($0.text)." } + [
                "Data through: \(summary.dataThrough ?? "n/a"). Generated at: \(summary.generatedAt)."
            ]
        sheets.insert(plain.cover(of: sheets, facts: facts), at: 0)
        return sheets.map { $0.layout() }
    }

    private var plain: PlainWorkbook {
        PlainWorkbook(title: "Ambulance trip KPIs", isInternal: isInternal, promise: promise)
    }

    private var tableNotes: [WorkbookNote] {
        [.hidden, .none, .all] + (summary.coverageLegends.isEmpty ? [] : [.incomplete])
    }

    private func plainNotes() -> PlainSheet {
        plain.notes(
            shownNotes.map { note in
                let (subject, text) = words(of: note)
                return (note, subject, text)
            })
    }

    private func plainDefinitions() -> PlainSheet {
        plain.sheet(
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
        let notes = Self.noteColumn(lines.map(\.1))
        let rows = lines.enumerated().map { index, line -> [PlainSheet.Content] in
            [.text(line.0)] + columns.map { .figure(line.1.map($0.figure) ?? .hidden) }
                + (notes.isEmpty ? [] : [.text(notes[index])])
        }
        return plain.sheet(
            "Months", "Every month over all regions and trip types", table: "Months",
            notes: tableNotes, headers: ["Month"] + columns.map(marked) + (notes.isEmpty ? [] : ["Notes"]),
            rows: summary.cells.isEmpty ? [] : rows)
    }

    private func plainComparisons() -> PlainSheet {
        let headers = MonthComparison.headers.enumerated().map { index, title in
            [0, MonthComparison.fiscalYearColumn].contains(index) ? title : "\(title) \(WorkbookNote.comparisons.mark)"
        }
        return plain.sheet(
            "Comparisons", "Each month against earlier ones", table: "Comparisons",
            notes: [WorkbookNote.hidden, WorkbookNote.none]
                + (summary.coverageLegends.isEmpty ? [] : [WorkbookNote.incomplete]), headers: headers,
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
        let notes = Self.noteColumn(summary.cells)
        return plain.sheet(
            "Regions and types", "Every month, region and trip type", table: "Cells",
            notes: tableNotes,
            headers: ["Month", "Region", "Trip type"] + Self.cellColumns.map(marked) + (notes.isEmpty ? [] : ["Notes"]),
            rows: summary.cells.enumerated().map { index, cell in
                [cell.month, cell.region, cell.tripType].map { .text($0) }
                    + Self.cellColumns.map { .figure($0.figure(cell)) } + (notes.isEmpty ? [] : [.text(notes[index])])
            })
    }

    private func plainTimes() -> PlainSheet {
        plain.sheet(
            "Times", "Times of every cell: trips used and excluded, mean, median and p90", table: "Times",
            notes: tableNotes,
            headers: Self.timeHeaders.enumerated().map { $0 < 4 ? $1 : "\($1) \(WorkbookNote.times.mark)" },
            rows: summary.cells.flatMap { cell in
                TripInterval.allCases.map { interval in
                    Self.timeKeys(cell, interval).map { .text($0) }
                        + Self.timeFigures(cell, interval).map { .figure($0) }
                }
            })
    }

    private func plainRestated() -> PlainSheet {
        plain.sheet(
            "Restated", "Months whose figures differ from those published before", table: "RestatedMonths",
            notes: [WorkbookNote.none, WorkbookNote.restated], headers: Self.restatedHeaders,
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
        return plain.sheet(
            "Data quality", "What became of the records, and warnings", table: "DataQuality",
            notes: [WorkbookNote.hidden], headers: ["Part", "Item", "Count", "Meaning"],
            rows: (records + exports + warnings).map { part, item, count, meaning in
                [.text(part), .text(item), .figure(count), .text(meaning.isEmpty ? "none" : meaning)]
            }
                + (summary.qualityShares?.lines ?? []).map { title, text in
                    [
                        .text("Shares"), .text(title), .figure(.none),
                        .text("\(text). \(KPISummaryV1.QualityShares.legend)"),
                    ]
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
