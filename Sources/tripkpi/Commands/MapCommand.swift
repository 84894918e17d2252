import ArgumentParser
import Files
import Reporting
import UseCases

struct MapCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "map", abstract: "Find out what a source's columns mean.", subcommands: [Suggest.self])

    struct Suggest: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "suggest",
            abstract: "Propose a profile for a new source.",
            discussion: """
                Reads the header and some thousand records from all parts of the file. Prints a profile as YAML: what \
                each column may be, how sure that is, and why. Check the lines marked "# ?": loading follows the \
                profile and guesses nothing. Prints a value of a region, trip type or status only if its words are on a \
                list of usual words (North, Zone 3, Emergency) and at least 11 patients have it (11 records, if no \
                column names patients). Prints no other value, and no column name of a file without a header: a row of words \
                above dates and numbers is one, and --header says so where it is in doubt.

                EXAMPLES:
                  tripkpi map suggest export.csv --write profiles/cad-north.yaml
                  tripkpi scan export.csv --profile profiles/cad-north.yaml
                """)

        @Argument(help: .value("file", "An export; \"-\" is standard input."), completion: .file()) var file: String

        @Option(help: .value("path", "Write the profile to a new file. An existing file is never overwritten."))
        var write: String?

        @Option(
            help: .value(
                "name",
                "The source's name, part of the key of every trip. The default is \"plain\" if the export can be loaded "
                    + "without a profile, else the name of the file of --write, or \"unnamed\"."))
        var profileName: String?

        @Flag(help: "The first row is a header, although it does not look like one. Its names are printed.")
        var header = false

        @Flag(help: "The file has no header: its first row is a record. The profile names columns by their numbers.")
        var noHeader = false

        @Option(
            name: .customLong("sheet"),
            help: .value(
                "sheet",
                "The name or the number of a sheet of a workbook that holds trips. Can be given several times. The default is "
                    + "the sheets whose columns say so."))
        var sheets: [String] = []

        @Flag(name: .shortAndLong, help: "Print no messages except errors.") var quiet = false

        func validate() throws {
            if header, noHeader { throw ValidationError("--header and --no-header exclude each other") }
        }

        func run() throws {
            if let write { try ProfileProposal.check(output: write) }
            let proposal = try ProfileProposal(
                path: file, profileName: profileName, defaultName: write.map(ProfileProposal.profileName) ?? "unnamed",
                isHeader: header, hasHeader: !noHeader, sheets: sheets)
            if let write {
                try proposal.write(to: write)
            } else {
                try StandardOutput.write(Array(proposal.yaml.utf8))
            }
            guard !quiet else { return }
            proposal.notes.forEach(Program.tell)
            if let write { Program.tell("\(write): written") }
            Program.tell(proposal.nextStep(writtenTo: write))
        }
    }
}
