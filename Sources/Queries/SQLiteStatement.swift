import GRDBSQLite

/// A compiled statement; it keeps its connection open.
final class SQLiteStatement {
    private let pointer: OpaquePointer
    private let handle: SQLiteHandle

    init(_ pointer: OpaquePointer, of handle: SQLiteHandle) {
        self.pointer = pointer
        self.handle = handle
    }

    deinit { sqlite3_finalize(pointer) }

    /// The names of the result's columns.
    var columns: [String] {
        (0..<sqlite3_column_count(pointer)).map { column in
            sqlite3_column_name(pointer, column).map { String(cString: $0) } ?? ""
        }
    }

    /// The names of the parameters without their mark, in the order of their numbers; `?` for one without a name.
    var parameters: [String] {
        (0..<sqlite3_bind_parameter_count(pointer)).map { index in
            sqlite3_bind_parameter_name(pointer, index + 1).map { String(String(cString: $0).dropFirst()) } ?? "?"
        }
    }

    /// Binds a value to the parameter of this number, from 0.
    func bind(_ value: QueryValue, at index: Int) throws(QueryError) {
        let number = Int32(index + 1)
        // SQLite copies the text before the call ends: SQLITE_TRANSIENT, a macro that Swift does not see.
        let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        let code =
            switch value {
            case .null: sqlite3_bind_null(pointer, number)
            case .integer(let value): sqlite3_bind_int64(pointer, number, value)
            case .real(let value): sqlite3_bind_double(pointer, number, value)
            case .text(let value): sqlite3_bind_text(pointer, number, value, -1, transient)
            }
        guard code == SQLITE_OK else { throw .failed(problem: handle.message) }
    }

    /// The next row; nil after the last.
    func next() throws(QueryError) -> [QueryValue]? {
        switch sqlite3_step(pointer) {
        case SQLITE_ROW: return (0..<sqlite3_column_count(pointer)).map(value)
        case SQLITE_DONE: return nil
        case SQLITE_INTERRUPT: throw .interrupted
        default: throw .failed(problem: handle.message)
        }
    }

    private func value(at column: Int32) -> QueryValue {
        switch sqlite3_column_type(pointer, column) {
        case SQLITE_INTEGER: .integer(sqlite3_column_int64(pointer, column))
        case SQLITE_FLOAT: .real(sqlite3_column_double(pointer, column))
        case SQLITE_TEXT: sqlite3_column_text(pointer, column).map { .text(String(cString: $0)) } ?? .null
        default: .null
        }
    }
}
