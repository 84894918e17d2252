import ArgumentParser
import Files
import Scans

struct MapCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "map", abstract: "Find out what a source's columns mean.", subcommands: [Suggest.self])

    struct Suggest: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "suggest",
            abstract: "Propose a profile for a new source.",
            discussion: """
                Reads the header and some thousand records from all parts of the file. Prints a profile as YAML: what \
                each column may be, how sure that is, and why. Review every line: loading follows the profile and \
                guesses nothing. Prints no value of a column that could identify a person, and no column name of a \
                file without a header.

                EXAMPLES:
                  tripkpi map suggest export.csv --profile-name cad-north >cad-north.yaml
                  tripkpi scan export.csv --profile ./cad-north.yaml --dry-run
                """)

        @Argument(help: .value("file", "An export; \"-\" is standard input."), completion: .file()) var file: String

        @Option(help: .value("name", "The source's name. It becomes part of the key of every trip."))
        var profileName = "unnamed"

        @Flag(name: .shortAndLong, help: "Print no messages except errors.") var quiet = false

        func run() throws {
            let proposal = try ProfileProposal(path: file, profileName: profileName)
            if !quiet { proposal.notes.forEach(Program.tell) }
            try StandardOutput.write(Array(proposal.yaml.utf8))
        }
    }
}
