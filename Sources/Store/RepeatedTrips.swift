package import Basics
import GRDB
package import Trips

/// Trips of an export that are in the store already under other keys, so they would count twice: as trips of another source (of
/// the first exports of a source), or of the same source under other ids (of an export of which most trips are new).
///
/// A trip is taken for the same if day, cost, loaded miles, duration and response time are the same. Two fleets agree in
/// these by chance too, so the trips of other days are compared as well: a copy agrees on its own days only.
package struct RepeatedTrips: Sendable, Hashable {
    /// Trips that were compared: a sample of those with enough figures to distinguish them.
    package let examined: Int
    package let repeated: Int
    /// The source that has most of them.
    package let source: String
    /// Whether that is the export's own source.
    package let isOfSameSource: Bool

    /// So many are in an export by accident, such as a file with a few trips of a neighbour.
    private static let toleratedPercent = 50
    /// Fewer trips say too little.
    private static let fewestExamined = 20
    /// Ids say more than figures.
    private static let fewestOfIDs = 5
    private static let sampleSize = 1000

    /// - Parameters:
    ///   - exportID: an export whose trips are in the tables, and which is not in the ledger yet.
    ///   - trips: how many it has, and how many of them are `added` to those of the store.
    ///   - months: `Month.index` of the months that it has trips in and that the store knew before.
    /// - Returns: nil if most of the export's trips are not repeated.
    static func find(
        ofExport exportID: Int32, source: String, trips: Int, added: Int, months: Set<Int32>, _ db: Database
    ) throws -> RepeatedTrips? {
        let isFirstOfStore = try Bool.fetchOne(db, sql: "SELECT NOT EXISTS (SELECT 1 FROM exports)") ?? true
        let isKnown = try isKnown(source, db)
        guard !isFirstOfStore, !months.isEmpty, !isKnown || added * 2 > trips else { return nil }
        let months = "month IN (\(months.sorted().map(String.init).joined(separator: ",")))"
        // A second system may lack a figure that the first one has.
        let figures = try candidates.filter { figure in
            try Bool.fetchOne(
                db,
                sql: """
                    SELECT EXISTS (SELECT 1 FROM trips WHERE \(months) AND export_id = :export AND \(figure) > 0)
                    AND EXISTS (SELECT 1 FROM trips WHERE \(months) AND export_id <> :export AND \(figure) > 0)
                    """, arguments: ["export": exportID]) ?? false
        }
        guard figures.count >= fewestFigures else { return nil }
        func compare(shiftedBy days: Int) throws -> RepeatedTrips? {
            try Self.compare(
                exportID, source, isKnown: isKnown, months, by: figures, step: max(1, trips / sampleSize),
                shiftedBy: days, db)
        }
        guard let found = try compare(shiftedBy: 0), found.examined >= fewestExamined,
            found.repeated * 100 > found.examined * toleratedPercent
        else { return nil }
        return found.repeated > 2 * (try compare(shiftedBy: 7)?.repeated ?? 0) ? found : nil
    }

    /// A source of small exports only is not known yet: they do not show whose trips these are.
    private static func isKnown(_ source: String, _ db: Database) throws -> Bool {
        let most = try Int.fetchOne(
            db, sql: "SELECT coalesce(max(trips), 0) FROM exports WHERE source = ?", arguments: [source])
        return most ?? 0 >= fewestExamined
    }

    /// The other sources of trips.
    package static func sources(beside source: String, in store: TripStore) throws -> [String] {
        try store.read { db in
            let sql = "SELECT DISTINCT source FROM exports WHERE supplements IS NULL AND source <> ? ORDER BY source"
            return try String.fetchAll(db, sql: sql, arguments: [source])
        }
    }

    /// The months in which the store has fewer trips of a source than show whose they are.
    package static func newMonths(
        _ months: Set<Month>, of source: String, in store: TripStore
    ) throws -> Set<Month> {
        try store.read { db in
            try months.filter { month in
                let sql = """
                    SELECT count(*) FROM (
                        SELECT 1 FROM trips WHERE month = ? AND export_id IN (SELECT export_id FROM exports WHERE source = ?)
                        LIMIT \(fewestExamined))
                    """
                return try Int.fetchOne(db, sql: sql, arguments: [month.index, source]) ?? 0 < fewestExamined
            }
        }
    }

    /// Looks for trips by their ids: the export may have the costs of trips of which the store has the times, and no figure that both
    /// have.
    ///
    /// - Parameters:
    ///   - trips: of a month of an export, under the keys that they have if they are trips of another source.
    ///   - source: that one.
    /// - Returns: nil if most of them are not in the store.
    package static func find(
        _ trips: [TripKey: ReplacedTrips.Traits], of source: String, in store: TripStore
    ) throws -> RepeatedTrips? {
        guard trips.count >= fewestOfIDs else { return nil }
        let known = try store.read { db in
            let rows = try VersionRows(db, .none)
            return try trips.filter { key, trip in
                try rows.versions(of: key).versions.contains { trip.mayBePart(of: .init($0)) }
            }.count
        }
        guard known * 100 > trips.count * toleratedPercent else { return nil }
        return RepeatedTrips(examined: trips.count, repeated: known, source: source, isOfSameSource: false)
    }

    private static let candidates = ["cost_cents", "loaded_hundredths", "duration", "response"]
    private static let fewestFigures = 2

    /// - Parameters:
    ///   - isKnown: whether the trips are compared with those of the same source only.
    ///   - months: a condition for rows of trips.
    ///   - figures: columns; the trips that are examined have at least two of them.
    ///   - shift: days that the trips of the export are moved by before they are compared.
    /// - Returns: the source with most of them; nil if no trip of any source agrees.
    private static func compare(
        _ exportID: Int32, _ source: String, isKnown: Bool, _ months: String, by figures: [String], step: Int,
        shiftedBy shift: Int, _ db: Database
    ) throws -> RepeatedTrips? {
        // Zeros distinguish nothing, and negative intervals are the reasons why there is none.
        let known = figures.map { "ifnull(\($0) > 0, 0)" }.joined(separator: " + ")
        let values = figures.map { "ifnull(trips.\($0), -1)" }.joined(separator: ", ")
        let names = figures.joined(separator: ", "), sampled = figures.map { "named.\($0)" }.joined(separator: ", ")
        // Keys are hashes, so each step of them is a fair sample.
        let row = try Row.fetchOne(
            db,
            sql: """
                WITH named(id, month, day, \(names)) AS MATERIALIZED (
                    SELECT key_high, month, day, \(values) FROM trips
                    WHERE \(months) AND export_id = :export AND key_high % :step = 0 AND \(known) >= \(fewestFigures)
                )
                SELECT (SELECT count(*) FROM named), count(DISTINCT named.id), exports.source FROM trips
                JOIN exports USING (export_id)
                JOIN named ON named.day + :shift = trips.day AND (\(sampled)) = (\(values))
                WHERE trips.export_id <> :export AND (NOT :isKnown OR exports.source = :source)
                    AND trips.month IN (SELECT month FROM named)
                GROUP BY exports.source ORDER BY 2 DESC, 3 LIMIT 1
                """,
            arguments: ["export": exportID, "source": source, "isKnown": isKnown, "step": step, "shift": shift])
        guard let row else { return nil }
        let found: String = try row.decode(atIndex: 2)
        return RepeatedTrips(
            examined: try row.decode(atIndex: 0), repeated: try row.decode(atIndex: 1), source: found,
            isOfSameSource: found == source)
    }
}
