import ArgumentParser
import Settings

struct ReportsOption: ParsableArguments {
    @Option(help: Setting.reports.help("folder"), completion: .directory) var reports: String?
}
