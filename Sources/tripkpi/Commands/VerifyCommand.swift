import ArgumentParser
import Foundation
import Pipeline

struct VerifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check a published set: hashes, contract, sums, JSON against CSV, and all of it against the store.",
        discussion: """
            One line for each thing that is looked at: ok or fail. Ends with 65 if anything is wrong. No figure of a set is \
            printed.

            The set is held to the store that it was made of: each figure that is shown is computed again by the SQL of \
            queries/, the checks of queries/ must find nothing, each month's tally is made anew from its rows, and SQLite \
            must find the file sound. A store that has moved on since is not compared. Where there is no store, as with \
            a copy of a set, the set is held to itself alone. The audit log beside the store must be whole: no entry \
            changed, removed or moved, its end not cut off.

            EXAMPLES:
              tripkpi verify
              tripkpi verify --reports /srv/kpi/published --run 20261121T040000Z-0123456789ab
              tripkpi verify --store store/tripkpi.sqlite --digest
            """)

    @OptionGroup var published: ReportsOption

    @OptionGroup var place: StorePlaceOptions

    @Option(
        name: .customLong("run"),
        help: ArgumentHelp("A run as publish --list names it; the current one if left out.", valueName: "run"))
    var runID: String?

    @Option(
        help: ArgumentHelp(
            "The audit log; that of the settings, beside the store, if it is there.", valueName: "file"),
        completion: .file())
    var auditLog: String?

    @Flag(
        help: "Print nothing but the SHA-256 of all that the store says: the same exports in any order have the same.")
    var digest = false

    func validate() throws {
        if digest, runID != nil { throw ValidationError("--digest is of the store, --run of a set") }
    }

    func run() throws {
        let nightly = try place.settings {
            $0.nightly.reports = published.reports
            $0.nightly.auditLog = auditLog
        }.nightly
        if digest { return try Program.say([try StoreReconciliation.digest(store: nightly.store)]) }
        // A store that was asked for must be there.
        let isThere = try StoreReconciliation.isThere(nightly.store) || place.place.store != nil
        let store = isThere ? StoreReconciliation(store: nightly.store, data: try place.data.folder()) : nil
        var findings = try PublishedSets(root: nightly.reports).findings(run: runID, store: store)
        if nightly.isAuditLogNamed || AuditLogCheck.isThere(nightly.auditLog) {
            findings += try AuditLogCheck.findings(path: nightly.auditLog)
        }
        try Program.say(findings.map { "\($0.state == .ok ? "ok   " : "fail ") \($0.subject): \($0.text)" })
        if !isThere { Program.tell("note: there is no store at \(nightly.store); the set was held to itself alone") }
        if findings.contains(where: { $0.state == .fail }) { throw ExitStatus.end(.data) }
    }
}
