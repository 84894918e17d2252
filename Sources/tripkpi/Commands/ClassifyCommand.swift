import ArgumentParser
import Foundation
import Pipeline
import Trips

struct ClassifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "classify", abstract: "Look into how trips are sorted.", subcommands: [Explain.self])

    struct Explain: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "explain",
            abstract: "Say why a trip is in-house, contracted or unclassified.",
            discussion: """
                Finds every record of the trip in the exports, says which version counts, and shows each rule with what \
                its tests said. Neither the id nor any value of the trip is printed. As ID, "-" reads it from standard \
                input, so that it is in no shell history; before an id that begins with "-" write "--". Without such a \
                trip the command ends with 66.

                EXAMPLES:
                  tripkpi classify explain SYN-T0000001 trips.csv
                  tripkpi classify explain - *.csv.gz --profile vetride <id.txt
                """)

        @Argument(help: ArgumentHelp("The trip's id as in the export, or \"-\".", valueName: "id"))
        var id: String

        @OptionGroup var exports: ExportFiles
        @OptionGroup var meaning: MeaningOptions

        func validate() throws {
            if id == "-", exports.files.contains("-") { throw ValidationError("standard input can be read only once") }
        }

        func run() throws {
            let settings = try meaning.settings { $0.jobs = exports.jobs }
            let configuration = Configuration(folder: try meaning.data.folder(), vocabulary: settings.vocabulary)
            let plan = ScanPlan(
                inputs: exports.files, profile: try settings.profile.map { try configuration.profile($0) },
                rules: try configuration.rules(settings.rules), vocabulary: settings.vocabulary, zone: settings.zone,
                workers: settings.jobs)
            let given = id == "-" ? readLine(strippingNewline: true) ?? "" : id
            let explanation = try TripExplanation(
                tripID: Sensitive(given.trimmingCharacters(in: .whitespaces)), plan: plan)
            try Program.say([explanation.description])
        }
    }
}

/// Exports to look through.
struct ExportFiles: ParsableArguments {
    @Argument(help: ArgumentHelp("The exports; \"-\" is standard input.", valueName: "file"), completion: .file())
    var files: [String]

    @Option(help: ArgumentHelp("Threads; as many as there are processors if left out.", valueName: "n"))
    var jobs: Int?
}
