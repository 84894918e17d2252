import GRDB
import GRDBSQLite

/// A prepared statement whose parameters and columns are integers, reused for millions of rows. GRDB makes and owns it;
/// the hot steps call SQLite directly.
struct IntegerStatement {
    private let db: Database
    private let statement: Statement
    private let handle: SQLiteStatement

    init(_ db: Database, _ sql: String) throws {
        self.db = db
        statement = try db.makeStatement(sql: sql)
        handle = statement.sqliteStatement
    }

    /// Parameters count from 1.
    @inline(__always)
    func bind(_ index: Int32, _ value: Int64) { sqlite3_bind_int64(handle, index, value) }

    @inline(__always)
    func bindNull(_ index: Int32) { sqlite3_bind_null(handle, index) }

    private func bind(_ values: [Int64]) {
        for (index, value) in values.enumerated() { bind(Int32(index + 1), value) }
    }

    /// Whether there is a (further) row.
    @inline(__always)
    func step() throws -> Bool {
        let code = sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        if code == SQLITE_DONE { return false }
        sqlite3_reset(handle)
        throw DatabaseError(
            resultCode: ResultCode(rawValue: sqlite3_extended_errcode(db.sqliteConnection)),
            message: db.lastErrorMessage)
    }

    @inline(__always)
    func reset() { sqlite3_reset(handle) }

    /// Runs the statement with the values that are bound, and resets it.
    ///
    /// - Returns: the number of changed rows.
    @inline(__always)
    @discardableResult
    func run() throws -> Int {
        _ = try step()
        reset()
        return Int(sqlite3_changes(db.sqliteConnection))
    }

    @discardableResult
    func run(_ values: Int64...) throws -> Int { try run(values) }

    @discardableResult
    func run(_ values: [Int64]) throws -> Int {
        bind(values)
        return try run()
    }

    /// Calls `body` for each row, and resets the statement.
    @inline(__always)
    func forEachRow(_ values: Int64..., body: (IntegerStatement) throws -> Void) throws {
        bind(values)
        defer { reset() }
        while try step() { try body(self) }
    }

    /// The first row; nil if there is none.
    func first<Value>(_ values: Int64..., read: (IntegerStatement) throws -> Value) throws -> Value? {
        try first(values, read: read)
    }

    func first<Value>(_ values: [Int64], read: (IntegerStatement) throws -> Value) throws -> Value? {
        bind(values)
        defer { reset() }
        return try step() ? try read(self) : nil
    }

    /// Columns count from 0.
    @inline(__always)
    func column(_ index: Int32) -> Int64 { sqlite3_column_int64(handle, index) }

    @inline(__always)
    func isNull(_ index: Int32) -> Bool { sqlite3_column_type(handle, index) == SQLITE_NULL }
}
