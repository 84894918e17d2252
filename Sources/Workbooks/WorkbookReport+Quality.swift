import KPIContract
import Reports
import Trips

/// Times, restated months and the quality of the data.
extension WorkbookReport {
    /// In the order of the columns of the Times sheet.
    private static let timeMeasures = Dictionary(
        uniqueKeysWithValues: TripInterval.allCases.map { interval in
            let own = [IntervalStatistic.used, .excluded, .mean, .p50, .p90]
            return (interval, own.map { Measure(ofInterval: interval.rawValue, $0).kpi })
        })

    private static func timeValues(_ interval: TripInterval, _ cell: Cell?) -> [ShownValue] {
        values(timeMeasures[interval] ?? [], cell)
    }

    private static let timeColumns: [SheetTable.Column] = [
        .init(title: "Used", unit: .count, note: WorkbookNote.times),
        .init(title: "Excluded", unit: .count, note: WorkbookNote.times),
        .init(title: "Mean", unit: .tenthsOfSeconds, note: WorkbookNote.times),
        .init(title: "Median", unit: .seconds, note: WorkbookNote.times),
        .init(title: "P90", unit: .seconds, note: WorkbookNote.times),
    ]

    /// Every interval of every cell, with the trips it is made of and those it goes without.
    func times() -> SheetContent {
        let lines = summary.cells.flatMap { cell in
            let month = monthCell(cell.month)
            return TripInterval.allCases.map { interval in
                [month]
                    + SheetCell.line([cell.region, cell.tripType, interval.name], Self.timeValues(interval, cell))
            }
        }
        let printed = printedLines(of: lines)
        return SheetContent(
            name: "Times",
            title: "Times of every cell: trips used and excluded, mean, median and p90",
            blocks: openBlocks + coverageBlocks + [
                .paragraph(
                    "Excluded: an end is missing, the interval is negative, or it is over the limit. Lines that say All are sums"
                        + " of the others.")
            ] + Self.printBlocks(printed) + [.gap()], notes: tableNotes,
            remarks: Self.printRemarks(printed),
            table: SheetTable(
                name: "Times",
                columns: SheetTable.Column.texts(["Month", "Region", "Trip type", "Interval"]) + Self.timeColumns,
                lines: lines, emptyText: Self.noTrips, printedLines: printed, headerHeight: 20, frozenColumns: 4))
    }

    /// Months whose figures differ from those that were published before.
    func restated() -> SheetContent {
        let measures = HeadlineMeasure.all.map { headline in
            (title: headline.kpi.title, unit: ValueUnit(headline.kpi.format), value: headline.value)
        }
        return SheetContent(
            name: "Restated",
            title: "Months whose figures differ from those published before",
            blocks: [
                .paragraph(
                    "Of all regions and trip types. A figure is n/a where that set hid it, or had no such month."),
                .gap(),
            ], notes: [WorkbookNote.none, WorkbookNote.restated],
            table: SheetTable(
                name: "RestatedMonths",
                columns: [.init(title: "Month"), .init(title: "Restated on", unit: .date)]
                    + measures.flatMap { measure in
                        ["before", "after"].map { side in
                            SheetTable.Column(title: "\(measure.title), \(side)", unit: measure.unit)
                        }
                    },
                lines: (summary.restatements ?? []).map { restatement -> [SheetCell] in
                    let values = measures.flatMap { measure in
                        [restatement.before, restatement.after].map { figures in
                            ShownValue.known(measure.value(figures), measure.unit)
                        }
                    }
                    return SheetCell.line([restatement.month], [.day(restatement.restatedAt)] + values)
                }, emptyText: "No published month has changed.", headerHeight: 48, frozenColumns: 1))
    }

    // MARK: Data quality

    /// A count and what it means.
    private typealias CountLine = (title: String, count: ShownValue, meaning: String)

    func quality() -> SheetContent {
        isAccessible ? accessibleQuality() : standardQuality()
    }

    /// What became of the records read, the exports, how many trips each interval could use, and the warnings.
    private func standardQuality() -> SheetContent {
        var blocks: [SheetContent.Block] = [.gap()] + coverageBlocks
        blocks += [.line("Records: read = the sum of what became of them", .heading), .table(Self.counts(recordLines))]
        if let read = summary.quality.read { blocks.append(.table(sums(read))) }
        let freshness = summary.quality.freshness
        let age = freshness.ageDays.map { "age in days when this was generated: \($0)" } ?? "no trips"
        blocks += [.table(Self.counts([("Newest trip", .day(freshness.newestTrip), age)])), .gap()]
        if let shares = summary.qualityShares {
            let table = SheetTable(
                columns: [.init(title: "Share"), .init(title: "Per cent", role: .day)],
                lines: shares.lines.map { [.text($0.title), .text($0.text)] }, hasHeader: false)
            blocks += [
                .line("Shares of records and of trips", .heading), .table(table),
                .paragraph(KPISummaryV1.QualityShares.legend), .gap(),
            ]
        }
        if !exportLines.isEmpty {
            blocks += [
                .line("Exports: what the figures are made of", .heading), .table(Self.counts(exportLines)), .gap(),
            ]
        }
        blocks += [
            .line("Intervals: trips used and excluded, all months", .heading), .table(intervals()),
            .paragraph(
                "The pairs are the usual ones; a profile may set others. Excluded: an end is missing, the interval is"
                    + " negative, or it is over the limit."),
        ]
        blocks += intervalNotes.map { .paragraph($0) }
        blocks += [.gap(), .line("\(warningTitle): the trip counts, one of its measures does not", .heading)]
        let warnings = warningLines(unknown: "a code of a later version")
        return SheetContent(
            name: "Data quality", title: "Data quality", blocks: blocks,
            table: SheetTable(
                name: "Warnings",
                columns: [.init(title: "Code"), .init(title: "Count", unit: .count), .init(title: "Meaning")],
                lines: warnings.map { [.text($0.title), .value($0.count), .text($0.meaning)] },
                emptyText: "No warnings.", isHeaderFrozen: false))
    }

    private func accessibleQuality() -> SheetContent {
        let parts: [(String, [CountLine])] = [
            ("Records", recordLines), ("Exports", exportLines),
            (warningTitle, warningLines(unknown: "of a later version")),
            (
                "Shares",
                (summary.qualityShares?.lines ?? []).map {
                    ($0.title, .notApplicable, "\($0.text). \(KPISummaryV1.QualityShares.legend)")
                }
            ),
        ]
        return SheetContent(
            name: "Data quality", title: "What became of the records, and warnings", notes: [WorkbookNote.hidden],
            table: SheetTable(
                name: "DataQuality",
                columns: [
                    .init(title: "Part"), .init(title: "Item"), .init(title: "Count", unit: .count),
                    .init(title: "Meaning"),
                ],
                lines: parts.flatMap { part, lines in
                    lines.map { [.text(part), .text($0.title), .value($0.count), .text($0.meaning)] }
                }))
    }

    private static func counts(_ lines: [CountLine], role: CellStyle.Role = .body) -> SheetTable {
        SheetTable(
            columns: [
                .init(title: "Item", role: role), .init(title: "Count", unit: .count, role: role),
                .init(title: "Meaning", isSized: false),
            ],
            lines: lines.map { [.text($0.title), .value($0.count), .text($0.meaning)] }, hasHeader: false)
    }

    /// What was read, and then what became of it.
    private var recordLines: [CountLine] {
        let quality = summary.quality
        let merged = quality.merged.map {
            ("Merged", Optional($0), "charge lines or status changes of a trip that is counted")
        }
        let lines = [
            ("Read", quality.read, "records of the files read"),
            ("Added", quality.added, "new trips"),
            ("Updated", quality.updated, "trips replaced by a newer version"),
            ("Unchanged", quality.unchanged, "the same version again"),
            ("Superseded", quality.superseded, "older than the version that is stored"),
            merged,
            ("Skipped", quality.skipped, "not a trip, by the profile's row filter"),
            ("Rejected", quality.rejected, "cannot be a trip; quarantined with a reason"),
        ]
        return lines.compactMap(\.self).map { ($0.0, .total($0.1, .count), $0.2) }
    }

    /// The check below the records: their sum, and its difference from what was read.
    private func sums(_ read: Int) -> SheetTable {
        let outcomes = recordLines.count - 1
        var table = Self.counts(
            [
                (
                    "Sum", .number(read, .count),
                    summary.quality.merged == nil
                        ? "added + updated + unchanged + superseded + skipped + rejected"
                        : "added + updated + unchanged + superseded + merged + skipped + rejected"
                ),
                ("Difference", .number(0, .count), "0: every record is accounted for"),
            ], role: .total)
        table.formula = { line, _, firstRow in
            let name = { SheetLayout.cellName(row: $0, column: 1) }
            return line == 0
                ? "=SUM(\(SheetLayout.rangeName(rows: (firstRow - outcomes)..<firstRow, column: 1)))"
                : "=\(name(firstRow - outcomes - 1))-\(name(firstRow))"
        }
        return table
    }

    /// How many files the figures are made of, how many they go without, and the days that none of them has.
    private var exportLines: [CountLine] {
        let quality = summary.quality
        guard let exports = quality.exports else { return [] }
        var lines: [CountLine] = [
            ("Exports loaded", .number(exports.loaded, .count), "their trips are in the figures"),
            (
                "Exports failed", .number(exports.failed, .count),
                "could not be loaded; nothing of them is in any figure"
            ),
            ("Exports waived", .number(exports.waived, .count), "failed, and passed over for a stated reason"),
        ]
        if let missing = quality.missingDayCount {
            let listed = quality.missingDays ?? []
            let more = missing > listed.count ? " and more" : ""
            lines.append(("Missing days", .number(missing, .count), listed.joined(separator: ", ") + more))
        }
        return lines
    }

    private func intervals() -> SheetTable {
        var columns = [SheetTable.Column(title: "Interval")] + Self.timeColumns
        columns.insert(.init(title: "From and to"), at: 2)
        return SheetTable(
            columns: columns,
            lines: TripInterval.allCases.map { interval -> [SheetCell] in
                let pair = interval.standardPair
                var line = SheetCell.line([interval.name], Self.timeValues(interval, overall))
                line.insert(.text("\(pair.start.field.rawValue) to \(pair.end.field.rawValue)"), at: 2)
                return line
            }, isHeaderFrozen: false)
    }

    private var warningTitle: String {
        selection.isEmpty ? "Warnings" : "Warnings \(KPISummaryV1.Quality.warningScope)"
    }

    /// - Parameter unknown: the meaning of a code that this version does not know.
    private func warningLines(unknown: String) -> [CountLine] {
        summary.quality.warnings.sorted { $0.key < $1.key }.map { code, count in
            (code, .total(count, .count), WarningCode(rawValue: code)?.explanation ?? unknown)
        }
    }
}
