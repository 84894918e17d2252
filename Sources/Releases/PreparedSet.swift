package import Scans
import Dashboard
package import Foundation
import KPIContract
package import Privacy
package import Publishing

/// The report of one audience and its files in memory, audited. Nothing of it is on the disk, so the sets of both
/// audiences are made at the same time.
package struct PreparedSet: Sendable {
    package let report: ScanReport
    package let files: [PublicationDraft.File]
    /// How long it took.
    package let seconds: TimeInterval

    /// - Parameter facts: with the summary that readers have, where months may be restated.
    /// - Throws: `DisclosureError.auditFailed`; `nothingReleasedYet` and what else `ScanReport` throws.
    package init(
        for audience: Audience, _ result: ScanResult, _ facts: ScanReport.StoreFacts, runID: String, _ plan: NightlyPlan
    ) throws {
        let started = Date()
        report = try ScanReport(
            result, rules: plan.rules.stamp, runID: runID, disclosure: plan.disclosure, audience: audience,
            generatedAtEpochSeconds: plan.generatedAtEpochSeconds, store: facts, isAuditedWithSet: true)
        let summary = report.bytes(.json)
        let contents = [
            (PublishedFileNames.summary, "application/json", summary, nil),
            (PublishedFileNames.cells, "text/csv", report.bytes(.csv), report.cells),
            (DashboardPage.fileName, DashboardPage.mediaType, try report.dashboard(of: summary), nil),
        ]
        let findings = report.auditFindings(
            in: Dictionary(contents.map { ($0.0, $0.2) }, uniquingKeysWith: { first, _ in first }))
        guard findings.isEmpty else { throw DisclosureError.auditFailed(findings) }
        files = contents.map { name, mediaType, bytes, rows in
            PublicationDraft.File(name: name, mediaType: mediaType, bytes: bytes, rows: rows)
        }
        seconds = Date().timeIntervalSince(started)
    }
}
