import ArgumentParser
import Pipeline

/// Which months, for every command that shows a part of them.
struct PeriodOptions: ParsableArguments {
    @Option(help: ArgumentHelp("One month.", valueName: "YYYY-MM"))
    var month: String?

    @Option(help: ArgumentHelp("The first month.", valueName: "YYYY-MM"))
    var from: String?

    @Option(help: ArgumentHelp("The last month.", valueName: "YYYY-MM"))
    var to: String?

    @Option(help: ArgumentHelp("October of the year before to September.", valueName: "YYYY"))
    var fiscalYear: Int?

    var request: ReportSelection.Request {
        var request = ReportSelection.Request()
        request.month = month
        request.from = from
        request.to = to
        request.fiscalYear = fiscalYear
        return request
    }
}
