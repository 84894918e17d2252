import ArgumentParser
import Pipeline

struct ReportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Report a part of the KPIs: months, a fiscal year, regions, trip types.",
        discussion: """
            Reads the exports as `scan` does and keeps the cells that are asked for; "All" in the result means all of \
            the selection. What is hidden is decided anew for the selection, and no audit compares it with other reports: two \
            reports that differ by a few trips can be subtracted from each other, so give out one set. Comparisons are made of the months in it: \
            month over month, year over year and rolling figures are empty where a month they need is not selected, so \
            ask for a longer span where they matter. Warnings \
            are counted over the selected months; counts of records read stay those of the exports.

            EXAMPLES:
              tripkpi report trips.csv --month 2026-03
              tripkpi report *.csv.gz --fiscal-year 2026 --output fy2026.xlsx
              tripkpi report trips.csv --from 2025-10 --region North --type Emergency
            """)

    @OptionGroup var exports: ExportOptions

    @Option(help: ArgumentHelp("One month.", valueName: "YYYY-MM"))
    var month: String?

    @Option(help: ArgumentHelp("The first month.", valueName: "YYYY-MM"))
    var from: String?

    @Option(help: ArgumentHelp("The last month.", valueName: "YYYY-MM"))
    var to: String?

    @Option(help: ArgumentHelp("October of the year before to September.", valueName: "YYYY"))
    var fiscalYear: Int?

    @Option(help: ArgumentHelp("A region, or Unassigned; may be given several times.", valueName: "region"))
    var region: [String] = []

    @Option(
        name: .customLong("type"),
        help: ArgumentHelp("A trip type, or Unassigned; may be given several times.", valueName: "type"))
    var tripType: [String] = []

    @OptionGroup var meaning: MeaningOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        var selection = ReportSelection.Request()
        selection.month = month
        selection.from = from
        selection.to = to
        selection.fiscalYear = fiscalYear
        selection.regions = region
        selection.tripTypes = tripType
        let settings = try exports.settings(meaning)
        let plan = try exports.plan(settings, data: meaning.data, selection: selection)
        if exports.dryRun { return try Program.say(DryRun(plan).lines) }
        try output.run(plan, settings: settings, runID: "report")
    }
}
