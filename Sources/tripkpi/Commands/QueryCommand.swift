import ArgumentParser
import Files
import Foundation
import Operations
import Reporting
import Settings
import Trips
import UseCases

struct QueryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "query",
        abstract: "Query the store: by a named query, or by your own SELECT.",
        discussion: """
            Without a name it lists the named queries. The store is opened read-only, and only the stg_ views can be \
            queried: no key, no patient, no day. Small counts are not suppressed, so an answer needs --internal and \
            is stamped as internal. --check runs all checks of the store and ends with 65 if one finds something, \
            with 74 if the store is damaged.

            EXAMPLES:
              tripkpi query
              tripkpi query kpi_cells --param month=2026-03 --internal --format csv
              tripkpi query --sql 'SELECT region, COUNT(*) AS trips FROM stg_trips GROUP BY region' --internal
              tripkpi query --check
            """)

    @Argument(help: "A named query.") var name: String?
    @Option(help: .value("text", "One SELECT; \"-\" reads it from standard input.")) var sql: String?
    @Flag(help: "Run all checks.") var check = false

    @Option(name: .customLong("param"), help: .value("name=value", "A parameter of the query. Can be repeated."))
    var parameters: [Parameter] = []

    @Flag(name: .customLong("internal"), help: "Confirms that the unsuppressed answer stays internal.")
    var isInternal = false

    @Option(help: .value("format", "The output format.")) var format: TableFormat = .table
    @Option(help: .value("n", "The most rows; default: 1000 in a table, else all.")) var limit: Int?
    @Option(help: .value("seconds", "Stop the query after this time.")) var timeout = 600
    @OptionGroup var store: StoreReadingOptions

    /// `name=value` on the command line.
    struct Parameter: ExpressibleByArgument {
        let name: String
        let value: String

        init?(argument: String) {
            guard let mark = argument.firstIndex(of: "="), mark != argument.startIndex else { return nil }
            name = String(argument[..<mark])
            value = String(argument[argument.index(after: mark)...])
        }
    }

    func validate() throws {
        if [name != nil, sql != nil, check].count(where: { $0 }) > 1 {
            throw ValidationError("a name, --sql and --check exclude each other")
        }
        let isQuestion = name != nil || sql != nil
        if isQuestion, !isInternal {
            throw ValidationError(
                "answers are not suppressed: small counts in them can identify people. Add --internal, and do not "
                    + "release them; `tripkpi report` makes reports for release")
        }
        if !isQuestion, !parameters.isEmpty { throw ValidationError("--param needs a query") }
        if Set(parameters.map(\.name)).count < parameters.count { throw ValidationError("a --param is given twice") }
        if let limit, limit < 1 { throw ValidationError("--limit must be 1 or more") }
        if timeout < 1 { throw ValidationError("--timeout must be 1 or more") }
    }

    func run() throws {
        let settings = try store.settings()
        let questions = try StoreQuestions(data: try store.config.data.folder(), store: settings.store)
        let clock = ContinuousClock()
        let deadline = clock.now.advanced(by: .seconds(timeout))
        if check {
            let report = try questions.check { clock.now >= deadline }
            try Program.say(report.lines)
            if report.hasFailed { throw ExitStatus.end(.data) }
            return
        }
        guard let question = try question() else { return try Program.say(questions.list) }
        try questions.requireStore()
        let maximumRows = limit ?? (format == .table ? QueryWriter.tableRows : nil)
        let isWhole = try Program.audit(settings, command: "query").recordingInternalUse(.query) { write in
            try questions.answer(
                question, given: Dictionary(uniqueKeysWithValues: parameters.map { ($0.name, $0.value) }),
                format: format, maximumRows: maximumRows, stoppingWhen: { clock.now >= deadline }, write: write)
        }
        if !isWhole, let maximumRows {
            Program.tell("note: there are more than \(maximumRows) rows; give a higher --limit")
        }
    }

    private func question() throws -> StoreQuestions.Question? {
        guard let sql else { return name.map { .named($0) } }
        guard sql == "-" else { return .sql(sql) }
        return .sql(String(decoding: try FileHandle.standardInput.readToEnd() ?? Data(), as: UTF8.self))
    }
}

extension TableFormat: ExpressibleByArgument {}
