import ArgumentParser
import Foundation
import Privacy
import Reporting
import Settings
import UseCases

struct CostsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "costs",
        abstract:
            "Write the cost workbook for finance: months, regions, fiscal years, a budget; for staff also providers.",
        discussion: """
            Without a FILE it reads the store; with FILEs it reads these. The workbook has the selected months.

            The workbook is for staff: it has exact numbers, costs by provider and contract, their changes, and \
            exceptions to review. It is stamped as internal and recorded in the audit log. The store keeps no invoice \
            numbers, vehicles or times of day: only with FILEs are duplicate invoices, runs billed apart and billed \
            estimates found, and exceptions listed with their invoice numbers.

            --release writes a workbook that may be published: unions of the groups of the released months, so two \
            workbooks cannot be subtracted from each other.

            From a store, exceptions are listed with public ids. Trips that have none get one, which needs the run \
            lock and the key for a moment; without these the workbook is written all the same, and a note says so.

            --budget compares with a CSV file of the columns fiscal_year, region, type, sourcing, trips and cost, \
            separated by commas, semicolons or tabs. A blank region, type or sourcing means all of them.

            --detail writes one line for each trip, with public ids and days, in constant memory. From a store it \
            assigns ids to trips that have none, so it needs the run lock and the key. With FILEs the ids are new \
            each time.

            EXAMPLES:
              tripkpi costs --fiscal-year 2025 --output fy2025.xlsx
              tripkpi costs --month 2025-03 --release --output march.xlsx
              tripkpi costs --region West --fiscal-year 2025 --output west.xlsx
              tripkpi costs --fiscal-year 2025 --budget budget.csv --output fy2025.xlsx
              tripkpi costs --fiscal-year 2025 --detail lines.xlsx
              tripkpi costs data/samples/sample.csv.gz --output bills.xlsx

            To try them, run `make demo`, which makes a store from data/samples/sample.csv.gz.
            """)

    @Argument(help: .value("file", "Exports; default: the store. \"-\" is standard input."), completion: .file())
    var files: [String] = []

    @OptionGroup var period: PeriodOptions
    @Option(help: .value("region", "A region, or Unassigned. Can be repeated.")) var region: [String] = []

    @Option(
        help: .value("file", "A budget (CSV): adds a sheet with plan, actual, variance and forecast."),
        completion: .file(extensions: ["csv"]))
    var budget: String?

    @Option(
        name: .shortAndLong,
        help: .value("file", "The workbook; default: costs-internal.xlsx, with --release costs-release.xlsx."),
        completion: .file())
    var output: String?

    @Option(
        help: .value("file", "A second workbook with one line for each trip. For staff only."), completion: .file())
    var detail: String?

    @OptionGroup var audience: AudienceOptions

    @Flag(name: .customLong("accessible"), help: "Workbooks for screen readers, as with `report --accessible`.")
    var isAccessible = false

    @Flag(help: "No trip occurs twice in these exports: do not look for versions.") var unique = false
    @Flag(help: "Print what would be read, and write nothing.") var dryRun = false
    @OptionGroup var store: StoreOptions
    @OptionGroup var verbosity: VerbosityOptions

    private func workbook(_ audience: Audience) -> String {
        output ?? (audience == .staff ? "costs-internal.xlsx" : "costs-release.xlsx")
    }

    func validate() throws {
        try ExportOptions.check(files)
        for name in [output, detail].compactMap(\.self) where !name.lowercased().hasSuffix(".xlsx") {
            throw ValidationError("a workbook's name ends in .xlsx")
        }
        if !files.isEmpty, store.site.place.store != nil || store.site.published.reports != nil {
            throw ValidationError("give either exports or --store and --reports")
        }
        if files.isEmpty, store.readsExports || unique { throw ExportOptions.withoutExports }
    }

    func run() throws {
        let settings = try store.settings(audience.flags)
        // A setting may name the audience too.
        let workbook = workbook(settings.audience)
        try check(workbook, settings.audience)
        if dryRun { return try printDryRun(settings) }
        let run = CostsRun(
            .init(
                output: workbook, detail: detail, budget: budget, audience: settings.audience,
                isAccessible: isAccessible,
                disclosure: settings.disclosure, months: settings.months,
                generatedAt: try Program.generatedAt()),
            audit: try Program.audit(
                settings, command: "costs", isInternal: settings.audience == .staff, output: workbook))
        try run.prepare()
        let messages =
            files.isEmpty
            ? try run.run(
                StoreSite(settings), selection: selection, Program.environment(of: "costs", settings))
            : try run.run(scanPlan(settings), selection: selection)
        verbosity.tell(messages + [workbook, detail].compactMap(\.self).map { "wrote \($0)" })
    }

    private func check(_ workbook: String, _ audience: Audience) throws {
        guard let detail else { return }
        if audience != .staff {
            throw ValidationError("--detail shows single trips and is for staff: leave out --release")
        }
        let places = [workbook, detail].map { URL(fileURLWithPath: $0).resolvingSymlinksInPath().path }
        if places[0] == places[1] { throw ValidationError("--detail and --output name the same file") }
    }

    private var selection: ReportSelection.Request {
        var selection = period.request
        selection.regions = region
        return selection
    }

    private func scanPlan(_ settings: Settings) throws -> ScanRequest {
        try store.interpretation.figurePlan(files, settings, isUnique: unique)
    }

    private func printDryRun(_ settings: Settings) throws {
        if !files.isEmpty { return try Program.say(DryRun(scanPlan(settings)).lines) }
        let report = try StoreReport(
            storePath: settings.store, reportsPath: settings.reports, selection: selection,
            months: settings.months, disclosure: settings.disclosure, audience: settings.audience)
        try Program.say(report.dryRunLines)
    }
}
