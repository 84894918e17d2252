import ArgumentParser
import Pipeline

/// How many threads, how much may be rejected, and what is hidden: for every command that reads exports.
struct LimitOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Threads; as many as there are processors if left out.", valueName: "n"))
    var jobs: Int?

    @Option(help: ArgumentHelp("Share of a file's records that may be rejected, such as 1%.", valueName: "share"))
    var maxReject: Percentage?

    @Option(
        help: ArgumentHelp(
            "Fewest trips and patients of a group of the release; 11. Less than that only by the project file.",
            valueName: "n"))
    var minimumCell: Int?

    func validate() throws {
        if let jobs, !(1...256).contains(jobs) { throw ValidationError("--jobs takes 1 to 256") }
    }

    func apply(to layer: inout SettingLayer) {
        layer.jobs = jobs
        layer.minimumCell = minimumCell
        layer.maximumRejectPerMillion = maxReject?.perMillion
    }
}
