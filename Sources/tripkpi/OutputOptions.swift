import ArgumentParser
import Basics
import Cluster
import Files
import Foundation
import Operations
import Privacy
import Reporting
import Reports
import Settings
import Trips
import UseCases

/// What `--format` of several commands takes.
enum TextFormat: String, CaseIterable, ExpressibleByArgument {
    case text, json
}

/// What `--format` of `scan` and `report` takes.
enum ReportFormat: String, CaseIterable, ExpressibleByArgument {
    case table, md, csv, json, ndjson, xlsx, html

    /// The format of a file with this ending.
    init?(fileName: String) {
        guard let ending = fileName.split(separator: ".").last, fileName.contains(".") else { return nil }
        self.init(rawValue: ending.lowercased())
    }
}

/// The format, the file and the audience of KPIs.
struct OutputOptions: ParsableArguments {
    @Option(
        name: .customLong("format"),
        help: .value("format", "The output format; default: by the ending of --output, else table."))
    var chosenFormat: ReportFormat?

    @Option(
        name: .shortAndLong,
        help: .value("file", "A file instead of standard output: .json, .csv, .ndjson, .md, .xlsx or .html."),
        completion: .file())
    var output: String?

    @OptionGroup var audience: AudienceOptions

    @Flag(
        name: .customLong("accessible"),
        help: "A workbook for screen readers: one plain table on each sheet, no fills, filters, frozen panes or charts."
    )
    var isAccessible = false

    @Flag(help: "All tables, not one screen. Needs a table.") var long = false
    @Flag(help: "At most 12 lines. Needs a table, or Markdown for a mail: --format md.") var brief = false
    @OptionGroup var verbosity: VerbosityOptions
    @OptionGroup var color: ColorOptions

    func validate() throws {
        if brief, long { throw ValidationError("--brief and --long: give one of them") }
        if brief, format != .table, format != .md { throw ValidationError("--brief needs --format table or md") }
        if long, format != .table { throw ValidationError("--long needs --format table") }
        if let output, chosenFormat == nil, ReportFormat(fileName: output) == nil {
            throw ValidationError("the ending of the output file is no known format: add --format")
        }
        if isAccessible, format != .xlsx {
            throw ValidationError("--accessible needs a workbook: add --output kpi.xlsx")
        }
        if chosenFormat == .xlsx, output == nil {
            throw ValidationError("a workbook needs a file: add --output kpi.xlsx")
        }
    }

    private var length: ReportLength { brief ? .brief : long ? .long : .screen }

    var format: ReportFormat { chosenFormat ?? output.flatMap(ReportFormat.init(fileName:)) ?? .table }

    /// Fails if the output file cannot be made, before anything is read.
    func check() throws {
        if let output { try AtomicFile.check(output: output) }
    }

    /// Reads the exports of a plan and writes their KPIs.
    func run(_ plan: ScanRequest, settings: Settings, runID: String, events: EventScan? = nil) throws {
        try check()
        let generatedAt = try Program.generatedAt()
        var plan = plan
        let identifiers = output == nil ? nil : plan.rememberIdentifiers()
        let isInternal = settings.audience == .staff
        let audit = try Program.audit(settings, command: runID, isInternal: isInternal, output: output)
        try audit?.prepare()
        let happened = try events?.run()
        var result = try verbosity.showing(ScanProgress(inputs: plan.inputs)) { try ScanRun(plan, progress: $0).run() }
        result.events = happened?.events(in: plan.months)
        verbosity.tell(happened?.lines ?? [])
        tell(ScanMessages(result).lines, settings: settings)
        let report = try FigureReport(
            result, rules: plan.rules.stamp, runID: runID, disclosure: settings.disclosure,
            audience: settings.audience, generatedAt: generatedAt, targets: settings.targets)
        try write(report, OutputCheck(report, identifiers: identifiers, audit: audit, isInternal: isInternal))
    }

    /// Adds up tallies and writes their KPIs, as a scan of their exports does.
    ///
    /// - Parameter register: of released months; without one every month is released as it is now.
    func run(_ merge: TallyMerge, register: RegisterOptions, settings: Settings) throws {
        try check()
        let generatedAt = try Program.generatedAt()
        let isInternal = settings.audience == .staff
        let audit = try Program.audit(settings, command: "merge", isInternal: isInternal, output: output)
        try audit?.prepare()
        let tallies = try merge.run()
        tell(ScanMessages(tallies.result).lines, settings: settings)
        let (release, withheld) = try register.release(tallies, settings, generatedAt: generatedAt)
        verbosity.tell(withheld.map(\.sentence))
        let report = try FigureReport(
            release?.result() ?? tallies.result, rules: tallies.rules, runID: "scan", disclosure: settings.disclosure,
            audience: settings.audience, generatedAt: generatedAt, store: release?.facts(),
            targets: settings.targets)
        // The report has passed the audit. What is recorded is not shown yet if writing fails, and is shown by the next run.
        verbosity.tell(try register.record(release, settings).map(\.sentence))
        try write(report, OutputCheck(report, audit: audit, isInternal: isInternal))
    }

    /// Writes KPIs from the store.
    ///
    /// - Parameter isOfEvents: the events alone.
    func run(_ store: StoreReport, settings: Settings, isOfEvents: Bool = false) throws {
        // A file that cannot be made is no use of the data: it is refused before the use is recorded.
        try check()
        let generatedAt = try Program.generatedAt()
        tell(store.messages, settings: settings)
        let report = try store.report(targets: settings.targets, generatedAt: generatedAt)
        let isInternal = settings.audience == .staff
        let audit = try Program.audit(
            settings, command: "report", isInternal: isInternal, output: output, recordsText: true)
        let release = OutputCheck(report, audit: audit, isInternal: isInternal)
        guard isOfEvents else { return try write(report, release) }
        let bytes = report.events(
            format == .csv ? .csv : format == .json ? .json : .table,
            color: output == nil && self.color.usesColor(STDOUT_FILENO),
            ascii: output == nil && ColorOptions.isASCIILocale)
        guard let bytes else { throw NoEvents() }
        try release.check(bytes, name: output, isCSV: format == .csv)
        guard let output else { return try StandardOutput.write(bytes) }
        try AtomicFile.write(bytes, output: output)
        verbosity.tell("wrote \(output)")
    }

    /// Writes why a cell of exports is suppressed in whole or in part, and what would publish it.
    func explain(_ cell: CellRequest, of plan: ScanRequest, settings: Settings) throws {
        let result = try verbosity.showing(ScanProgress(inputs: plan.inputs)) { try ScanRun(plan, progress: $0).run() }
        try write(
            ReleasedCellExplanation(
                result, of: cell, disclosure: settings.disclosure, audience: settings.audience,
                generatedAt: Program.generatedAt()))
    }

    /// Writes the same for a cell of the store.
    func explain(_ cell: CellRequest, of store: StoreReport) throws {
        try write(store.explanation(of: cell, generatedAt: Program.generatedAt()))
    }

    private func write(_ explanation: ReleasedCellExplanation) throws {
        if format == .json { return try StandardOutput.write(explanation.json) }
        try Program.say(explanation.lines)
    }

    private func tell(_ messages: [String], settings: Settings) {
        verbosity.tell(messages)
        let minimum = settings.disclosure.minimumCell
        if minimum < MinimumCell.standard {
            verbosity.tell(
                "note: groups of the release have at least \(minimum) trips and patients, not \(MinimumCell.standard), as the settings say"
            )
        }
    }

    private func write(_ report: FigureReport, _ release: OutputCheck) throws {
        for headline in report.withheldHeadlines {
            verbosity.tell("note: \(headline) is not shown over all trips and is 0 in the JSON")
        }
        for target in report.unmatchedTargets {
            verbosity.tell("note: the target of \(target) matches nothing: there is no such region or trip type")
        }
        // The tables have them themselves.
        if format != .table, format != .md { verbosity.tell(report.edgeMonths.map { "note: \($0)" }) }
        guard let output else {
            let bytes = try bytes(
                of: report, color: self.color.usesColor(STDOUT_FILENO), ascii: ColorOptions.isASCIILocale)
            try release.check(bytes, name: nil, isCSV: format == .csv)
            return try StandardOutput.write(bytes)
        }
        if format == .xlsx {
            try report.writeWorkbook(to: output, isAccessible: isAccessible) {
                try release.check($0, name: output, isCSV: false)
            }
        } else {
            let bytes = try bytes(of: report)
            try release.check(bytes, name: output, isCSV: format == .csv)
            try AtomicFile.write(bytes, output: output)
        }
        verbosity.tell("wrote \(output)")
    }

    private func bytes(of report: FigureReport, color: Bool = false, ascii: Bool = false) throws -> [UInt8] {
        switch format {
        case .html: try report.dashboard()
        case .table, .xlsx: report.bytes(.table, length: length, color: color, ascii: ascii)
        case .md: report.markdown(length)
        case .csv: report.bytes(.csv)
        case .json: report.bytes(.json)
        case .ndjson: report.bytes(.ndjson)
        }
    }
}

/// A report of events where none were loaded.
struct NoEvents: ClassifiedError, CustomStringConvertible {
    var failureKind: FailureKind { .inputMissing }
    var description: String { "the store has no events; load an export of them: tripkpi load --events reports.json" }
}
