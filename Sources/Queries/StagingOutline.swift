import StrictYAML

/// An empty database that has the staging views' columns and nothing else.
///
/// A statement that compiles here cannot name a table of the store. SQLite's authorizer alone could not promise that:
/// it tells a view from `WITH stg_trips AS (SELECT … FROM trips)` only by the name, which the statement chooses.
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

    /// What a query's file and its description disagree on; nil if they agree.
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
