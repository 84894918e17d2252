import ArgumentParser
import Files
import Reporting
import Settings
import UseCases

struct SchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "List the contract's schemas, or print one.",
        discussion: """
            JSON Schema 2020-12 and OpenAPI 3.1 descriptions of what tripkpi publishes.

            EXAMPLES:
              tripkpi schema
              tripkpi schema kpi-summary.v1.schema
            """)

    @Argument(help: "A schema, with or without its ending; default: list all.") var name: String?
    @OptionGroup var data: DataOptions

    func run() throws {
        let folder = try data.folder()
        let files = try folder.files(in: "contract", endingIn: [".json", ".yaml", ".yml"])
        guard let name else { return try Program.say(files) }
        guard let match = files.first(where: { $0 == name }) ?? files.first(where: { $0.hasPrefix(name + ".") }) else {
            throw ValidationError("there is no schema of that name; `tripkpi schema` lists them")
        }
        try StandardOutput.write(try folder.read("contract/" + match))
    }
}
