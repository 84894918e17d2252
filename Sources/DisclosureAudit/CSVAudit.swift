import KPIContract

/// Checks `kpi-cells.csv`: a header and a row a cell, each field that of the audited document.
struct CSVAudit {
    let files: AuditedFiles
    let expected: ExpectedCells
    let minimum: Int

    /// - Parameter cells: of `kpi-summary.json`, each of which is audited against the groups.
    func check(_ bytes: [UInt8], _ cells: [KPISummaryV1.Cell], _ findings: inout FindingList) {
        guard let rows = CSVRows.read(bytes), let header = rows.first else {
            findings.add("\(AuditedFiles.cellsName): it is not CSV as RFC 4180 has it")
            return
        }
        let known =
            Set(header).count == header.count && header.allSatisfy { Self.names.contains($0) || Self.isMeasure($0) }
        findings.require(
            header == files.csvColumns && known,
            "\(AuditedFiles.cellsName): it has a column that the auditor cannot check")
        findings.require(
            rows.count == cells.count + 1, "\(AuditedFiles.cellsName): it does not have one row for each cell")
        for (row, cell) in zip(rows.dropFirst(), cells) where row != fields(of: cell, header) {
            check(row, cell, header, &findings)
        }
    }

    private static let names: Set<String> = ["release", "month", "region", "trip_type", "patients"]

    private static func isMeasure(_ column: String) -> Bool { CellMeasure.named(column) != nil }

    private func fields(of cell: KPISummaryV1.Cell, _ header: [String]) -> [String] {
        header.map { field($0, cell) }
    }

    private func check(
        _ row: [String], _ cell: KPISummaryV1.Cell, _ header: [String], _ findings: inout FindingList
    ) {
        let name = "\(AuditedFiles.cellsName): \(SummaryAudit.name(of: cell))"
        findings.require(row.count == header.count, "\(name): its row has too many or too few fields")
        for (column, found) in zip(header, row) {
            let own = field(column, cell)
            // A name that a spreadsheet would take for a formula has an apostrophe before it.
            let isName = ["region", "trip_type"].contains(column) && found == "'" + own
            findings.require(found == own || isName, "\(name): \(column) is not the one of the cell")
        }
    }

    private func field(_ column: String, _ cell: KPISummaryV1.Cell) -> String {
        switch column {
        case "release": files.csvMark
        case "month": cell.month
        case "region": cell.region
        case "trip_type": cell.tripType
        case "patients": patients(of: cell)
        default: CellMeasure.named(column)?.value(cell).field ?? ""
        }
    }

    /// Every group has the minimum of patients, so a cell has at least that; how many more is not published.
    private func patients(of cell: KPISummaryV1.Cell) -> String {
        guard let place = expected.grid.place(month: cell.month, region: cell.region, tripType: cell.tripType) else {
            return ""
        }
        let totals = expected.totals[place]
        if totals.isSuppressed { return "" }
        if totals.groups.isEmpty { return "0" }
        return totals.namesPatients ? "\(minimum)+" : ""
    }
}
