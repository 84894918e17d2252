import ArgumentParser
import Foundation
import Pipeline

/// Where the numbers go and in what form.
struct OutputOptions: ParsableArguments {
    @Option(help: "table, csv, json (kpi-summary.json) or ndjson.")
    var format: ScanReport.Format?

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "A file instead of standard output; .json, .csv, .ndjson and .xlsx say the format.", valueName: "file"))
    var output: String?

    @Flag(
        name: .customLong("internal"),
        help: "Hide nothing. Everything is stamped INTERNAL: not for release.")
    var isInternal = false

    @Flag(name: .shortAndLong, help: "No messages but errors.")
    var quiet = false

    @Flag(help: "No colour on the terminal (also: NO_COLOR).")
    var noColor = false

    func validate() throws {
        if let output, format == nil, ScanReport.Format(fileName: output) == nil, !output.hasSuffix(".xlsx") {
            throw ValidationError("the ending of the output file does not say its format: add --format")
        }
    }

    func write(_ report: ScanReport) throws {
        guard let output else {
            let bytes = report.bytes(format ?? .table, color: usesColor)
            FileHandle.standardOutput.write(Data(bytes))
            return
        }
        if format == nil, output.hasSuffix(".xlsx") {
            try report.writeWorkbook(to: output)
        } else {
            try OutputFile.write(report.bytes(format ?? ScanReport.Format(fileName: output) ?? .json), to: output)
        }
        if !quiet { Program.tell("wrote \(output)") }
    }

    private var usesColor: Bool {
        let environment = ProcessInfo.processInfo.environment
        let refuses = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
        return !noColor && !refuses && environment["TERM"] != "dumb" && isatty(STDOUT_FILENO) == 1
    }
}

extension ScanReport.Format: ExpressibleByArgument {
    init?(fileName: String) {
        guard let ending = fileName.split(separator: ".").last else { return nil }
        self.init(rawValue: ending.lowercased())
    }
}
