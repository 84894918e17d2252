import GRDBSQLite

/// Lets SQLite compile nothing but SELECTs over staging views, with functions that compute.
///
/// The store is opened read-only besides; this says why before anything is tried, and keeps tables, the schema and
/// functions that reach files out of reach.
final class StatementGuard {
    private let staging: Set<String>
    /// What was refused last; nil since `begin`.
    private(set) var refusal: String?

    /// Those that analysts need. What is missing here: whatever reads files, loads code, or fills memory at will.
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
