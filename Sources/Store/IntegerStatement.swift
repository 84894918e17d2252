import GRDB
import GRDBSQLite

/// A prepared statement whose parameters and columns are integers, reused for millions of rows: GRDB makes and owns it,
/// the hot steps go straight to SQLite.
struct IntegerStatement {
    private let statement: Statement
    private let handle: SQLiteStatement

    init(_ db: Database, _ sql: String) throws {
        statement = try db.makeStatement(sql: sql)
        handle = statement.sqliteStatement
    }

    /// Parameters count from 1.
    @inline(__always)
    func bind(_ index: Int32, _ value: Int64) { sqlite3_bind_int64(handle, index, value) }

    @inline(__always)
    func bindNull(_ index: Int32) { sqlite3_bind_null(handle, index) }

    /// Whether there is a (further) row.
    @inline(__always)
    func step(_ db: Database) throws -> Bool {
        let code = sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        if code == SQLITE_DONE { return false }
        sqlite3_reset(handle)
        throw DatabaseError(
            resultCode: ResultCode(rawValue: sqlite3_extended_errcode(db.sqliteConnection)),
            message: db.lastErrorMessage)
    }

    /// Carries it out and makes it ready for the next row; how many rows it changed.
    @inline(__always)
    @discardableResult
    func run(_ db: Database) throws -> Int {
        _ = try step(db)
        sqlite3_reset(handle)
        return Int(sqlite3_changes(db.sqliteConnection))
    }

    @inline(__always)
    func reset() { sqlite3_reset(handle) }

    /// Columns count from 0.
    @inline(__always)
    func column(_ index: Int32) -> Int64 { sqlite3_column_int64(handle, index) }

    @inline(__always)
    func isNull(_ index: Int32) -> Bool { sqlite3_column_type(handle, index) == SQLITE_NULL }
}
