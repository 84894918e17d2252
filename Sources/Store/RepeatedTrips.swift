import GRDB
import Trips

/// Trips of the first export of a source that are in the store already, as trips of another source: under another source
/// their keys differ, so they would count twice.
///
/// A trip is taken for the same if day, cost, loaded miles, duration and response time are the same. One trip in a few
/// thousand agrees with another in all of these by chance.
package struct RepeatedTrips: Sendable, Hashable {
    /// Trips that were looked at: a sample of those with enough figures to distinguish them.
    package let examined: Int
    package let repeated: Int
    /// The source that has most of them.
    package let source: String

    /// So many are in an export by accident, such as a file with a few trips of a neighbour.
    private static let toleratedPercent = 50
    /// Fewer trips say too little.
    private static let fewestExamined = 20
    private static let sampleSize = 1000

    /// - Parameters:
    ///   - exportID: an export whose trips are in the tables, and which is not in the ledger yet.
    ///   - trips: how many it has.
    /// - Returns: nil if the source is known, or if most of its trips are new.
    static func find(ofExport exportID: Int32, source: String, trips: Int, _ db: Database) throws -> RepeatedTrips? {
        let sources = try Set(String.fetchAll(db, sql: "SELECT DISTINCT source FROM exports"))
        guard !sources.isEmpty, !sources.contains(source) else { return nil }
        let figures = ["cost_cents", "loaded_hundredths", "duration", "response"]
        // Negative intervals are the reasons why there is none.
        let known = "(cost_cents NOTNULL) + (loaded_hundredths NOTNULL) + (duration >= 0) + (response >= 0)"
        func columns(_ table: String) -> String { figures.map { "ifnull(\(table).\($0), -1)" }.joined(separator: ", ") }
        // Keys are hashes, so each step of them is a fair sample.
        let row = try Row.fetchOne(
            db,
            sql: """
                WITH sample AS MATERIALIZED (
                    SELECT key_high, day, \(columns("trips")) FROM trips
                    WHERE export_id = :export AND key_high % :step = 0 AND \(known) >= 3
                ), named(id, day, a, b, c, d) AS MATERIALIZED (SELECT * FROM sample),
                repeats AS (
                    SELECT exports.source AS source, named.id AS id FROM trips
                    JOIN exports USING (export_id)
                    JOIN named ON named.day = trips.day AND (named.a, named.b, named.c, named.d) = (\(columns("trips")))
                    WHERE trips.export_id <> :export AND trips.month IN (SELECT DISTINCT month FROM trips WHERE export_id = :export)
                )
                SELECT (SELECT count(*) FROM named), count(DISTINCT id), max(source) FROM repeats
                """, arguments: ["export": exportID, "step": max(1, trips / sampleSize)])
        guard let row else { return nil }
        let examined: Int = try row.decode(atIndex: 0), repeated: Int = try row.decode(atIndex: 1)
        let other: String? = try row.decode(atIndex: 2)
        guard let other, examined >= fewestExamined, repeated * 100 > examined * toleratedPercent else { return nil }
        return RepeatedTrips(examined: examined, repeated: repeated, source: other)
    }
}
