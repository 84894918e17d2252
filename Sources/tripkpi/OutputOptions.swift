import ArgumentParser
import Foundation
import Pipeline
import Privacy

/// Where the numbers go and in what form.
struct OutputOptions: ParsableArguments {
    /// What `--format` takes.
    enum Form: String, CaseIterable, ExpressibleByArgument {
        case table, csv, json, ndjson, xlsx, html

        /// By the ending of a file's name.
        init?(fileName: String) {
            guard let ending = fileName.split(separator: ".").last, fileName.contains(".") else { return nil }
            self.init(rawValue: ending.lowercased())
        }
    }

    @Option(help: ArgumentHelp("The form; table if neither this nor --output says one.", valueName: "form"))
    var format: Form?

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "A file instead of standard output; .json, .csv, .ndjson, .xlsx and .html say the form.", valueName: "file"),
        completion: .file())
    var output: String?

    @OptionGroup var audience: AudienceOptions

    @Flag(
        name: .customLong("accessible"),
        help: "A workbook for screen readers: one plain table a sheet, no fills, filters, frozen panes or charts.")
    var isAccessible = false

    @OptionGroup var talk: TalkOptions

    func validate() throws {
        if let output, format == nil, Form(fileName: output) == nil {
            throw ValidationError("the ending of the output file does not say its form: add --format")
        }
        if isAccessible, form != .xlsx {
            throw ValidationError("--accessible is a form of the workbook: add --output kpi.xlsx")
        }
        if format == .xlsx, output == nil { throw ValidationError("a workbook needs a file: add --output kpi.xlsx") }
    }

    var form: Form { format ?? output.flatMap(Form.init(fileName:)) ?? .table }

    /// Fails if the output could not be made, before anything is read.
    func check() throws {
        if let output { try OutputFile.check(output) }
    }

    /// Reads the exports of a plan and writes the numbers.
    func run(_ plan: ScanPlan, settings: Settings, runID: String) throws {
        try check()
        let generatedAt = try Self.generatedAt()
        var plan = plan
        let identifiers = output == nil ? nil : plan.rememberIdentifiers()
        try audit(settings, command: runID)?.prepare()
        let progress = ScanProgress(inputs: plan.inputs)
        let bar = ProgressBar(progress, isShown: talk.showsProgress)
        let result: ScanResult
        do {
            result = try ScanRun(plan, progress: progress).run()
            bar.end()
        } catch {
            bar.end()
            throw error
        }
        tell(ScanMessages(result).lines, settings: settings)
        let audience = audience.resolved(settings)
        try deliver(
            ScanReport(
                result, rules: plan.rules.stamp, runID: runID, disclosure: settings.disclosure,
                audience: audience, generatedAtEpochSeconds: generatedAt)
        ) {
            OutputRelease(
                $0, identifiers: identifiers, audit: audit(settings, command: runID), isInternal: audience == .staff)
        }
    }

    /// Writes why a cell is not shown or not whole, and what would show it.
    func explain(_ cell: CellRequest, of plan: ScanPlan, settings: Settings) throws {
        let progress = ScanProgress(inputs: plan.inputs)
        let bar = ProgressBar(progress, isShown: talk.showsProgress)
        defer { bar.end() }
        let result = try ScanRun(plan, progress: progress).run()
        bar.end()
        try write(
            ReleasedCellExplanation(
                result, of: cell, disclosure: settings.disclosure, audience: audience.resolved(settings),
                generatedAtEpochSeconds: Self.generatedAt()))
    }

    /// The same of the store.
    func explain(_ cell: CellRequest, of store: StoreReport) throws {
        try write(store.explanation(of: cell, generatedAtEpochSeconds: Self.generatedAt()))
    }

    private func write(_ explanation: ReleasedCellExplanation) throws {
        if form == .json { return try StandardOutput.write(explanation.json) }
        try Program.say(explanation.lines)
    }

    /// Writes the numbers of the store.
    func run(_ store: StoreReport, settings: Settings) throws {
        let generatedAt = try Self.generatedAt()
        tell(store.messages, settings: settings)
        try deliver(
            store.report(generatedAtEpochSeconds: generatedAt)
        ) {
            OutputRelease(
                $0, audit: audit(settings, command: "report"), isInternal: audience.resolved(settings) == .staff)
        }
    }

    private func audit(_ settings: Settings, command: String) -> AuditRecorder? {
        StoreOptions.audit(settings, command: command, always: audience.resolved(settings) == .staff, output: output)
    }

    private static func generatedAt() throws -> Int {
        try Settings.generatedAt(environment: ProcessInfo.processInfo.environment) {
            Int(Date().timeIntervalSince1970)
        }
    }

    private func tell(_ messages: [String], settings: Settings) {
        if !talk.quiet {
            messages.forEach(Program.tell)
            if settings.disclosure.minimumCell < Settings.standardMinimumCell {
                Program.tell(
                    "note: groups of the release have at least \(settings.disclosure.minimumCell) trips and patients, not 11, as "
                        + "the settings say"
                )
            }
        }
    }

    private func deliver(_ report: ScanReport, _ release: (ScanReport) -> OutputRelease) throws {
        if !talk.quiet {
            for headline in report.withheldHeadlines {
                Program.tell("note: \(headline) is not shown over all trips and stands as 0 in the JSON")
            }
        }
        try write(report, release(report))
    }

    private func write(_ report: ScanReport, _ release: OutputRelease) throws {
        switch (output, form) {
        case (nil, _):
            let bytes = try bytes(
                of: report, color: talk.usesColor(STDOUT_FILENO), ascii: TalkOptions.isASCIILocale)
            try release.check(bytes, name: nil, isCSV: form == .csv)
            try StandardOutput.write(bytes)
        case (let output?, .xlsx):
            try report.writeWorkbook(to: output, isAccessible: isAccessible) {
                try release.check($0, name: output, isCSV: false)
            }
        case (let output?, _):
            let bytes = try bytes(of: report, color: false, ascii: false)
            try release.check(bytes, name: output, isCSV: form == .csv)
            try OutputFile.write(bytes, to: output)
        }
        if let output, !talk.quiet { Program.tell("wrote \(output)") }
    }

    private func bytes(of report: ScanReport, color: Bool, ascii: Bool) throws -> [UInt8] {
        if form == .html { return try report.dashboard() }
        return report.bytes(ScanReport.Format(rawValue: form.rawValue) ?? .table, color: color, ascii: ascii)
    }
}

/// How much a command says, and how.
struct TalkOptions: ParsableArguments {
    @Flag(name: .shortAndLong, help: "No messages but errors.")
    var quiet = false

    @Flag(help: "No colour on the terminal (also: NO_COLOR).")
    var noColor = false

    /// Whether bold and the like may be written to this descriptor.
    func usesColor(_ descriptor: Int32) -> Bool {
        let environment = ProcessInfo.processInfo.environment
        let refuses = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
        return !noColor && !refuses && environment["TERM"] != "dumb" && isatty(descriptor) == 1
    }

    /// Whether a locale is set that has other characters than UTF-8's. Where none is set, nothing speaks against UTF-8.
    static var isASCIILocale: Bool {
        let environment = ProcessInfo.processInfo.environment
        let set = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        guard let locale = set?.lowercased() else { return false }
        return !locale.contains("utf-8") && !locale.contains("utf8")
    }

    /// Only for a person who looks at it.
    var showsProgress: Bool {
        !quiet && ProcessInfo.processInfo.environment["TERM"] != "dumb" && isatty(STDERR_FILENO) == 1
    }
}
