import ArgumentParser
import Foundation
import Pipeline

struct QueryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "query",
        abstract: "Ask the store: a named query, or one SELECT of your own.",
        discussion: """
            Without a name it lists what can be asked. The store is opened read-only, and in reach are the stg_ views: \
            no key, no patient, no day. Small counts are not hidden, so an answer needs --internal and is stamped so. \
            --check looks for what is wrong in the store and ends with 65 if there is something, with 74 if it is damaged.

            EXAMPLES:
              tripkpi query
              tripkpi query kpi_cells --param month=2026-03 --internal --format csv
              tripkpi query --sql 'SELECT region, COUNT(*) AS trips FROM stg_trips GROUP BY region' --internal
              tripkpi query --check
            """)

    @Argument(help: "A name of the list.")
    var name: String?

    @Option(help: ArgumentHelp("One SELECT; \"-\" reads it from standard input.", valueName: "text"))
    var sql: String?

    @Flag(help: "Run all checks.")
    var check = false

    @Option(
        name: .customLong("param"),
        help: ArgumentHelp("A parameter of the query; may be given several times.", valueName: "name=value"))
    var parameters: [Assignment] = []

    @Flag(name: .customLong("internal"), help: "Yes: nothing in the answer is hidden, and it is not for release.")
    var isInternal = false

    @Option(help: ArgumentHelp("The form: table, csv, json or ndjson.", valueName: "form"))
    var format: Form = .table

    @Option(help: ArgumentHelp("Rows at most; 1000 of a table if left out, else all.", valueName: "n"))
    var limit: Int?

    @Option(help: ArgumentHelp("Seconds after which a question is given up.", valueName: "seconds"))
    var timeout = 600

    @OptionGroup var place: StorePlaceOptions

    /// What `--format` takes.
    enum Form: String, CaseIterable, ExpressibleByArgument {
        case table, csv, json, ndjson
    }

    private var isQuestion: Bool { name != nil || sql != nil }

    func validate() throws {
        if [name != nil, sql != nil, check].count(where: { $0 }) > 1 {
            throw ValidationError("a name, --sql and --check exclude each other")
        }
        if isQuestion, !isInternal {
            throw ValidationError(
                "answers are not suppressed: small counts in them can point at people. Add --internal, and keep them "
                    + "inside; what may be given out is made by `tripkpi report`")
        }
        if !isQuestion, !parameters.isEmpty { throw ValidationError("--param needs a query") }
        if Set(parameters.map(\.name)).count < parameters.count { throw ValidationError("a --param is given twice") }
        if let limit, limit < 1 { throw ValidationError("--limit must be 1 or more") }
        if timeout < 1 { throw ValidationError("--timeout must be 1 or more") }
    }

    func run() throws {
        let questions = try StoreQuestions(data: try place.data.folder(), store: try place.settings().nightly.store)
        let clock = ContinuousClock()
        let deadline = clock.now.advanced(by: .seconds(timeout))
        if check {
            let report = try questions.check { clock.now >= deadline }
            try Program.say(report.lines)
            if report.hasFailed { throw ExitStatus.end(.data) }
            return
        }
        guard let question = try question() else { return try Program.say(questions.list) }
        try StoreOptions.audit(try place.settings(), command: "query").recordQuery()
        let format = QueryWriter.Format(rawValue: format.rawValue) ?? .table
        let maximumRows = limit ?? (format == .table ? QueryWriter.tableRows : nil)
        let isWhole = try questions.answer(
            question, given: Dictionary(uniqueKeysWithValues: parameters.map { ($0.name, $0.value) }), format: format,
            maximumRows: maximumRows, stoppingWhen: { clock.now >= deadline }, write: StandardOutput.write)
        if !isWhole, let maximumRows {
            Program.tell("note: there are more than \(maximumRows) rows; --limit shows more of them")
        }
    }

    private func question() throws -> StoreQuestions.Question? {
        guard let sql else { return name.map { .named($0) } }
        guard sql == "-" else { return .sql(sql) }
        let text = try FileHandle.standardInput.readToEnd() ?? Data()
        return .sql(String(decoding: text, as: UTF8.self))
    }
}

/// `name=value` of the command line.
struct Assignment: ExpressibleByArgument {
    let name: String
    let value: String

    init?(argument: String) {
        guard let mark = argument.firstIndex(of: "="), mark != argument.startIndex else { return nil }
        name = String(argument[..<mark])
        value = String(argument[argument.index(after: mark)...])
    }
}
