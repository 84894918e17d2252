import Foundation
import GRDB
package import KPIContract

/// Writes `trips.sqlite`: the rows of a published set in the order of its lists, so that a page of any size is read without
/// reading the others. The same rows give the same bytes.
///
/// `place` is a row's number in that order, newest date first, then by id. A page is the rows after a place, a month is a
/// range of places, and an index of regions or trip types holds places in their order. So each page is one search of one
/// index, whatever it is filtered by.
package final class TripPagesWriter {
    private let path: String
    private let database: DatabaseQueue
    private var codes: [String: Int] = [:]
    private var pending: [TripDetail] = []
    private static let mostPending = 5_000

    /// - Parameter path: a file of that name is replaced.
    /// - Throws: `TripPagesError.notWritten`.
    package init(path: String) throws(TripPagesError) {
        self.path = path
        do {
            if FileManager.default.fileExists(atPath: path) { try FileManager.default.removeItem(atPath: path) }
            var configuration = Configuration()
            configuration.prepareDatabase { db in
                // The file is a draft until it is whole: nothing of it has to survive a crash.
                for pragma in ["page_size = 8192", "journal_mode = OFF", "synchronous = OFF", "cache_size = -65536"] {
                    try db.execute(sql: "PRAGMA \(pragma)")
                }
            }
            database = try DatabaseQueue(path: path, configuration: configuration)
            try database.writeWithoutTransaction { try $0.execute(sql: Self.staging) }
        } catch {
            throw .notWritten
        }
    }

    /// - Throws: `TripPagesError.notWritten`.
    package func add(_ trip: TripDetail) throws(TripPagesError) {
        pending.append(trip)
        if pending.count == Self.mostPending { try write() }
    }

    /// Orders the rows. No row can be added after it.
    ///
    /// - Throws: `TripPagesError.notWritten`.
    package func finish() throws(TripPagesError) {
        try write()
        do {
            try database.writeWithoutTransaction { db in
                try db.execute(sql: Self.ordering)
                for (text, code) in codes.sorted(by: { $0.value < $1.value }) {
                    try db.execute(sql: "INSERT INTO texts(code, text) VALUES (?, ?)", arguments: [code, text])
                }
                try db.execute(sql: "VACUUM")
            }
            try database.close()
        } catch {
            throw .notWritten
        }
    }

    private func code(of text: String) -> Int {
        if let code = codes[text] { return code }
        codes[text] = codes.count + 1
        return codes.count
    }

    private func write() throws(TripPagesError) {
        do {
            try database.write { db in
                let statement = try db.cachedStatement(sql: Self.insertion)
                for detail in pending {
                    let trip = detail.trip
                    statement.setUncheckedArguments([
                        trip.id, trip.date, code(of: trip.title), code(of: trip.provider), trip.duration,
                        trip.distance.units, detail.cost?.cents, code(of: detail.privacy), code(of: detail.tripType),
                        detail.region.map(code(of:)), code(of: detail.sourcing), detail.response,
                    ])
                    try statement.execute()
                }
            }
        } catch {
            throw .notWritten
        }
        pending.removeAll(keepingCapacity: true)
    }

    private static let columns = """
        id TEXT NOT NULL, date TEXT NOT NULL, title INTEGER NOT NULL, provider INTEGER NOT NULL, duration INTEGER NOT NULL,
        distance INTEGER NOT NULL, cost INTEGER, privacy INTEGER NOT NULL, type INTEGER NOT NULL, region INTEGER,
        sourcing INTEGER NOT NULL, response INTEGER
        """

    private static let staging = "CREATE TABLE staged(\(columns))"

    private static let insertion = "INSERT INTO staged VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"

    /// Dates are texts that sort by time.
    private static let ordering = """
        CREATE TABLE trips(place INTEGER PRIMARY KEY, \(columns));
        INSERT INTO trips SELECT NULL, * FROM staged ORDER BY date DESC, id;
        DROP TABLE staged;
        CREATE TABLE months(month TEXT PRIMARY KEY, first INTEGER NOT NULL, last INTEGER NOT NULL) WITHOUT ROWID;
        INSERT INTO months SELECT substr(date, 1, 7), min(place), max(place) FROM trips GROUP BY substr(date, 1, 7);
        CREATE TABLE texts(code INTEGER PRIMARY KEY, text TEXT NOT NULL);
        CREATE UNIQUE INDEX trips_by_id ON trips(id);
        CREATE INDEX trips_by_type ON trips(type);
        CREATE INDEX trips_by_region ON trips(region);
        CREATE INDEX trips_by_region_and_type ON trips(region, type);
        PRAGMA user_version = \(TripPages.version);
        """
}
