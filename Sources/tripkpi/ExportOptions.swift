import ArgumentParser
import Foundation
import Pipeline

/// How exports are read.
struct ExportOptions: ParsableArguments {
    @Flag(help: "No trip comes twice in these exports: do not look for versions.")
    var unique = false

    @Option(
        help: ArgumentHelp("Bytes a thread takes at a time; the result does not depend on it.", visibility: .hidden))
    var blockBytes = 1 << 18

    @OptionGroup var limits: LimitOptions

    @Flag(help: "Say what would be read and how, and read no more than the first bytes of each export.")
    var dryRun = false

    func validate() throws {
        if !(64...(1 << 26)).contains(blockBytes) { throw ValidationError("--block-bytes takes 64 to 67108864") }
    }

    /// Whether these exports can be read in one go.
    static func check(_ files: [String]) throws {
        if files.count > 30_000 { throw ValidationError("a run takes at most 30,000 exports") }
        if files.filter({ $0 == "-" }).count > 1 { throw ValidationError("standard input can be read only once") }
    }

    /// The settings of a run, resolved once.
    func settings(_ meaning: MeaningOptions) throws -> Settings {
        try meaning.settings { limits.apply(to: &$0) }
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
            maximumRejectPerMillion: settings.maximumRejectPerMillion, mostOpen: ProcessSetup.mostOpenExports)
        plan.selection = try ReportSelection(selection, vocabulary: plan.vocabulary)
        return plan
    }
}
