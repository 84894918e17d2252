import GRDBSQLite
import StrictYAML

/// An empty database that has the staging views' columns and nothing else.
///
/// A statement that compiles here cannot name a table of the store. SQLite's authorizer alone does not ensure that: it
/// identifies a view only by its name, which `WITH stg_trips AS (SELECT … FROM trips)` can choose.
struct StagingOutline {
    private let handle: SQLiteHandle

    init(staging: [Query]) throws(QueryError) {
        handle = try SQLiteHandle.inMemory()
        for view in staging {
            let columns = view.columns.map { "\($0.name) \($0.type.rawValue)" }.joined(separator: ", ")
            try handle.execute("CREATE TEMP TABLE \(view.name) (\(columns))")
        }
        try handle.protect(StatementGuard(staging: Set(staging.map(\.name))))
    }

    /// Fails unless the statement is one SELECT over staging views.
    func check(_ sql: String) throws(QueryError) {
        _ = try handle.prepare(sql)
    }

    /// How a query's file differs from its description; nil if they agree.
    func fault(of query: Query) -> ConfigurationError? {
        let statement: SQLiteStatement
        do throws(QueryError) {
            statement = try handle.prepare(query.sql)
        } catch {
            return ConfigurationError(file: query.file, line: error.line, message: error.description)
        }
        let declared = query.columns.map(\.name)
        guard statement.columns == declared else {
            return ConfigurationError(
                file: query.file, message: "its columns are \(statement.columns.joined(separator: ", "))",
                hint: "the .yml has \(declared.joined(separator: ", "))")
        }
        let used = Set(statement.parameters), known = Set(query.parameters.map(\.name))
        guard used == known else {
            return ConfigurationError(
                file: query.file, message: "its parameters are \(used.sorted().joined(separator: ", "))",
                hint: "the .yml has \(known.sorted().joined(separator: ", "))")
        }
        return nil
    }
}

/// Lets SQLite compile only SELECTs over staging views, with functions that compute.
///
/// The store is also opened read-only. The guard reports the reason before anything runs, and denies tables, the schema
/// and functions that access files.
final class StatementGuard {
    private let staging: Set<String>
    /// The last refusal since `begin`.
    private(set) var refusal: String?

    /// The functions that analysts need; none that reads files, loads code, or fills memory at will.
    private static let functions: Set<String> = [
        "abs", "avg", "coalesce", "count", "cume_dist", "dense_rank", "first_value", "group_concat", "ifnull", "iif",
        "instr", "lag", "last_value", "lead", "length", "like", "lower", "ltrim", "max", "min", "nth_value", "ntile",
        "nullif", "percent_rank", "rank", "replace", "round", "row_number", "rtrim", "sign", "substr", "substring",
        "sum", "total", "trim", "typeof", "upper",
    ]

    init(staging: Set<String>) {
        self.staging = staging
    }

    func begin() { refusal = nil }

    /// Whether an action may be compiled.
    ///
    /// - Parameters:
    ///   - first, second: as SQLite documents them for each action: table and column of a read.
    ///   - view: the view through which a table is reached; nil if the statement names it itself.
    func allows(_ action: Int32, first: String, second: String, view: String?) -> Bool {
        switch action {
        case SQLITE_SELECT, SQLITE_RECURSIVE: return true
        case SQLITE_READ where staging.contains(first): return true
        case SQLITE_READ where view.map(staging.contains) ?? false: return true
        // A name of which no column is read: a `WITH` of the statement, or a table behind a view. `StagingOutline` has no
        // tables but the views', so the statement cannot mean the store's own.
        case SQLITE_READ where second.isEmpty && !Self.isInternal(first): return true
        case SQLITE_READ: refusal = "\(first) is not a stg_ view"
        case SQLITE_FUNCTION where Self.functions.contains(second.lowercased()): return true
        case SQLITE_FUNCTION: refusal = "the function \(second) is not available"
        default: refusal = "\(Self.isInternal(first) ? "changing the schema" : Self.word(for: action)) is not allowed"
        }
        return false
    }

    /// SQLite's own tables, and its functions that look like tables.
    private static func isInternal(_ name: String) -> Bool {
        ["sqlite_", "pragma_", "json_", "dbstat"].contains { name.lowercased().hasPrefix($0) }
    }

    private static func word(for action: Int32) -> String {
        switch action {
        case SQLITE_INSERT: "INSERT"
        case SQLITE_UPDATE: "UPDATE"
        case SQLITE_DELETE: "DELETE"
        case SQLITE_ATTACH: "ATTACH"
        case SQLITE_DETACH: "DETACH"
        case SQLITE_PRAGMA: "PRAGMA"
        case SQLITE_TRANSACTION, SQLITE_SAVEPOINT: "a transaction"
        case SQLITE_ANALYZE, SQLITE_REINDEX: "ANALYZE or REINDEX"
        default: "changing the schema"
        }
    }
}
