import KPIContract

/// Checks a CSV file of a release against the rows that it must have, byte by byte, as RFC 4180 has them: lines end in
/// CR LF, and a field is quoted only where it has to be.
struct CSVAudit {
    /// A row that the file must have.
    struct Row {
        /// How a finding names it.
        var name: String
        var fields: [String]
    }

    let columns: [String]
    let rows: [Row]

    func findings(in bytes: [UInt8]) -> [String] {
        var findings: [String] = []
        var rest = bytes[...]
        for row in [Row(name: "the header", fields: columns)] + rows {
            guard let wrong = take(row, from: &rest) else { continue }
            findings.append("\(row.name): \(wrong) is not the one of the document")
            rest = rest.firstRange(of: Self.lineEnd).map { rest[$0.upperBound...] } ?? []
        }
        return rest.isEmpty ? findings : findings + ["it has more rows than the document"]
    }

    /// - Returns: the column of the first field that is not the row's; nil if all are.
    private func take(_ row: Row, from rest: inout ArraySlice<UInt8>) -> String? {
        for (place, (column, field)) in zip(columns, row.fields).enumerated() {
            let end = place == columns.count - 1 ? Self.lineEnd : [UInt8(ascii: ",")]
            // A name that a spreadsheet would take for a formula has an apostrophe before it.
            let texts = ["region", "trip_type"].contains(column) ? [field, "'" + field] : [field]
            guard let text = texts.map({ Self.written($0) + end }).first(where: { rest.starts(with: $0) }) else {
                return column
            }
            rest = rest.dropFirst(text.count)
        }
        return row.fields.count == columns.count ? nil : "the number of fields"
    }

    private static let lineEnd: [UInt8] = [0x0D, 0x0A]

    private static func written(_ field: String) -> [UInt8] {
        guard field.utf8.contains(where: { [0x22, 0x2C, 0x0D, 0x0A].contains($0) }) else { return Array(field.utf8) }
        return Array("\"\(field.replacing("\"", with: "\"\""))\"".utf8)
    }
}

extension CSVAudit {
    /// Of `events.csv`: a row for each count of the audited document.
    init(events: KPISummaryV1.Events, mark: String) {
        columns = ["release", "month", "region", "kind", "events", "evacuations"]
        rows = events.counts.map { count in
            Row(
                name: "the row of \(count.month), \(count.region), \(count.kind)",
                fields: [
                    mark, count.month, count.region, count.kind, "\(count.events)",
                    count.evacuations.map(String.init) ?? "",
                ])
        }
    }

    /// Of `kpi-cells.csv`: a row for each cell, and for each group of several regions or trip types.
    ///
    /// - Returns: nil if there is a column that the auditor does not know.
    init?(cells: [ExpectedCells.Row], columns: [String], mark: String) {
        guard Set(columns).count == columns.count, columns.allSatisfy({ Self.fields[$0] != nil }) else { return nil }
        self.columns = columns
        rows = cells.map { row in
            let kind = row.population.isEmpty ? "cell " : "\(row.population) group "
            return Row(
                name: "\(kind)\(row.cell.month), \(row.cell.region), \(row.cell.tripType)",
                fields: columns.map { $0 == "release" ? mark : Self.fields[$0]?(row) ?? "" })
        }
    }

    private typealias CellField = @Sendable (ExpectedCells.Row) -> String

    private static let fields: [String: CellField] = {
        let names: [String: CellField] = [
            "release": { _ in "" }, "month": { $0.cell.month }, "region": { $0.cell.region },
            "trip_type": { $0.cell.tripType }, "suppressed": { "\($0.cell.suppressed)" },
            "complete": { "\($0.cell.complete == true)" },
            "revision_pending": { "\($0.cell.revisionPending == true)" },
            "sourcing_suppressed": { "\($0.cell.sourcingSuppressed)" },
            "sourcing_basis": { $0.cell.sourcingBasis ?? "" },
            "incomplete_measures": { ($0.cell.incompleteMeasures ?? []).joined(separator: " ") },
            "patients": { $0.patients }, "population": { $0.population },
        ]
        return KPICatalog.all.reduce(into: names) { fields, kpi in fields[kpi.column] = { kpi.text($0.cell) ?? "" } }
    }()
}
