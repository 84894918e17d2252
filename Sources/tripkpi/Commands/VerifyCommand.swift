import ArgumentParser
import Basics
import Files
import Foundation
import Operations
import Settings
import Trips
import UseCases

struct VerifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract:
            "Check a published set: hashes, contract, totals, JSON against CSV, and every number against the store.",
        discussion: """
            Prints one line for each check, ok or fail, and none of the numbers. Ends with 65 if a check fails.

            The set is checked against the store from which it was made: the ledger must be whole and add up, each \
            month's tally must be whole, and each published number must be that of the tallies. Of some months, each \
            day others, the tally is made again from the rows, and the SQL of queries/ calculates the numbers from \
            the rows. With --full, and in a store of up to 100,000 trips, this is done for all months, the checks of \
            queries/ that read trips must find nothing, and SQLite must find the file intact; of published rows \
            every one is compared, not the newest 5,000.

            A store that has changed since the set was published is not compared. Without a store, as for a copy of a \
            set, only the set itself is checked. The audit log must be complete: no entry changed, removed or moved, \
            and none missing at its end. Another log that --audit-log names, such as one of an earlier year, is checked by \
            itself.

            EXAMPLES:
              tripkpi verify
              tripkpi verify --full
              tripkpi verify --reports /srv/kpi/published --run 20261121T040000Z-0123456789ab
              tripkpi verify --store store/tripkpi.sqlite --digest
            """)

    @OptionGroup var published: ReportsOption
    @OptionGroup var store: StoreReadingOptions

    @Option(
        name: .customLong("run"), help: .value("run", "A run, as `publish --list` shows it; default: the current one."))
    var runID: String?

    @Option(help: Setting.auditLog.help("file"), completion: .file()) var auditLog: String?

    @Flag(help: "Read every row of a large store and of published rows, not those of some months.") var full = false

    @Flag(help: "Print only the SHA-256 of the store's content. The same exports in any order have the same digest.")
    var digest = false

    @OptionGroup var verbosity: VerbosityOptions

    func validate() throws {
        if digest, runID != nil { throw ValidationError("--digest is for the store, --run for a set") }
        if digest, full { throw ValidationError("--digest reads every row already: leave out --full") }
    }

    func run() throws {
        let settings = try store.settings([.reports: published.reports, .auditLog: auditLog])
        if auditLog != nil { try AuditLogCheck.require(settings.auditLog) }
        if digest { return try Program.say([try StoreReconciliation.digest(store: settings.store)]) }
        // A store on the command line must exist.
        let hasStore = try StoreReconciliation.isThere(settings.store) || store.place.store != nil
        let data = hasStore ? try store.config.data.folder() : nil
        let extent: VerificationExtent =
            full ? .full : .sample(day: try Program.generatedAt().secondsSince1970 / 86_400)
        var findings = try verbosity.showing(ScanProgress(unit: nil)) { progress in
            let reconciliation = data.map {
                StoreReconciliation(
                    store: settings.store, months: settings.months, data: $0, extent: extent, progress: progress.begin)
            }
            return try PublishedSets(root: settings.reports).findings(
                run: runID, store: reconciliation, extent: extent, isOptional: isSetOptional, progress: progress.begin)
        }
        // Another log than the site's, such as one of an earlier year, has not the entry that the store remembers.
        let isSites = try auditLog == nil || Self.isSameFile(store.settings().auditLog, settings.auditLog)
        let remembering = hasStore && isSites ? settings.store : nil
        if try settings.isAuditLogNamed || AuditLogCheck.isExpected(settings.auditLog, store: remembering) {
            findings += try AuditLogCheck.findings(path: settings.auditLog, store: remembering)
        }
        try Program.say(findings.map { "\($0.isOK ? "ok   " : "fail ") \($0.subject): \($0.text)" })
        if !hasStore { verbosity.tell("note: there is no store at \(settings.store); only the set itself was checked") }
        if findings.contains(where: { !$0.isOK }) { throw ExitStatus.end(.data) }
    }

    /// Whether two paths lead to one file. A path with nothing there is compared as text, without links and dots.
    private static func isSameFile(_ first: String, _ second: String) throws -> Bool {
        if let file = try FileStatus.lookUp(first), let other = try FileStatus.lookUp(second) {
            return file.identity == other.identity
        }
        func path(_ text: String) -> String { URL(fileURLWithPath: text).resolvingSymlinksInPath().path }
        return path(first) == path(second)
    }

    /// Where nothing is published, a log that is named can be checked by itself.
    private var isSetOptional: Bool { auditLog != nil && runID == nil && published.reports == nil }
}
