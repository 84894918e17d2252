import ArgumentParser
import Pipeline

struct SampleCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sample",
        abstract: "Write a synthetic export: nobody in it exists.",
        discussion: """
            The same options give the same bytes. Patients are SYN-…, telephones 555-01xx. Faults and corrections are \
            part of it, as in real exports; --faulty-per-million 0 --corrections-per-million 0 leaves them out.

            EXAMPLES:
              tripkpi sample --rows 1000 | tripkpi scan -
              tripkpi sample --rows 100000 --from 2025-10 --months 12 --output trips.csv
              tripkpi sample --rows 60 --format json --fields kpi --shuffled
            """)

    @Option(help: ArgumentHelp("Records, faulty ones and corrections among them.", valueName: "n"))
    var rows: Int

    @Option(help: ArgumentHelp("Another seed gives other trips.", valueName: "n"))
    var seed: UInt64 = 1

    @Option(help: ArgumentHelp("The first month.", valueName: "YYYY-MM"))
    var from = "2023-10"

    @Option(help: ArgumentHelp("How many months the trips are spread over.", valueName: "n"))
    var months = 24

    @Option(help: "\(SampleExport.formats.joined(separator: ", ")).", completion: .list(SampleExport.formats))
    var format = "csv"

    @Option(help: "\(SampleExport.encodings.joined(separator: ", ")).", completion: .list(SampleExport.encodings))
    var encoding = "utf-8"

    @Flag(help: "Compress it.")
    var gzip = false

    @Flag(help: "Compress it in several members, as appended logs are.")
    var gzipMembers = false

    @Flag(help: "In a random order instead of by day.")
    var shuffled = false

    @Option(help: ArgumentHelp("all, kpi (what the KPIs and the default rules look at), or names with commas."))
    var fields = "all"

    @Flag(help: "No broken records, only bad values.")
    var noStructuralFaults = false

    @Option(help: ArgumentHelp("Records that cannot be trips, per million; 5000.", valueName: "n"))
    var faultyPerMillion: Int?

    @Option(help: ArgumentHelp("Records that are another version of a trip, per million; 10000.", valueName: "n"))
    var correctionsPerMillion: Int?

    @Option(
        help: "Where the clocks hang: \(SampleExport.zones.joined(separator: ", ")).",
        completion: .list(SampleExport.zones))
    var zone: String?

    @Option(
        name: .shortAndLong, help: ArgumentHelp("A file instead of standard output.", valueName: "file"),
        completion: .file())
    var output: String?

    func run() throws {
        var export = SampleExport(rows: rows, seed: seed, firstMonth: from, months: months)
        export.format = format
        export.encoding = encoding
        export.isGzip = gzip
        export.hasGzipMembers = gzipMembers
        export.isShuffled = shuffled
        export.fields = fields
        export.hasStructuralFaults = !noStructuralFaults
        export.faultyPerMillion = faultyPerMillion
        export.correctionsPerMillion = correctionsPerMillion
        export.zone = zone
        try export.write(to: output)
    }
}
