import GRDB
package import Trips

/// A column that an export had.
package struct ExportColumn: Sendable, Hashable {
    package var field: CanonicalField
    /// Its name in the header; nil if it may not be shown.
    package var name: String?

    package init(field: CanonicalField, name: String?) {
        self.field = field
        self.name = name
    }
}

extension TripStore {
    /// The columns of the last export of a source, with the label of the export.
    ///
    /// - Parameter asOf: of an export with a date in its name: later ones do not count, so that older exports can be
    ///   loaded after newer ones. Nil: the export that was loaded last counts.
    /// - Returns: nil if no export of the source has columns on record.
    package func lastColumns(ofSource source: String, until asOf: Int?) throws -> (
        label: String, columns: [ExportColumn]
    )? {
        try read { db in
            let order = asOf == nil ? "export_id DESC" : "as_of DESC, export_id DESC"
            let last = try Row.fetchOne(
                db,
                sql: """
                    SELECT export_id, label FROM exports WHERE source = ? AND as_of <= ? AND EXISTS (
                        SELECT 1 FROM export_columns WHERE export_columns.export_id = exports.export_id)
                    ORDER BY \(order) LIMIT 1
                    """, arguments: [source, asOf ?? .max])
            guard let last else { return nil }
            let id: Int32 = try last.decode(forColumn: "export_id")
            let rows = try Row.fetchAll(
                db, sql: "SELECT field, name FROM export_columns WHERE export_id = ? ORDER BY field", arguments: [id])
            let columns = try rows.compactMap { row -> ExportColumn? in
                // A later version may have other fields.
                guard let field = CanonicalField(rawValue: try row.decode(forColumn: "field")) else { return nil }
                return ExportColumn(field: field, name: try row.decode(forColumn: "name"))
            }
            return (try last.decode(forColumn: "label"), columns)
        }
    }
}
