import ArgumentParser
import Pipeline

struct VerifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check a published set: hashes, contract, sums, JSON against CSV.",
        discussion: """
            One line for each thing that is looked at: ok or fail. Ends with 65 if anything is wrong. No figure of a set is \
            printed.

            EXAMPLES:
              tripkpi verify
              tripkpi verify --reports /srv/kpi/published --run 20261121T040000Z-0123456789ab
            """)

    @OptionGroup var published: PublishedOptions

    @Option(
        name: .customLong("run"),
        help: ArgumentHelp("A run as publish --list names it; the current one if left out.", valueName: "run"))
    var runID: String?

    func run() throws {
        let findings = try PublishedSets(root: published.root()).findings(run: runID)
        try Program.say(findings.map { "\($0.state == .ok ? "ok   " : "fail ") \($0.subject): \($0.text)" })
        if findings.contains(where: { $0.state == .fail }) { throw ExitStatus.end(.data) }
    }
}
