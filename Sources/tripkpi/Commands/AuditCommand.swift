import ArgumentParser
import Reporting
import Settings
import UseCases

struct AuditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Begin a new audit log: once a year, or where the old one is not whole.",
        discussion: """
            EXAMPLES:
              tripkpi verify
              tripkpi audit begin --reason 'The log of 2026 is complete.'
              tripkpi audit begin --reason 'The disk lost the log; restored from the backup of 1 March.'
            """, subcommands: [Begin.self])

    struct Begin: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "begin",
            abstract: "Put the old audit log aside and begin a new one.",
            discussion: """
                The old log becomes <log>.until-<time>, and the new log has your reason as its first entry. The store \
                remembers that entry, so do not move the log by hand. Run `tripkpi verify` before: then the old log is whole, \
                and `tripkpi verify --audit-log FILE` checks it later too.

                If the log lacks the entry that the store remembers, nothing is written: a run ends with 65. Put the log \
                back if you can. If not, this command moves what is left of it aside, for whoever looks into it.
                """)

        @Option(help: .value("text", "Why a new log is needed. It stands in the log: name no patient.")) var reason:
            String
        @OptionGroup var store: StoreChangeOptions
        @OptionGroup var verbosity: VerbosityOptions

        func validate() throws {
            if reason.allSatisfy(\.isWhitespace) { throw ValidationError("--reason must say why") }
        }

        func run() throws {
            let settings = try store.settings()
            let kept = try AuditLogRenewal(StoreSite(settings)).run(
                reason: reason, Program.environment(of: "audit begin", settings))
            verbosity.tell(kept.map { "the old log is kept as \($0)" } + ["a new log begins: \(settings.auditLog)"])
        }
    }
}
