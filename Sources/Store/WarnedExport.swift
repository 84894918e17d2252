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
        let exports = try exports()
        return try exports.flatMap { export -> [WarnedExport] in
            try read { db in
                let condition = "export_id = (SELECT export_id FROM exports WHERE sha256 = ?)"
                let places = try Row.fetchAll(
                    db, sql: "SELECT * FROM warning_places WHERE \(condition) ORDER BY byte_offset, record_number",
                    arguments: [export.sha256]
                ).compactMap { try WarnedRecord(row: $0, code: "code") }
                return try Row.fetchAll(
                    db, sql: "SELECT code, records FROM warnings WHERE \(condition) ORDER BY records DESC, code",
                    arguments: [export.sha256]
                ).compactMap { row -> WarnedExport? in
                    guard let code = WarningCode(rawValue: try row.decode(forColumn: "code")) else { return nil }
                    return WarnedExport(
                        export: export, code: code, records: try row.decode(forColumn: "records"),
                        places: places.filter { $0.code == code })
                }
            }
        }
    }
}

extension FaultyRecord where Code: RawRepresentable<String> {
    /// A row of `reject_places` or `warning_places`; nil for a code that this version does not know.
    init?(row: Row, code column: String) throws {
        guard let code = Code(rawValue: try row.decode(forColumn: column)) else { return nil }
        let field: String? = try row.decode(forColumn: "field")
        self.init(
            recordNumber: try row.decode(forColumn: "record_number"),
            byteOffset: try row.decode(forColumn: "byte_offset"),
            field: field.flatMap(CanonicalField.init(rawValue:)), code: code,
            shape: try row.decode(forColumn: "shape"))
    }
}
