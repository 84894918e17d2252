import Files
package import Trips

/// Why a query has no answer. Never contains a value of the store; a message of SQLite may repeat words of the statement.
package enum QueryError: ClassifiedError, Sendable, Hashable, CustomStringConvertible {
    /// There is no file at the path.
    case storeMissing(path: String)
    /// The file is there and cannot be opened or is no database.
    case storeUnreadable(path: String, problem: String, isPermission: Bool)
    /// A staging view does not fit the store's tables: another version of one of them.
    case stagingDoesNotFit(view: String, problem: String)
    /// No query has the name; the hint names the nearest.
    case unknownQuery(hint: String)
    /// The query has no parameter of the name.
    case unknownParameter(name: String, hint: String)
    /// A parameter without a default has no value.
    case parameterMissing(name: String)
    /// The value is not of the parameter's type; `needed` shows one that is.
    case wrongParameter(name: String, needed: String)
    /// The statement does something that queries may not do.
    case refused(String)
    /// The statement cannot be compiled; line from 1, nil where SQLite does not say.
    case wrongSQL(line: Int?, problem: String)
    /// A time limit or the user stopped the query.
    case interrupted
    /// The first load of a store, which locks readers out.
    case busy
    /// A run was stopped before it tallied what it had loaded.
    case unfinished(path: String)
    /// A run wrote to a store that is read without locks.
    case changed
    /// SQLite stopped the statement while it ran.
    case failed(problem: String)

    package var line: Int? {
        if case .wrongSQL(let line, _) = self { line } else { nil }
    }

    /// The bare reason, where SQLite gave one.
    var problem: String {
        switch self {
        case .failed(let problem), .wrongSQL(_, let problem): problem
        default: description
        }
    }

    package var failureKind: FailureKind {
        switch self {
        case .storeMissing: .inputMissing
        case .storeUnreadable(_, _, let isPermission): isPermission ? .permission : .inputOutput
        case .stagingDoesNotFit: .configuration
        case .unknownQuery, .unknownParameter, .parameterMissing, .wrongParameter, .refused, .wrongSQL: .usage
        case .changed, .busy: .locked
        case .interrupted, .failed, .unfinished: .inputOutput
        }
    }

    package var description: String {
        switch self {
        case .storeMissing(let path):
            "there is no store at \(path); load exports first, or name another with --store"
        case .storeUnreadable(let path, let problem, _):
            "the store \(path) cannot be read (\(problem)); check that it is a store and who may read it"
        case .stagingDoesNotFit(let view, let problem):
            "the view \(view) does not fit the store (\(problem)); use the queries/ that came with this program"
        case .unknownQuery(let hint): "there is no query of that name; \(hint)"
        case .unknownParameter(let name, let hint): "the query has no parameter “\(name)”; \(hint)"
        case .parameterMissing(let name): "the parameter \(name) is missing; add --param \(name)=…"
        case .wrongParameter(let name, let needed): "the parameter \(name) must be \(needed)"
        case .refused(let what): "refused: \(what); a query is one SELECT over the stg_ views"
        case .wrongSQL(let line, let problem):
            "the SQL is wrong\(line.map { " in line \($0)" } ?? ""): \(problem)"
        case .interrupted: "the query took too long and was stopped; select less, or set a longer --timeout"
        case .busy: "another process is writing to the store; wait for it and run the query again"
        case .unfinished(let path):
            "a run on \(path) was stopped before its end, so tallies and trips do not agree; start `tripkpi run` or "
                + "`tripkpi load` again, then ask again"
        case .changed: "a run changed the store meanwhile, so the answer is invalid; run the query again"
        case .failed(let problem): "the query failed: \(problem)"
        }
    }
}

extension QueryError {
    /// - Parameters:
    ///   - path: of the store.
    ///   - body: asks the file system about it.
    static func reading<Value>(
        _ path: String, _ body: () throws(FileError) -> Value
    ) throws(QueryError) -> Value {
        do throws(FileError) {
            return try body()
        } catch {
            throw .storeUnreadable(path: path, problem: error.reason, isPermission: error.isPermission)
        }
    }
}
