package import Basics
import Dashboard
package import Foundation
package import KPIContract
package import Privacy
package import Publishing
package import Settings

/// The report of one audience and its files in memory, audited. Nothing of it is on the disk, so the sets of both
/// audiences are made at the same time.
package struct PreparedSet: Sendable {
    package let report: FigureReport
    package let files: [PublicationDraft.File]
    /// How long it took.
    package let seconds: TimeInterval

    /// - Parameters:
    ///   - facts: with the summary that readers have, where months may be restated.
    ///   - hasTripsPage: whether `trips.html` is to be in the set too.
    /// - Throws: `DisclosureError.auditFailed`; `nothingReleasedYet` and what else `FigureReport` throws.
    package init(
        for audience: Audience, _ result: TrueFigures, _ facts: FigureReport.StoreStatement, runID: String,
        rules: KPISummaryV1.RuleSetStamp, disclosure: DisclosureSettings, targets: [MeasureTarget],
        hasTripsPage: Bool, generatedAt: UTCTime
    ) throws {
        let started = Date()
        report = try FigureReport(
            result, rules: rules, runID: runID, disclosure: disclosure, audience: audience,
            generatedAt: generatedAt, store: facts, targets: targets,
            isAuditedWithSet: true)
        let summary = report.bytes(.json)
        let page = try report.dashboard(of: summary, hasTripsPage: hasTripsPage)
        var contents: [(String, String, [UInt8], Int?)] = [
            (PublishedFileNames.summary, "application/json", summary, nil),
            (PublishedFileNames.cells, "text/csv", report.bytes(.csv), report.csvRows),
            (PublishedFileNames.page, DashboardPage.mediaType, page, nil),
        ]
        if let events = report.eventsCSV {
            contents.append((PublishedFileNames.events, "text/csv", events.bytes, events.rows))
        }
        let findings = report.auditFindings(
            in: Dictionary(contents.map { ($0.0, $0.2) }, uniquingKeysWith: { first, _ in first }))
        guard findings.isEmpty else { throw DisclosureError.auditFailed(findings) }
        files = contents.map { name, mediaType, bytes, rows in
            PublicationDraft.File(
                name: name, mediaType: mediaType, bytes: bytes, rows: rows,
                contentSecurityPolicy: name == PublishedFileNames.page ? DashboardPage.contentSecurityPolicy : nil)
        }
        seconds = Date().timeIntervalSince(started)
    }
}
