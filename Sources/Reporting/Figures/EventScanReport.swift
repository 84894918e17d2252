import Basics
import DisclosureAudit
import Files
package import KPIs
import Operations
import OutputScan
package import Privacy
import Reports
package import Settings
import Trips

/// The events of exports on their way out, without trips: through `Privacy`, then to whichever form is asked for.
package struct EventScanReport: Sendable {
    private let report: EventReport
    private let audience: Audience

    /// - Parameter tally: the true counts of the months asked for.
    /// - Throws: `DisclosureError.auditFailed`.
    package init(
        _ tally: EventTally, disclosure: DisclosureSettings, audience: Audience
    ) throws(DisclosureError) {
        self.audience = audience
        let events =
            audience == .staff
            ? PublishableEvents(forStaff: tally)
            : PublishableEvents(releasing: tally, minimumCell: disclosure.minimumCell)
        report = EventReport(events, minimumCell: disclosure.minimumCell)
        guard audience == .release else { return }
        let audit = EventAudit(
            AuditedEvents.all(tally), kinds: EventKind.allCases.map(\.rawValue), minimum: disclosure.minimumCell)
        let findings = audit.findings(in: events.contract)
        guard findings.isEmpty else { throw .auditFailed(findings) }
    }

    package var json: [UInt8] { report.json }
    package var csv: [UInt8] { report.csv }

    package func table(color: Bool, ascii: Bool) -> [UInt8] {
        Array(report.text(color: color, ascii: ascii).utf8)
    }

    /// Records the output in the audit log, before it is written.
    package func record(_ bytes: [UInt8], output: String?, _ audit: AuditRecorder?) throws {
        let label = output.map { FileLabel(fileName: $0).description }
        try audit?.record(.report) { entry in
            entry.outputs = [
                .init(name: label ?? "standard output", bytes: bytes.count, sha256: ContentHash.of(bytes))
            ]
            entry.isInternal = audience == .staff
        }
    }
}

extension AuditedEvents {
    /// The true counts, as the auditor takes them.
    static func all(_ tally: EventTally) -> [AuditedEvents] {
        tally.rows.map { row in
            AuditedEvents(
                month: row.leaf.month.description, region: row.leaf.region, kind: row.leaf.kind.rawValue,
                isEvacuation: row.leaf.isEvacuation, events: row.events)
        }
    }
}
