import ArgumentParser

/// Which store, for every command that has to do with one.
struct StoreOption: ParsableArguments {
    @Option(
        help: ArgumentHelp("The store; store/tripkpi.sqlite if nothing says otherwise.", valueName: "file"),
        completion: .file())
    var store: String?
}

/// Which published sets, for every command that has to do with them.
struct ReportsOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The folder of published sets; reports/published if nothing says otherwise.", valueName: "folder"),
        completion: .directory)
    var reports: String?
}
