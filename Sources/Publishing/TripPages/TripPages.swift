import GRDB
package import KPIContract
import Synchronization

/// `trips.sqlite` of a published set, to read pages of trips and single trips from. The file does not change.
package struct TripPages: Sendable {
    /// The databases take turns.
    private final class NextDatabase: Sendable {
        private let count = Atomic<Int>(0)

        func place(of databases: Int) -> Int {
            Int(count.wrappingAdd(1, ordering: .relaxed).oldValue.magnitude % UInt(databases))
        }
    }

    /// The file's name in a published set.
    /// IANA media type.
    package static let mediaType = "application/vnd.sqlite3"
    static let version = 1

    /// What a list is filtered by; nil: everything.
    package struct Filter: Sendable, Hashable {
        /// `YYYY-MM`.
        package var month: String?
        package var tripType: String?
        package var region: String?

        package init(month: String? = nil, tripType: String? = nil, region: String? = nil) {
            self.month = month
            self.tripType = tripType
            self.region = region
        }
    }

    /// Opened at once: the file may be removed while it is read.
    private let databases: [DatabaseQueue]
    private let next = NextDatabase()
    private let texts: [Int: String]
    private let codes: [String: Int]
    private let hasMonths: Bool
    private let hasRegions: Bool

    /// - Parameter connections: how many requests are answered at once.
    /// - Throws: `TripPagesError.unreadable`.
    package init(path: String, connections: Int = 1) throws(TripPagesError) {
        do {
            var configuration = Configuration()
            configuration.readonly = true
            // 4 MiB a connection, whatever the size of the file.
            configuration.prepareDatabase { try $0.execute(sql: "PRAGMA cache_size = -4096") }
            let databases = try (0..<max(1, connections)).map { _ in
                try DatabaseQueue(path: path, configuration: configuration)
            }
            self.databases = databases
            (texts, codes, hasMonths, hasRegions) = try databases[0].read { db in
                guard try Int.fetchOne(db, sql: "PRAGMA user_version") == Self.version else {
                    throw TripPagesError.unreadable
                }
                let rows = try Row.fetchAll(db, sql: "SELECT code, text FROM texts").map { row in
                    (code: try row.decode(Int.self, atIndex: 0), text: try row.decode(String.self, atIndex: 1))
                }
                return (
                    Dictionary(rows.map { ($0.code, $0.text) }, uniquingKeysWith: { first, _ in first }),
                    Dictionary(rows.map { ($0.text, $0.code) }, uniquingKeysWith: { first, _ in first }),
                    try Bool.fetchOne(db, sql: "SELECT length(max(month)) = 7 FROM months") ?? true,
                    try Bool.fetchOne(
                        db,
                        sql:
                            "SELECT EXISTS(SELECT 1 FROM trips WHERE region IS NOT NULL) OR NOT EXISTS(SELECT 1 FROM trips)"
                    ) ?? true
                )
            }
        } catch {
            throw .unreadable
        }
    }

    /// Whether rows have what they are to be filtered by: under safe-harbor they have years, and no regions.
    package func canFilter(by filter: Filter) -> Bool {
        (filter.month == nil || hasMonths) && (filter.region == nil || hasRegions)
    }

    /// The next trips of a list, newest date first, then by id.
    ///
    /// - Parameters:
    ///   - after: the id of the last trip of the page before; nil: the first page.
    /// - Returns: at most `limit` trips, and whether there are more; nil if there is no trip `after`.
    /// - Throws: `TripPagesError.unreadable`.
    package func page(
        _ filter: Filter = Filter(), after id: String? = nil, limit: Int
    ) throws(TripPagesError) -> (trips: [TripDetail], hasMore: Bool)? {
        try read { db in
            var first = 0, last = Int.max
            if let id {
                guard let place = try Int.fetchOne(db.cachedStatement(sql: Self.placeSQL), arguments: [id]) else {
                    return nil
                }
                first = place
            }
            if let month = filter.month {
                guard let range = try Row.fetchOne(db.cachedStatement(sql: Self.monthSQL), arguments: [month]) else {
                    return ([], false)
                }
                first = max(first, try range.decode(Int.self, atIndex: 0) - 1)
                last = try range.decode(Int.self, atIndex: 1)
            }
            var conditions: [String] = [], arguments: [Int] = [first, last]
            for (column, name) in [("region", filter.region), ("type", filter.tripType)] {
                guard let name else { continue }
                guard let code = codes[name] else { return ([], false) }
                conditions.append(" AND \(column) = ?")
                arguments.append(code)
            }
            arguments.append(limit + 1)
            let sql =
                "SELECT \(Self.columns) FROM trips WHERE place > ? AND place <= ?\(conditions.joined()) ORDER BY place LIMIT ?"
            let rows = try Row.fetchAll(db.cachedStatement(sql: sql), arguments: StatementArguments(arguments))
            return (try rows.prefix(limit).map(trip), rows.count > limit)
        }
    }

    /// - Returns: nil if there is no such trip.
    /// - Throws: `TripPagesError.unreadable`.
    package func trip(_ id: String) throws(TripPagesError) -> TripDetail? {
        try read { db in
            try Row.fetchOne(
                db.cachedStatement(sql: "SELECT \(Self.columns) FROM trips WHERE id = ?"), arguments: [id]
            ).map(trip)
        }
    }

    /// How many trips there are.
    ///
    /// - Throws: `TripPagesError.unreadable`.
    package func count() throws(TripPagesError) -> Int {
        try read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM trips") ?? 0 }
    }

    /// Goes through all trips in the order of the lists, some at a time.
    ///
    /// - Throws: `TripPagesError.unreadable`.
    package func forEach(_ body: (TripDetail) -> Void) throws(TripPagesError) {
        var last: String?, hasMore = true
        while hasMore, let page = try page(after: last, limit: 2_000) {
            for trip in page.trips { body(trip) }
            last = page.trips.last?.id
            hasMore = page.hasMore
        }
    }

    private func read<Value: Sendable>(_ body: (Database) throws -> Value) throws(TripPagesError) -> Value {
        do { return try databases[next.place(of: databases.count)].read(body) } catch { throw .unreadable }
    }

    private func trip(_ row: Row) throws -> TripDetail {
        // A damaged row is an error, not a crash.
        func text(_ place: Int) throws -> String {
            guard let text = texts[try row.decode(Int.self, atIndex: place)] else { throw TripPagesError.unreadable }
            return text
        }
        let listed = Trip(
            id: try row.decode(String.self, atIndex: 0), title: try text(2),
            duration: try row.decode(Double.self, atIndex: 4), date: try row.decode(String.self, atIndex: 1),
            provider: try text(3), distance: Hundredths(units: try row.decode(Int.self, atIndex: 5)))
        return TripDetail(
            listed, cost: try row.decode(Int?.self, atIndex: 6).map(Cents.init(cents:)), privacy: try text(7),
            tripType: try text(8), region: try row.decode(Int?.self, atIndex: 9) == nil ? nil : try text(9),
            sourcing: try text(10), response: try row.decode(Int?.self, atIndex: 11))
    }

    private static let columns =
        "id, date, title, provider, duration, distance, cost, privacy, type, region, sourcing, response"
    private static let placeSQL = "SELECT place FROM trips WHERE id = ?"
    private static let monthSQL = "SELECT first, last FROM months WHERE month = ?"
}
