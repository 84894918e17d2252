import GRDB

/// An export of which a smaller share of the completed trips has a cost than in each of the last exports of its series.
///
/// Costs often come weeks after the trips, so the share of a series differs from night to night. What is less than nine tenths
/// of the least share is no longer such a difference.
package struct LostCosts: Sendable, Hashable {
    package let completed: Int
    package let costed: Int
    /// Of the earlier export with the least share.
    let earlierCompleted: Int
    let earlierCosted: Int

    package var percent: Int { costed * 100 / completed }
    package var earlierPercent: Int { earlierCosted * 100 / earlierCompleted }

    /// A month of nights, so that the beginning of a month is compared with that of the month before.
    private static let exportsCompared = 31
    /// In fewer trips a share differs as much by chance.
    private static let fewestTrips = 100

    /// - Parameters:
    ///   - series: see `LoadedColumns`.
    ///   - asOf: later exports do not count.
    /// - Returns: nil if no costs were lost, or the series is new.
    static func find(
        completed: Int, costed: Int, series: String, until asOf: Int, _ db: Database
    ) throws -> LostCosts? {
        guard completed >= fewestTrips else { return nil }
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT completed_trips, costed_trips FROM exports JOIN export_columns USING (export_id)
                WHERE series = ? AND as_of <= ? AND completed_trips >= ? AND costed_trips IS NOT NULL
                ORDER BY as_of DESC, export_id DESC LIMIT \(exportsCompared)
                """, arguments: [series, asOf, fewestTrips])
        let earlier = try rows.map {
            (completed: try $0.decode(Int.self, atIndex: 0), costed: try $0.decode(Int.self, atIndex: 1))
        }
        guard let least = earlier.min(by: { $0.costed * $1.completed < $1.costed * $0.completed }) else { return nil }
        guard costed * least.completed * 10 < least.costed * completed * 9 else { return nil }
        return LostCosts(
            completed: completed, costed: costed, earlierCompleted: least.completed, earlierCosted: least.costed)
    }
}
