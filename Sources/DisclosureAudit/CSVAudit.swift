import KPIContract

/// Checks `kpi-cells.csv`: a header and a row a cell, each field that of the audited document.
struct CSVAudit {
    let files: AuditedFiles
    let expected: ExpectedCells
    let minimum: Int
    let findings: FindingList

    /// - Parameter cells: of `kpi-summary.json`, each of which is audited against the groups.
    func check(_ bytes: [UInt8], _ cells: [KPISummaryV1.Cell]) {
        guard let rows = CSVRows.read(bytes), let header = rows.first else {
            findings.add("\(AuditedFiles.cellsName): it is not CSV as RFC 4180 has it")
            return
        }
        let known =
            Set(header).count == header.count
            && header.allSatisfy { Self.names.contains($0) || Self.measures[$0] != nil }
        findings.require(
            header == files.csvColumns && known,
            "\(AuditedFiles.cellsName): it has a column that the auditor cannot check")
        findings.require(
            rows.count == cells.count + 1, "\(AuditedFiles.cellsName): it does not have one row for each cell")
        for (row, cell) in zip(rows.dropFirst(), cells) where row != fields(of: cell, header) {
            check(row, cell, header)
        }
    }

    /// The measure of each column; a column of an unknown measure is a finding.
    private static let measures = Dictionary(
        CheckedMeasures.all.compactMap { name in
            KPICatalog.description(named: name).map { ($0.column, $0) }
        }, uniquingKeysWith: { first, _ in first })

    private static let names: Set<String> = [
        "release", "month", "region", "trip_type", "suppressed", "complete", "revision_pending", "sourcing_suppressed",
        "sourcing_basis", "incomplete_measures", "patients",
    ]

    private func fields(of cell: KPISummaryV1.Cell, _ header: [String]) -> [String] {
        header.map { field($0, cell) }
    }

    private func check(
        _ row: [String], _ cell: KPISummaryV1.Cell, _ header: [String]
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
        case "suppressed": String(cell.suppressed)
        case "complete": cell.complete.map { String($0) } ?? ""
        case "revision_pending": cell.revisionPending.map { String($0) } ?? ""
        case "sourcing_suppressed": String(cell.sourcingSuppressed)
        case "sourcing_basis": cell.sourcingBasis ?? ""
        case "incomplete_measures": cell.incompleteMeasures?.joined(separator: " ") ?? ""
        default: Self.measures[column]?.text(cell) ?? ""
        }
    }

    /// Every group has the minimum of patients, so a cell has at least that; how many more is not published.
    private func patients(of cell: KPISummaryV1.Cell) -> String {
        let totals = expected.totals(at: cell.key)
        if totals.isSuppressed { return "" }
        if totals.groups.isEmpty { return "0" }
        return totals.namesPatients ? "\(minimum)+" : ""
    }
}

/// The rows of a CSV file as RFC 4180 has them, read without any lenience.
enum CSVRows {
    /// - Returns: nil if a line does not end in CR LF, a quotation mark is out of place, a field is quoted without need,
    ///   or the text is not UTF-8.
    static func read(_ bytes: [UInt8]) -> [[String]]? {
        var rows: [[String]] = []
        var row: [String] = []
        var at = 0
        while at < bytes.count {
            guard let (field, end) = field(bytes, from: at), let text = String(validating: field, as: UTF8.self),
                end < bytes.count
            else { return nil }
            row.append(text)
            if bytes[end] == UInt8(ascii: ",") {
                at = end + 1
                continue
            }
            guard bytes[end] == 0x0D, end + 1 < bytes.count, bytes[end + 1] == 0x0A else { return nil }
            rows.append(row)
            row = []
            at = end + 2
        }
        return row.isEmpty ? rows : nil
    }

    /// The field, and the place of the delimiter after it.
    private static func field(_ bytes: [UInt8], from start: Int) -> ([UInt8], Int)? {
        guard bytes[start] == UInt8(ascii: "\"") else {
            var end = start
            while end < bytes.count, !delimiters.contains(bytes[end]) { end += 1 }
            return (Array(bytes[start..<end]), end)
        }
        var field: [UInt8] = []
        var at = start + 1
        while at < bytes.count {
            if bytes[at] == UInt8(ascii: "\"") {
                guard at + 1 < bytes.count, bytes[at + 1] == UInt8(ascii: "\"") else {
                    return field.contains(where: delimiters.contains) ? (field, at + 1) : nil
                }
                at += 1
            }
            field.append(bytes[at])
            at += 1
        }
        return nil
    }

    private static let delimiters: [UInt8] = [0x2C, 0x0D, 0x0A, 0x22]
}
