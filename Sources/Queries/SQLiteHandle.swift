import GRDBSQLite

/// A connection that analysts' statements run on: opened here, closed when it goes.
///
/// Not GRDB's: that installs its own authorizer while it compiles, and a connection has only one.
final class SQLiteHandle {
    let pointer: OpaquePointer
    /// SQLite calls it while it compiles: it must live as long as the connection.
    private var statementGuard: StatementGuard?
    /// Asked every thousand instructions of a running statement.
    private var shouldStop: () -> Bool = { false }

    /// Whether all that was read since it was opened is of one state of the database.
    private(set) var isStill: () -> Bool = { true }

    /// Larger texts come from nobody's trips.
    private static let maximumTextBytes: Int32 = 1 << 26

    static func inMemory() throws(QueryError) -> SQLiteHandle {
        try SQLiteHandle(":memory:", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX)
    }

    /// Opens a database to read it, in the way that leaves nothing beside it.
    static func reading(_ path: String) throws(QueryError) -> SQLiteHandle {
        let access = ReadAccess(path: path)
        guard access != .unfinished else {
            throw .storeUnreadable(
                path: path, problem: "a run was cut short, and who may only read must wait for the next one",
                isPermission: true)
        }
        let mode = access.isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE
        let handle = try SQLiteHandle(access.name(of: path), mode | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX)
        handle.isStill = { access.isStill(path: path) }
        // Sorts stay in memory: nothing of the store lies in a temporary file.
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

    /// Runs a statement of ours that gives no rows.
    func execute(_ sql: String) throws(QueryError) {
        guard sqlite3_exec(pointer, sql, nil, nil, nil) == SQLITE_OK else { throw .failed(problem: message) }
    }

    var message: String { String(cString: sqlite3_errmsg(pointer)) }

    /// From here on nothing but guarded SELECTs can be compiled.
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

    /// Lets a running statement be stopped: it ends with `QueryError.interrupted` soon after the answer is true.
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

    /// Whether a text holds comments at most.
    private func isBlank(_ sql: String) -> Bool {
        do throws(QueryError) {
            return try compile(sql).statement.map { sqlite3_finalize($0) } == nil
        } catch {
            return false
        }
    }

    /// Compiles the first statement of a text; nil if it holds none. Also gives what follows it.
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
