import ArgumentParser
import Reporting
import UseCases

struct SampleCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sample",
        abstract: "Write a synthetic export without real patients.",
        discussion: """
            The same options give the same bytes. Patients are SYN-…, telephones 555-01xx. As in real exports there \
            are faulty records and corrections; --faulty-per-million 0 --corrections-per-million 0 omits them.

            Of the trips 0.5 % have no known region or type and 1 % no known sourcing, as where the lists and rules are \
            maintained. With --messy it is 4 % and 5 %.

            EXAMPLES:
              tripkpi sample --rows 1000 | tripkpi scan -
              tripkpi sample --rows 100000 --from 2025-10 --months 12 --output trips.csv
              tripkpi sample --rows 60 --format json --fields kpi --shuffled
            """)

    @Option(help: .value("n", "The number of records, with faulty ones and corrections.")) var rows: Int
    @Option(help: .value("n", "The seed. Another seed gives other trips with the same ids.")) var seed: UInt64 = 1
    @Option(help: .value("YYYY-MM", "The first month.")) var from = "2023-10"
    @Option(help: .value("n", "The number of months.")) var months = 24

    @Option(
        help: "The output format: \(SampleExport.formats.joined(separator: ", ")).",
        completion: .list(SampleExport.formats))
    var format = "csv"

    @Option(
        help: "The text encoding: \(SampleExport.encodings.joined(separator: ", ")).",
        completion: .list(SampleExport.encodings))
    var encoding = "utf-8"

    @Flag(help: "Compress the export.") var gzip = false
    @Flag(help: "Compress the export in several members, as in appended logs.") var gzipMembers = false
    @Flag(help: "Write the records in random order instead of by day.") var shuffled = false
    @Flag(help: "More trips without a known region, type or sourcing.") var messy = false

    @Option(
        help: ArgumentHelp("all, kpi (the fields of the KPIs and the default rules), or names separated by commas."))
    var fields = "all"

    @Flag(help: "Write no records with broken structure, only with bad values.") var noStructuralFaults = false
    @Option(help: .value("n", "Faulty records per million; default: 5000.")) var faultyPerMillion: Int?

    @Option(help: .value("n", "Records that are another version of a trip, per million; default: 10000."))
    var correctionsPerMillion: Int?

    @Option(
        help: "The time zone: \(SampleExport.zones.joined(separator: ", ")).", completion: .list(SampleExport.zones))
    var zone: String?

    @Option(name: .shortAndLong, help: .value("file", "A file instead of standard output."), completion: .file())
    var output: String?

    func run() throws {
        var export = SampleExport(rows: rows, seed: seed, firstMonth: from, months: months)
        export.format = format
        export.encoding = encoding
        export.isGzip = gzip
        export.hasGzipMembers = gzipMembers
        export.isShuffled = shuffled
        export.isMessy = messy
        export.fields = fields
        export.hasStructuralFaults = !noStructuralFaults
        export.faultyPerMillion = faultyPerMillion
        export.correctionsPerMillion = correctionsPerMillion
        export.zone = zone
        try export.write(to: output)
    }
}
