import Files
import Foundation
import Queries
package import Reporting
package import Settings
import Store
import StrictYAML

/// Questions to a store: the queries that come with tripkpi, checks among them, and statements of the user's own.
package struct StoreQuestions {
    private let catalog: QueryCatalog
    private let store: String

    /// - Parameters:
    ///   - data: `queries/` lies beside it in a checkout, and in it where tripkpi is installed.
    ///   - store: path of the database; nothing is opened yet.
    package init(data: DataFolder, store: String) throws {
        catalog = try Self.catalog(data)
        self.store = store
    }

    static func catalog(_ data: DataFolder) throws -> QueryCatalog {
        let installed = data.path(of: "queries")
        let beside = URL(fileURLWithPath: data.path).deletingLastPathComponent().appendingPathComponent("queries").path
        return try QueryCatalog(folder: FileStatus.lookUp(installed) != nil ? installed : beside)
    }

    /// One line each: name and description, checks with how bad they are.
    package var list: [String] {
        Query.Layer.allCases.flatMap { layer in
            let queries = catalog.queries.filter { $0.layer == layer }
            let width = queries.map(\.name.count).max() ?? 0
            return [layer.rawValue]
                + queries.map { query in
                    let name = query.name + String(repeating: " ", count: width - query.name.count)
                    let parameters = query.parameters.map { " [\($0.name)=\($0.type.rawValue)]" }.joined()
                    return
                        "  \(name)  \(query.description.trimmingCharacters(in: .whitespacesAndNewlines))\(parameters)"
                }
        }
    }

    /// What is asked.
    package enum Question: Sendable {
        case named(String)
        case sql(String)
    }

    /// Asks, and writes the answer.
    ///
    /// - Parameters:
    ///   - given: texts by parameter.
    ///   - maximumRows: nil: all.
    ///   - shouldStop: asked often; true ends the question with an error.
    /// - Returns: whether those were all rows.
    package func answer(
        _ question: Question, given: [String: String], format: TableFormat, maximumRows: Int?,
        stoppingWhen shouldStop: @escaping () -> Bool, write: @escaping ([UInt8]) throws -> Void
    ) throws -> Bool {
        let connection = try connection()
        let answer: QueryAnswer
        switch question {
        case .named(let name): answer = try connection.answer(try catalog.query(name), given: given)
        case .sql(let sql): answer = try connection.answer(sql: sql, given: given)
        }
        var writer = QueryWriter(format, columns: answer.columns, write: write)
        let isWhole = try answer.forEach(maximumRows: maximumRows, stoppingWhen: shouldStop) { try writer.add($0) }
        try writer.end()
        return isWhole
    }

    /// - Throws: `QueryError.storeMissing`.
    package func requireStore() throws {
        guard try !TripStore.isAbsent(store) else { throw QueryError.storeMissing(path: store) }
    }

    /// One snapshot of the store, not from the middle of a run.
    private func connection() throws -> QueryConnection {
        try FinishedStore(path: store).snapshot {
            try requireStore()
            let connection = try QueryConnection(store: store, catalog: catalog)
            return (connection, isFinished: connection.isFinished)
        }
    }

    /// What the checks found.
    package struct CheckReport: Sendable {
        /// One line a check.
        package let lines: [String]
        package let hasFailed: Bool
    }

    /// Runs every check on one snapshot of the store; the rows themselves are shown by `answer`.
    ///
    /// - Throws: `StoreError.damaged` if the store is not what was written to it: queries would only see what is there.
    package func check(stoppingWhen shouldStop: @escaping () -> Bool) throws -> CheckReport {
        if try !TripStore.isAbsent(store) {
            try FinishedStore(path: store).value {
                let stored = try TripStore(reading: store)
                try stored.checkIntegrity(rows: nil)
                try stored.checkTallies()
            }
        }
        let connection = try connection()
        var lines: [String] = []
        var hasFailed = false
        for check in catalog.queries where check.layer == .checks {
            let rows = try connection.rows(of: check, stoppingWhen: shouldStop)
            guard rows > 0 else {
                lines.append("ok    \(check.name)")
                continue
            }
            if check.severity == .fail { hasFailed = true }
            let word = check.severity == .fail ? "fail" : "warn"
            lines.append("\(word)  \(check.name): \(rows) \(rows == 1 ? "row" : "rows"), \(check.grain)")
            lines.append("      → \(check.description.trimmingCharacters(in: .whitespacesAndNewlines))")
        }
        return CheckReport(lines: lines, hasFailed: hasFailed)
    }
}

extension QueryConnection {
    /// How many rows the answer has.
    func rows(of query: Query, stoppingWhen shouldStop: @escaping () -> Bool = { false }) throws -> Int {
        var rows = 0
        _ = try answer(query).forEach(stoppingWhen: shouldStop) { _ in rows += 1 }
        return rows
    }
}
