import Basics
import Files
import Foundation
import KPIContract
import Reports
import Rules

/// `kpi-cells.csv` against the cells of the summary, row by row and column by column.
struct CellsReconciliation {
    private let summary: KPISummaryV1
    private let csv: [UInt8]
    /// What the manifest says.
    private let rows: Int?

    init(_ summary: KPISummaryV1, csv: [UInt8], rows: Int?) {
        self.summary = summary
        self.csv = csv
        self.rows = rows
    }

    /// Each in words, without a figure.
    var contradictions: [String] {
        guard let table = try? CSVTable(bytes: csv, file: PublishedFileNames.cells, hasHeader: true) else {
            return ["\(PublishedFileNames.cells) is not CSV with a header"]
        }
        // A set from before a measure was added has neither its key nor its column.
        let missing = summary.cells.first?.missingMeasures ?? []
        let measures = KPICatalog.all.filter { !missing.contains($0.measure) }
        // Nor has one from before there were groups the column that is about them.
        let columns = CSVReport.columns(of: measures).dropLast(summary.groups == nil ? 1 : 0)
        guard table.header == Array(columns) else { return ["the columns are not those of the summary"] }
        var problems: [String] = []
        if table.records.count != rows { problems.append("the rows are not as many as the manifest says") }
        let groups = (summary.groups ?? []).filter(\.isMerged)
        if table.records.count != summary.cells.count + groups.count {
            problems.append("the rows are not as many as the summary's cells and merged groups")
        }
        for (record, cell) in zip(table.records, summary.cells) {
            for (column, pair) in zip(columns, zip(record.fields, expected(cell, measures))) {
                guard let expected = pair.1, pair.0 != expected.trimmingCharacters(in: .whitespaces) else { continue }
                problems.append("line \(record.line): \(column) is not that of the summary")
            }
            let patients = columns.firstIndex(of: "patients").flatMap { place in
                record.fields.indices.contains(place) ? record.fields[place] : nil
            }
            if let patients, !isPatients(patients, hidden: cell.suppressed) {
                problems.append("line \(record.line): patients is no count that may be shown")
            }
        }
        for (record, group) in zip(table.records.dropFirst(summary.cells.count), groups)
        where record.fields
            != CSVReport.fields(of: group, release: summary.lineStamp).map({ $0.trimmingCharacters(in: .whitespaces) })
        {
            problems.append("line \(record.line): it is not a group of the summary")
        }
        return problems
    }

    /// The fields of a cell's row; nil for what only the CSV has.
    private func expected(_ cell: KPISummaryV1.Cell, _ measures: [KPIDescription]) -> [String?] {
        let names = [cell.month, cell.region, cell.tripType].map(CSVText.harmless)
        return [summary.lineStamp] + names + CSVReport.flags(of: cell) + measures.map { $0.text(cell) ?? "" } + [
            nil, "",
        ]
    }

    /// Empty, 0, from the minimum on, or at least that: `11+`.
    private func isPatients(_ text: String, hidden: Bool) -> Bool {
        if text.isEmpty { return true }
        if hidden { return false }
        if text.hasSuffix("+") { return Int(text.dropLast()) != nil }
        return Int(text).map { summary.isInternal || $0 == 0 || $0 >= summary.privacy.minimumCell } ?? false
    }
}
