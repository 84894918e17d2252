import Files
import Foundation
import StrictYAML

/// A store opened for queries: read-only, one snapshot for its lifetime, and only the staging views accessible.
///
///     let connection = try QueryConnection(store: "tripkpi.sqlite", catalog: QueryCatalog(folder: "queries"))
///     let answer = try connection.answer(sql: "SELECT month, COUNT(*) FROM stg_trips GROUP BY month")
///     _ = try answer.forEach { row in print(row) }
///
/// Not for several threads at once. How the snapshot is kept: `ReadAccess`. What a statement may do: `StatementGuard`.
package final class QueryConnection {
    private let catalog: QueryCatalog
    private let handle: SQLiteHandle
    private let outline: StagingOutline

    /// Whether the tallies of every month are finished: the snapshot is not from the middle of a run.
    package let isFinished: Bool

    /// - Parameter store: path of the database; it is never created, its writer is never blocked, and no file is left
    ///   beside it (`ReadAccess`).
    package init(store path: String, catalog: QueryCatalog) throws(QueryError) {
        guard try QueryError.reading(path, { () throws(FileError) in try FileStatus.lookUp(path) }) != nil else {
            throw .storeMissing(path: path)
        }
        self.catalog = catalog
        outline = try StagingOutline(staging: catalog.staging)
        handle = try SQLiteHandle.reading(path)
        do throws(QueryError) {
            try handle.execute("BEGIN; SELECT COUNT(*) FROM sqlite_schema")
        } catch {
            throw handle.isBusy ? .busy : .storeUnreadable(path: path, problem: handle.message, isPermission: false)
        }
        // A store without this table does not fit the staging views, which is reported below.
        let hasTallies = try handle.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'month_tallies'").next() != nil
        if hasTallies {
            isFinished = try handle.prepare("SELECT 1 FROM month_tallies WHERE is_stale <> 0").next() == nil
        } else {
            isFinished = true
        }
        for view in catalog.staging { try Self.make(view, in: handle) }
        try handle.protect(StatementGuard(staging: Set(catalog.staging.map(\.name))))
    }

    private static func make(_ view: Query, in handle: SQLiteHandle) throws(QueryError) {
        do throws(QueryError) {
            try handle.execute("CREATE TEMP VIEW \(view.name) AS\n\(view.sql)")
            let columns = try handle.prepare("SELECT * FROM \(view.name)").columns
            guard columns == view.columns.map(\.name) else {
                throw QueryError.failed(problem: "its columns are not those of its description")
            }
        } catch {
            throw .stagingDoesNotFit(view: view.name, problem: error.problem)
        }
    }

    /// Compiles a named query and binds its parameters.
    ///
    /// - Parameter given: texts by parameter; the others take their defaults.
    package func answer(_ query: Query, given: [String: String] = [:]) throws(QueryError) -> QueryAnswer {
        let names = query.parameters.map(\.name)
        for name in given.keys.sorted() where !names.contains(name) {
            throw .unknownParameter(name: name, hint: Spelling.hint(for: name, among: names))
        }
        let statement = try handle.prepare(query.sql)
        for (index, name) in statement.parameters.enumerated() {
            guard let parameter = query.parameters.first(where: { $0.name == name }) else {
                throw .parameterMissing(name: name)
            }
            try statement.bind(try Self.value(of: parameter, given: given[name]), at: index)
        }
        return QueryAnswer(statement, handle)
    }

    /// Compiles a statement of the user. All its parameters must be given; they are bound as texts.
    package func answer(sql: String, given: [String: String] = [:]) throws(QueryError) -> QueryAnswer {
        do throws(QueryError) {
            try outline.check(sql)
        } catch .wrongSQL(let line, let problem) {
            throw .wrongSQL(line: line, problem: problem + hint(for: problem))
        }
        let statement = try handle.prepare(sql)
        let names = statement.parameters
        for name in given.keys.sorted() where !names.contains(name) {
            throw .unknownParameter(name: name, hint: "the statement does not use it")
        }
        for (index, name) in names.enumerated() {
            guard let text = given[name] else { throw .parameterMissing(name: name) }
            try statement.bind(.text(text), at: index)
        }
        return QueryAnswer(statement, handle)
    }

    /// What can be queried, where a statement names a table that is not there.
    private func hint(for problem: String) -> String {
        let mark = "no such table: "
        guard problem.hasPrefix(mark) else { return "" }
        let name = String(problem.dropFirst(mark.count))
        let run = "“\(name)” is a named query and no table: run it with `tripkpi query \(name) --internal`; "
        return "; " + (catalog.named.contains { $0.name == name } ? run : "")
            + "the views are \(catalog.staging.map(\.name).joined(separator: ", ")); `tripkpi query` lists them"
    }

    private static func value(of parameter: Query.Parameter, given: String?) throws(QueryError) -> QueryValue {
        guard let given else {
            guard let value = parameter.defaultValue else { throw .parameterMissing(name: parameter.name) }
            return value
        }
        guard let value = parameter.type.value(of: given) else {
            throw .wrongParameter(name: parameter.name, needed: parameter.type.example)
        }
        return value
    }
}

/// The rows of a statement, to be read once.
package struct QueryAnswer {
    package let columns: [String]
    private let statement: SQLiteStatement
    private let handle: SQLiteHandle

    init(_ statement: SQLiteStatement, _ handle: SQLiteHandle) {
        columns = statement.columns
        self.statement = statement
        self.handle = handle
    }

    /// Hands out the rows one by one.
    ///
    /// - Parameters:
    ///   - maximumRows: how many at most; nil: all.
    ///   - shouldStop: called often while the statement runs; true ends it with `QueryError.interrupted`.
    /// - Returns: whether those were all rows.
    /// - Throws: `QueryError.changed` at the end, if a writer changed the store: the rows are invalid then.
    package func forEach(
        maximumRows: Int? = nil, stoppingWhen shouldStop: @escaping () -> Bool = { false },
        _ body: ([QueryValue]) throws -> Void
    ) throws -> Bool {
        handle.stop(when: shouldStop)
        defer { handle.stop { false } }
        var rows = 0
        var isWhole = true
        while let row = try statement.next() {
            if let maximumRows, rows == maximumRows {
                isWhole = false
                break
            }
            rows += 1
            try body(row)
        }
        guard handle.isUnchanged() else { throw QueryError.changed }
        return isWhole
    }
}
