import ArgumentParser
import Foundation
import Pipeline

/// How exports are read.
struct ExportOptions: ParsableArguments {
    @Flag(help: "No trip comes twice in these exports: do not look for versions.")
    var unique = false

    @Option(help: ArgumentHelp("Threads; as many as there are processors if left out.", valueName: "n"))
    var jobs: Int?

    @Option(
        help: ArgumentHelp("Bytes a thread takes at a time; the result does not depend on it.", visibility: .hidden))
    var blockBytes = 1 << 18

    @Option(help: ArgumentHelp("Share of a file's records that may be rejected, such as 1%.", valueName: "share"))
    var maxReject: Percentage?

    @Option(
        help: ArgumentHelp(
            "Counts from 1 to one below this are hidden; 11. Less than that only by the project file.", valueName: "n"))
    var minimumCell: Int?

    @Flag(help: "Say what would be read and how, and read no more than the first bytes of each export.")
    var dryRun = false

    func validate() throws {
        if !(64...(1 << 26)).contains(blockBytes) { throw ValidationError("--block-bytes takes 64 to 67108864") }
        if let jobs, !(1...256).contains(jobs) { throw ValidationError("--jobs takes 1 to 256") }
    }

    /// Whether these exports can be read in one go.
    static func check(_ files: [String]) throws {
        if files.count > 30_000 { throw ValidationError("a run takes at most 30,000 exports") }
        if files.filter({ $0 == "-" }).count > 1 { throw ValidationError("standard input can be read only once") }
    }

    /// The settings of a run, resolved once.
    func settings(_ meaning: MeaningOptions) throws -> Settings {
        try meaning.settings { layer in
            layer.jobs = jobs
            layer.minimumCell = minimumCell
            layer.maximumRejectPerMillion = maxReject?.perMillion
        }
    }

    func plan(
        _ files: [String], settings: Settings, data: DataOptions,
        selection: ReportSelection.Request = ReportSelection.Request()
    ) throws -> ScanPlan {
        let configuration = Configuration(folder: try data.folder(), vocabulary: settings.vocabulary)
        var plan = ScanPlan(
            inputs: files, profile: try settings.profile.map { try configuration.profile($0) },
            rules: try configuration.rules(settings.rules), vocabulary: settings.vocabulary, zone: settings.zone,
            workers: settings.jobs, isUnique: unique, blockBytes: blockBytes,
            maximumRejectPerMillion: settings.maximumRejectPerMillion)
        plan.selection = try ReportSelection(selection, vocabulary: plan.vocabulary)
        return plan
    }
}
