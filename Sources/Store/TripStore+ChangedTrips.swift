package import Basics
import Foundation
import GRDB
package import KPIs

extension TripStore {
    /// Records what changed in released months whose trips are elsewhere: this store has only the changed ones, and tallies of the
    /// others.
    ///
    /// - Parameters:
    ///   - before: trips of released months that were changed or removed since the last call, as they were.
    ///   - added: trips that were added to released months since.
    ///   - current: every trip of these and of earlier calls as it is now, in any month; they replace the store's trips.
    ///   - months: that have other trips of `current`, or other ones besides, than at the last call.
    ///   - others: the tallies of the trips of these months that are not `current`.
    package func journal(
        before: [StoredTrip], added: [StoredTrip], current: [StoredTrip], months: [Month], others: KPITally
    ) throws {
        try write { db in
            let changes = RowChanges(changesCosts: false)
            let journal = try ReleaseJournal(db, changes)
            for trip in before { try journal.noteChanged(trip) }
            for trip in added { try journal.noteAdded(trip) }
            try IntegerStatement(db, "SELECT \(TripColumns.names) FROM trips").forEachRow { row in
                changes.remove(try row.readTrip(), from: .trips)
            }
            try db.execute(sql: "DELETE FROM trips")
            let insert = try IntegerStatement(
                db, "INSERT INTO trips (\(TripColumns.names)) VALUES (\(TripColumns.marks))")
            for trip in current {
                insert.bind(trip)
                try insert.run()
                changes.add(trip, to: .trips)
            }
            try changes.write(db)
            for month in months {
                try db.execute(
                    sql: "INSERT OR REPLACE INTO month_tallies VALUES (?, 0, ?)",
                    arguments: [month.index, Data(others.encoded(month: month))])
            }
            // Of a month that the last changed trip has left, no tally would be made again.
            try db.execute(sql: "DELETE FROM month_tallies WHERE month NOT IN (SELECT month FROM trips)")
        }
    }
}
