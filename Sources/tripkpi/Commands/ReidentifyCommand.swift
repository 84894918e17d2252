import ArgumentParser
import Foundation
import Operations
import Pipeline
import Trips

#if canImport(Glibc)
import Glibc
#endif

struct ReidentifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reidentify",
        abstract: "Tell whom a trip was about: public ids to the identifiers of the exports.",
        discussion: """
            What it prints is PHI. It needs a crosswalk, which is off unless tripkpi.yaml says so, and both keys. Who \
            asked, when, why and for which ids is written to the audit log first; if that fails, nothing is told. All ids \
            must be known, or none is answered. The crosswalk is read as a whole.

            EXAMPLES:
              tripkpi reidentify 4f0c…e1 --reason 'Billing dispute 4711'
              tripkpi reidentify 4f0c…e1 --reason 'Audit 2026-03' --yes --format json >case.json
            """)

    @Argument(help: ArgumentHelp("Public ids of trips, 32 hexadecimal digits each.", valueName: "public-id"))
    var ids: [String]

    @Option(help: ArgumentHelp("Why, in at most 500 characters; kept in the audit log.", valueName: "text"))
    var reason: String

    @Option(help: ArgumentHelp("text or json.", valueName: "form"))
    var format: Form = .text

    @Flag(help: "Yes, to a file or another program: without it identifiers go to a terminal only.")
    var yes = false

    @OptionGroup var store: StoreOptions

    /// What `--format` takes.
    enum Form: String, CaseIterable, ExpressibleByArgument {
        case text, json
    }

    func validate() throws {
        if ids.contains(where: { PublicTripID($0) == nil }) {
            throw ValidationError("a public id has 32 hexadecimal digits")
        }
    }

    func run() throws {
        guard yes || isatty(STDOUT_FILENO) == 1 else {
            throw ValidationError("identifiers would go to a file or another program; if that is meant, add --yes")
        }
        let settings = try store.settings()
        let asked = ids.compactMap { PublicTripID($0) }
        var seen: Set<PublicTripID> = []
        let answers = try Reidentification(
            store.plan(settings), audit: StoreOptions.audit(settings, command: "reidentify")
        ).answers(asked.filter { seen.insert($0).inserted }, reason: reason)
        switch format {
        case .text: try Program.say(answers.flatMap(Self.lines))
        case .json: try StandardOutput.write(Self.json(answers))
        }
    }

    private static func fields(_ answer: Reidentification.Answer) -> [(name: String, value: String)] {
        [
            ("source", answer.source), ("trip_id", answer.tripID.revealed(for: .reidentifying)),
            ("leg_id", answer.legID.revealed(for: .reidentifying)),
            ("patient_id", answer.patientID.revealed(for: .reidentifying)),
        ]
    }

    private static func lines(_ answer: Reidentification.Answer) -> [String] {
        ["\(answer.publicID)"]
            + fields(answer).map { name, value in
                // A terminal must not be told what to do by an id.
                let shown = value.unicodeScalars.map {
                    $0.properties.generalCategory == .control ? "\u{FFFD}" : "\($0)"
                }
                return "  \(name): \(value.isEmpty ? "–" : shown.joined())"
            }
    }

    private static func json(_ answers: [Reidentification.Answer]) throws -> [UInt8] {
        let objects = answers.map { answer in
            Dictionary(
                uniqueKeysWithValues: [("public_id", answer.publicID.description)]
                    + fields(answer).map { ($0.name, $0.value) })
        }
        let options: JSONSerialization.WritingOptions = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return Array(try JSONSerialization.data(withJSONObject: objects, options: options)) + [0x0A]
    }
}
