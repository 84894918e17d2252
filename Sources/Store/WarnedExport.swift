import GRDB
package import Trips

/// The warnings of one code in a loaded export.
package struct WarnedExport: Sendable, Hashable {
    package var export: ExportRecord
    package var code: WarningCode
    /// All of its versions of trips are counted, older ones too.
    package var records: Int
    /// The first ones, in the order of the file.
    package var places: [WarnedRecord]
}

extension TripStore {
    /// Loaded exports with warnings, by rank, the most frequent code of each first. An export that an earlier version
    /// loaded has none on record.
    package func warnings() throws -> [WarnedExport] {
        try readConsistently {
            let exports = try exports()
            return try read { try Self.warnings(of: exports, $0) }
        }
    }

    private static func warnings(of exports: [ExportRecord], _ db: Database) throws -> [WarnedExport] {
        func rows(_ table: String, _ order: String) throws -> [String: [Row]] {
            let rows = try Row.fetchAll(
                db, sql: "SELECT sha256, \(table).* FROM \(table) JOIN exports USING (export_id) ORDER BY \(order)")
            return try Dictionary(grouping: rows) { try $0.decode(forColumn: "sha256") }
        }
        let places = try rows("warning_places", "byte_offset, record_number")
        let counts = try rows("warnings", "records DESC, code")
        return try exports.flatMap { export in
            let places = try (places[export.sha256] ?? []).compactMap { try WarnedRecord(row: $0, code: "code") }
            return try (counts[export.sha256] ?? []).compactMap { row -> WarnedExport? in
                guard let code = WarningCode(rawValue: try row.decode(forColumn: "code")) else { return nil }
                return WarnedExport(
                    export: export, code: code, records: try row.decode(forColumn: "records"),
                    places: places.filter { $0.code == code })
            }
        }
    }
}

extension FaultyRecord where Code: RawRepresentable<String> {
    /// A row of `reject_places` or `warning_places`; nil for a code that this version does not know.
    init?(row: Row, code column: String) throws {
        guard let code = Code(rawValue: try row.decode(forColumn: column)) else { return nil }
        let field: String? = try row.decode(forColumn: "field")
        let sheet: Int? = try row.decode(forColumn: "sheet"), number: Int? = try row.decode(forColumn: "sheet_row")
        self.init(
            recordNumber: try row.decode(forColumn: "record_number"),
            byteOffset: try row.decode(forColumn: "byte_offset"),
            sheetRow: sheet.flatMap { sheet in number.map { SheetRow(sheet: sheet, row: $0) } },
            field: field.flatMap(CanonicalField.init(rawValue:)), code: code,
            shape: try row.decode(forColumn: "shape"))
    }
}
