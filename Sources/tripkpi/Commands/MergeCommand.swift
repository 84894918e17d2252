import ArgumentParser
import Cluster
import Privacy
import Reporting
import Settings

struct MergeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Compute the KPIs of tallies that other machines made.",
        discussion: """
            Each file is written by `tripkpi scan --tally`, or by the job in spark/. The output has the bytes of one scan \
            of all exports. All files must be made with the same rules, regions, trip types and key.

            A trip must not be in two files, or it counts twice. An export in two files is refused. So are two files with \
            exports of one source, unless --unique says that they have no trip in common.

            A release that is made again each night from changed trips would disclose single trips. With --releases each \
            month is released once, when it is closed, and revised as `tripkpi publish` does. The file records it. \
            --changes has the trips that changed since then; the job in spark/ writes it.

            EXAMPLES:
              tripkpi merge east.tally west.tally
              tripkpi merge east.tally west.tally --output kpi-summary.json
            """)

    @Argument(help: .value("file", "The files with tallies."), completion: .file()) var files: [String]
    @Flag(help: "No trip is in two of the files.") var unique = false

    @OptionGroup var register: RegisterOptions
    @OptionGroup var groups: MinimumCellOption
    @OptionGroup var config: ConfigOption
    @OptionGroup var output: OutputOptions

    func run() throws {
        let settings = try config.settings([groups.flags, output.audience.flags])
        if register.releases != nil, settings.audience == .staff {
            throw ValidationError("--releases is for the release: add --release")
        }
        try output.run(
            TallyMerge(files, months: settings.months, isUnique: unique),
            register: register, settings: settings)
    }
}
