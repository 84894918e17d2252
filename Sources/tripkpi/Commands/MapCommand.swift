import ArgumentParser
import Foundation
import Pipeline

struct MapCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "map", abstract: "Work out what a source's columns mean.", subcommands: [Suggest.self])

    struct Suggest: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "suggest",
            abstract: "Propose a profile for a new source.",
            discussion: """
                Looks at the header and at some thousand records spread over the file, and prints a profile as YAML: \
                what each column may be, how sure that is and why. Loading never guesses beyond a profile, so read it \
                line by line. No value of a column that could point at a person is printed, and no column name of a \
                file without a header.

                EXAMPLES:
                  tripkpi map suggest export.csv --profile-name cad-north >cad-north.yaml
                  tripkpi scan export.csv --profile ./cad-north.yaml --dry-run
                """)

        @Argument(help: ArgumentHelp("An export; \"-\" is standard input.", valueName: "file"), completion: .file())
        var file: String

        @Option(help: ArgumentHelp("The source's name, part of every trip's key from then on.", valueName: "name"))
        var profileName = "unnamed"

        @Flag(name: .shortAndLong, help: "No messages but errors.")
        var quiet = false

        func run() throws {
            let proposal = try ProfileProposal(path: file, profileName: profileName)
            if !quiet { proposal.notes.forEach(Program.tell) }
            try StandardOutput.write(Array(proposal.yaml.utf8))
        }
    }
}
