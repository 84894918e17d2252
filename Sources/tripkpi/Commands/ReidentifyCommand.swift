import ArgumentParser
import Files
import Foundation
import Reporting
import Trips
import UseCases

#if canImport(Glibc)
import Glibc
#endif

struct ReidentifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reidentify",
        abstract: "Re-identify trips by public id: print their identifiers in the exports.",
        discussion: """
            The output is PHI. It needs a crosswalk, which is off unless tripkpi.yaml configures it, and both keys. \
            Who asked, when, why and for which ids is written to the audit log first; if that fails, nothing is \
            printed. If one id is unknown, nothing is printed. The whole crosswalk is read.

            EXAMPLES:
              tripkpi reidentify 4f0c…e1 --reason 'Billing dispute 4711'
              tripkpi reidentify 4f0c…e1 --reason 'Audit 2026-03' --yes --format json >case.json
            """)

    @Argument(help: .value("public-id", "Public ids of trips, 32 hexadecimal digits each.")) var ids: [String]
    @Option(help: .value("text", "The reason, at most 500 characters; stored in the audit log.")) var reason: String
    @Option(help: .value("format", "The output format.")) var format: TextFormat = .text

    @Flag(help: "Confirms that identifiers are written to a file or another program, not only to a terminal.")
    var yes = false

    @OptionGroup var store: KeyedReadingOptions

    func validate() throws {
        if ids.contains(where: { PublicTripID($0) == nil }) {
            throw ValidationError("a public id has 32 hexadecimal digits")
        }
    }

    func run() throws {
        guard yes || isatty(STDOUT_FILENO) == 1 else {
            throw ValidationError("identifiers would be written to a file or another program; add --yes to allow it")
        }
        let settings = try store.settings()
        var seen: Set<PublicTripID> = []
        let asked = ids.compactMap { PublicTripID($0) }.filter { seen.insert($0).inserted }
        let answers = try Reidentification(
            StoreSite(settings), audit: try Program.audit(settings, command: "reidentify")
        ).answers(asked, reason: reason)
        switch format {
        case .text: try Program.say(answers.flatMap(Self.lines))
        case .json: try StandardOutput.write(Self.json(answers))
        }
    }

    private static func fields(_ answer: Reidentification.Answer) -> KeyValuePairs<String, String> {
        [
            "source": answer.source, "trip_id": answer.tripID.revealed(for: .reidentifying),
            "leg_id": answer.legID.revealed(for: .reidentifying),
            "patient_id": answer.patientID.revealed(for: .reidentifying),
        ]
    }

    private static func lines(_ answer: Reidentification.Answer) -> [String] {
        ["\(answer.publicID)"]
            + fields(answer).map { name, value in
                // Control characters of an id must not reach the terminal.
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
                    + fields(answer).map { ($0.key, $0.value) })
        }
        let options: JSONSerialization.WritingOptions = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return Array(try JSONSerialization.data(withJSONObject: objects, options: options)) + [0x0A]
    }
}
