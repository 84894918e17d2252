import Files
import GRDBSQLite

/// A connection that runs the statements of users, closed when it is released.
///
/// It does not use GRDB: a connection has one authorizer, which GRDB sets for its own use, and the position of a compile
/// error and the text after a statement are read from SQLite in any case.
final class SQLiteHandle {
    let pointer: OpaquePointer
    /// SQLite calls it while it compiles: it must live as long as the connection.
    private var statementGuard: StatementGuard?
    /// Called every thousand instructions of a running statement.
    private var shouldStop: () -> Bool = { false }

    /// Whether no writer has changed the database since it was opened.
    private(set) var isUnchanged: () -> Bool = { true }

    /// No trip has larger texts.
    private static let maximumTextBytes: Int32 = 1 << 26

    static func inMemory() throws(QueryError) -> SQLiteHandle {
        try SQLiteHandle(":memory:", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX)
    }

    /// Opens a database to read it, and leaves no file beside it.
    static func reading(_ path: String) throws(QueryError) -> SQLiteHandle {
        let access = try QueryError.reading(path) { () throws(FileError) in try ReadAccess(path: path) }
        guard access != .unfinished else {
            throw .storeUnreadable(
                path: path, problem: "a run was stopped, and a user who may only read has to wait for the next run",
                isPermission: true)
        }
        let mode = access.isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE
        let handle = try SQLiteHandle(access.name(of: path), mode | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX)
        handle.isUnchanged = { access.isUnchanged(path: path) }
        // Sorts stay in memory: no temporary file holds data of the store.
        try handle.execute("PRAGMA temp_store = MEMORY")
        return handle
    }

    private init(_ path: String, _ flags: Int32) throws(QueryError) {
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(path, &opened, flags, nil)
        guard code == SQLITE_OK, let opened else {
            let isPermission = opened.map { sqlite3_system_errno($0) == 13 } ?? false
            sqlite3_close_v2(opened)
            throw .storeUnreadable(
                path: path, problem: String(cString: sqlite3_errstr(code)), isPermission: isPermission)
        }
        pointer = opened
        sqlite3_busy_timeout(opened, 5_000)
        sqlite3_limit(opened, SQLITE_LIMIT_ATTACHED, 0)
        sqlite3_limit(opened, SQLITE_LIMIT_LENGTH, Self.maximumTextBytes)
        sqlite3_limit(opened, SQLITE_LIMIT_WORKER_THREADS, 0)
        // "name" is a column or an error, in SQLite as elsewhere, and never a text.
        _disableDoubleQuotedStringLiterals(opened)
    }

    deinit { sqlite3_close_v2(pointer) }

    /// Whether the last statement failed because another process is writing.
    var isBusy: Bool { sqlite3_errcode(pointer) & 0xFF == SQLITE_BUSY }

    /// Runs a statement of this program that has no rows.
    func execute(_ sql: String) throws(QueryError) {
        guard sqlite3_exec(pointer, sql, nil, nil, nil) == SQLITE_OK else { throw .failed(problem: message) }
    }

    var message: String { String(cString: sqlite3_errmsg(pointer)) }

    /// From here on only guarded SELECTs can be compiled.
    func protect(_ statementGuard: StatementGuard) throws(QueryError) {
        try execute("PRAGMA trusted_schema = OFF; PRAGMA query_only = ON")
        self.statementGuard = statementGuard
        sqlite3_set_authorizer(
            pointer,
            { context, action, first, second, _, view in
                guard let context else { return SQLITE_DENY }
                let statementGuard = Unmanaged<StatementGuard>.fromOpaque(context).takeUnretainedValue()
                let isAllowed = statementGuard.allows(
                    action, first: first.map { String(cString: $0) } ?? "",
                    second: second.map { String(cString: $0) } ?? "", view: view.map { String(cString: $0) })
                return isAllowed ? SQLITE_OK : SQLITE_DENY
            }, Unmanaged.passUnretained(statementGuard).toOpaque())
    }

    /// Stops a running statement with `QueryError.interrupted` soon after `shouldStop` returns true.
    func stop(when shouldStop: @escaping () -> Bool) {
        self.shouldStop = shouldStop
        sqlite3_progress_handler(
            pointer, 1_000,
            { context in
                guard let context else { return 1 }
                return Unmanaged<SQLiteHandle>.fromOpaque(context).takeUnretainedValue().shouldStop() ? 1 : 0
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Compiles one SELECT.
    func prepare(_ sql: String) throws(QueryError) -> SQLiteStatement {
        guard !sql.utf8.contains(0) else { throw .wrongSQL(line: nil, problem: "it holds a NUL byte") }
        statementGuard?.begin()
        let (statement, rest) = try compile(sql)
        guard let statement else { throw .wrongSQL(line: nil, problem: "there is no statement") }
        let compiled = SQLiteStatement(statement, of: self)
        guard isBlank(rest) else { throw .refused("there is more than one statement") }
        guard sqlite3_stmt_isexplain(statement) == 0 else { throw .refused("EXPLAIN is not allowed") }
        guard sqlite3_stmt_readonly(statement) != 0, sqlite3_column_count(statement) > 0 else {
            throw .refused("it is not a SELECT")
        }
        return compiled
    }

    /// Whether a text has at most comments.
    private func isBlank(_ sql: String) -> Bool {
        do throws(QueryError) {
            return try compile(sql).statement.map { sqlite3_finalize($0) } == nil
        } catch {
            return false
        }
    }

    /// Compiles the first statement of a text; nil if it has none. Also returns the rest of the text.
    private func compile(_ sql: String) throws(QueryError) -> (statement: OpaquePointer?, rest: String) {
        var statement: OpaquePointer?
        var code = SQLITE_OK
        let rest = sql.withCString { text in
            var tail = Optional(text)
            code = sqlite3_prepare_v3(pointer, text, -1, 0, &statement, &tail)
            return tail.map { String(cString: $0) } ?? ""
        }
        guard code == SQLITE_OK else {
            if let refusal = statementGuard?.refusal { throw .refused(refusal) }
            let offset = Int(sqlite3_error_offset(pointer))
            let line = offset < 0 ? nil : sql.utf8.prefix(offset).count { $0 == UInt8(ascii: "\n") } + 1
            throw .wrongSQL(line: line, problem: message)
        }
        return (statement, rest)
    }
}

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

    /// Binds a value to the parameter with this index, from 0.
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
