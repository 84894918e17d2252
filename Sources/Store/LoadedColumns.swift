import Foundation
import GRDB
package import Trips

/// A column that an export had.
package struct ExportColumn: Sendable, Hashable, Codable {
    package var field: CanonicalField
    /// Its name in the header; nil if it may not be shown.
    package var name: String?

    package init(field: CanonicalField, name: String?) {
        self.field = field
        self.name = name
    }
}

/// The columns of an export, to compare the next one of its series with.
package struct LoadedColumns: Sendable, Hashable {
    /// Exports of one series are made in the same way, so they have the same columns. A keyed hash, since it is made from
    /// the file's name.
    package var series: String
    package var columns: [ExportColumn]

    package init(series: String, columns: [ExportColumn]) {
        self.series = series
        self.columns = columns
    }

    /// As the store keeps them: in the same order the same text.
    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(columns), as: UTF8.self)
    }
}

extension TripStore {
    /// The columns of the last export of a series.
    ///
    /// - Parameter asOf: of an export with a date in its name: later ones do not count, so that older exports can be
    ///   loaded after newer ones. Nil: the export that was loaded last counts.
    /// - Returns: nil if the store knows no export of the series.
    package func lastColumns(ofSeries series: String, until asOf: Int?) throws -> [ExportColumn]? {
        let json = try read { db in
            let order = asOf == nil ? "export_id DESC" : "as_of DESC, export_id DESC"
            return try String.fetchOne(
                db,
                sql: """
                    SELECT columns FROM export_columns JOIN exports USING (export_id)
                    WHERE series = ? AND as_of <= ? ORDER BY \(order) LIMIT 1
                    """, arguments: [series, asOf ?? .max])
        }
        // A later version may have other fields: what this one cannot read it does not compare.
        return json.flatMap { try? JSONDecoder().decode([ExportColumn].self, from: Data($0.utf8)) }
    }

    /// Whether an export of the series was loaded.
    package func knowsColumns(ofSeries series: String) throws -> Bool {
        try read { db in
            try Bool.fetchOne(
                db, sql: "SELECT EXISTS (SELECT 1 FROM export_columns WHERE series = ?)", arguments: [series]) ?? false
        }
    }

    /// The columns that the last exports of all series of a source had; none if there is no series.
    ///
    /// - Parameter exportID: later exports do not count.
    package func columnsOfEverySeries(ofSource source: String, until exportID: Int) throws -> [ExportColumn] {
        let columns = try lastColumns(ofSource: source, until: exportID)
        let common = columns.dropFirst().reduce(Set(columns.first?.map(\.field) ?? [])) {
            $0.intersection($1.map(\.field))
        }
        return columns.last?.filter { common.contains($0.field) } ?? []
    }

    /// Of each series of a source, the columns of its last export.
    ///
    /// - Parameter condition: what is compared with the source.
    private func lastColumns(
        ofSource source: String, until exportID: Int, where condition: String = "source"
    ) throws -> [[ExportColumn]] {
        let lists = try read { db in
            try String.fetchAll(
                db,
                sql: """
                    SELECT columns FROM export_columns WHERE export_id IN (
                        SELECT max(export_id) FROM export_columns JOIN exports USING (export_id)
                        WHERE \(condition) = ? AND export_id <= ? GROUP BY series)
                    """, arguments: [source, exportID])
        }
        return lists.compactMap { try? JSONDecoder().decode([ExportColumn].self, from: Data($0.utf8)) }
    }

    /// Whether the last exports of all series that have trips of a source, or parts of them, have ids of legs; nil: only some have,
    /// or there is none.
    package func legs(ofSource source: String) throws -> Bool? {
        let columns = try lastColumns(ofSource: source, until: .max, where: "coalesce(supplements, source)")
            .filter { !$0.isEmpty }
        let found = Set(columns.map { columns in columns.contains { $0.field == .legID } })
        return found.count == 1 ? found.first : nil
    }

    /// The number of the export that was loaded last; 0: there is none.
    package func lastExportID() throws -> Int {
        try read { try Int.fetchOne($0, sql: "SELECT max(export_id) FROM exports") ?? 0 }
    }

    /// How many exports were loaded before the store kept columns and warnings.
    package func exportsWithoutColumns() throws -> Int {
        try read { db in
            try Int.fetchOne(
                db, sql: "SELECT count(*) FROM exports WHERE export_id NOT IN (SELECT export_id FROM export_columns)")
                ?? 0
        }
    }
}
