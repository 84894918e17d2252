import Dashboard
import KPIContract
import Privacy
import Publishing

/// The report of one audience and its files in memory, audited. Nothing of it is on the disk, so the sets of both
/// audiences are made at the same time.
struct PreparedSet: Sendable {
    let report: ScanReport
    let files: [PublicationDraft.File]

    /// - Parameter facts: with the summary that readers have, where months may be restated.
    /// - Throws: `DisclosureError.auditFailed`; `nothingReleasedYet` and what else `ScanReport` throws.
    init(
        for audience: Audience, _ result: ScanResult, _ facts: ScanReport.StoreFacts, runID: String, _ plan: NightlyPlan
    ) throws {
        report = try ScanReport(
            result, rules: plan.rules.stamp, runID: runID, disclosure: plan.disclosure, audience: audience,
            generatedAtEpochSeconds: plan.generatedAtEpochSeconds, store: facts, isForSet: true)
        let contents = [
            (PublishedSetCheck.summaryName, "application/json", report.bytes(.json), nil),
            (PublishedSetCheck.cellsName, "text/csv", report.bytes(.csv), report.cells),
            (DashboardPage.fileName, DashboardPage.mediaType, try report.dashboard(), nil),
        ]
        let findings = report.auditFindings(
            in: Dictionary(contents.map { ($0.0, $0.2) }, uniquingKeysWith: { first, _ in first }))
        guard findings.isEmpty else { throw DisclosureError.auditFailed(findings) }
        files = contents.map { name, mediaType, bytes, rows in
            PublicationDraft.File(name: name, mediaType: mediaType, bytes: bytes, rows: rows)
        }
    }
}
