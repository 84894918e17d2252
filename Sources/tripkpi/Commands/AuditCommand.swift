import ArgumentParser
import Nightly
import Settings

struct AuditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Begin a new audit log where the old one is not whole.",
        discussion: """
            EXAMPLES:
              tripkpi verify --audit-log store/tripkpi.sqlite.audit.jsonl
              tripkpi audit begin --reason 'The disk lost the log; restored from the backup of 1 March.'
            """, subcommands: [Begin.self])

    struct Begin: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "begin",
            abstract: "Put the old audit log aside and begin a new one.",
            discussion: """
                The store remembers the last entry of its audit log. If the log lacks that entry, nothing is written: a \
                run ends with 65. Put the log back if you can. If not, this command moves what is left of it aside, for \
                whoever looks into it, and begins a new log with your reason as its first entry.
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
