import ArgumentParser
import Trips
import Nightly
import Releases
import Scans
import Settings

struct VerifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract:
            "Check a published set: hashes, contract, totals, JSON against CSV, and every number against the store.",
        discussion: """
            Prints one line for each check, ok or fail, and none of the numbers. Ends with 65 if a check fails.

            The set is checked against the store from which it was made: the SQL of queries/ calculates each \
            published number again, the checks of queries/ must find nothing, each month is tallied again from its \
            rows, and SQLite must find the file intact. A store that has changed since the set was published is not \
            compared. Without a store, as for a copy of a set, only the set itself is checked. The audit log must be \
            complete: no entry changed, removed or moved, and none missing at its end.

            EXAMPLES:
              tripkpi verify
              tripkpi verify --reports /srv/kpi/published --run 20261121T040000Z-0123456789ab
              tripkpi verify --store store/tripkpi.sqlite --digest
            """)

    @OptionGroup var published: ReportsOption
    @OptionGroup var store: StoreReadingOptions

    @Option(
        name: .customLong("run"), help: .value("run", "A run, as `publish --list` shows it; default: the current one."))
    var runID: String?

    @Option(help: Setting.auditLog.help("file"), completion: .file()) var auditLog: String?

    @Flag(help: "Print only the SHA-256 of the store's content. The same exports in any order have the same digest.")
    var digest = false

    @OptionGroup var verbosity: VerbosityOptions

    func validate() throws {
        if digest, runID != nil { throw ValidationError("--digest is for the store, --run for a set") }
    }

    func run() throws {
        let settings = try store.settings([.reports: published.reports, .auditLog: auditLog])
        if auditLog != nil { try AuditLogCheck.require(settings.auditLog) }
        if digest { return try Program.say([try StoreReconciliation.digest(store: settings.store)]) }
        // A store on the command line must exist.
        let hasStore = try StoreReconciliation.isThere(settings.store) || store.place.store != nil
        let data = hasStore ? try store.config.data.folder() : nil
        var findings = try verbosity.showing(ScanProgress(unit: nil)) { progress in
            try setFindings(
                settings,
                data.map {
                    StoreReconciliation(
                        store: settings.store, months: settings.months, data: $0, progress: progress.begin)
                })
        }
        if settings.isAuditLogNamed || AuditLogCheck.isThere(settings.auditLog) {
            findings += try AuditLogCheck.findings(path: settings.auditLog)
        }
        try Program.say(findings.map { "\($0.isOK ? "ok   " : "fail ") \($0.subject): \($0.text)" })
        if !hasStore { verbosity.tell("note: there is no store at \(settings.store); only the set itself was checked") }
        if findings.contains(where: { !$0.isOK }) { throw ExitStatus.end(.data) }
    }

    /// None where nothing is published: a log that is named can be checked by itself.
    private func setFindings(_ settings: Settings, _ store: StoreReconciliation?) throws -> [CheckFinding] {
        let isOptional = auditLog != nil && runID == nil && published.reports == nil
        return try PublishedSets(root: settings.reports).findings(run: runID, store: store, isOptional: isOptional)
    }
}
