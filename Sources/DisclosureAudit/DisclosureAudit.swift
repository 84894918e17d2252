// The face of DisclosureAudit: an auditor of the release that shares no code with the mechanism that makes it.
//
// - In: the true groups of the release (`AuditedRelease`), what the documents say beside the figures (`StatedTexts`),
//   how the files are written (`AuditedFiles`), and then the bytes of the files as they are published.
// - Out: findings, each a sentence that names file, cell and measure and never a figure. None: the audit is passed.
// - Every count and sum is recomputed as one of whole groups, every other figure of a cell or group by its formula.
//   What the contract library derives from cells (cards, charts, sentences) must be what it derives from the recomputed
//   cells. What the auditor does not understand is a finding.
// - It imports Foundation and KPIContract alone. A test checks that.

import Basics
import KPIContract

/// Whether the files of a release hold nothing but figures of unions of groups.
package struct DisclosureAudit: Sendable {
    private let release: AuditedRelease
    private let facts: StatedTexts
    private let files: AuditedFiles
    private let expected: ExpectedCells
    private let groupFindings: [String]

    package init(of release: AuditedRelease, facts: StatedTexts = StatedTexts(), files: AuditedFiles) {
        self.release = release
        self.facts = facts
        self.files = files
        let findings = FindingList()
        GroupAudit(release: release, findings: findings).check()
        expected = ExpectedCells(release, findings: findings)
        groupFindings = findings.sentences
    }

    /// - Parameter published: each file's bytes, by name.
    /// - Returns: what is wrong with them; empty if the audit is passed.
    package func findings(in published: [String: [UInt8]]) -> [String] {
        let findings = FindingList(groupFindings)
        for name in files.required.union([PublishedFileNames.summary]).sorted() where published[name] == nil {
            findings.add("\(name): the file is missing")
        }
        let summary = published[PublishedFileNames.summary]
        let audit = SummaryAudit(
            release: release, facts: facts, expected: expected, derived: files.derived, findings: findings)
        let document = summary.flatMap(audit.check)
        for (name, bytes) in published.sorted(by: { $0.key < $1.key }) where name != PublishedFileNames.summary {
            for finding in self.findings(in: bytes, of: name, summary: summary, document) {
                findings.add("\(name): \(finding)")
            }
        }
        return findings.sentences
    }

    private func findings(
        in bytes: [UInt8], of name: String, summary: [UInt8]?, _ document: KPISummaryV1?
    ) -> [String] {
        switch name {
        case PublishedFileNames.cells:
            CSVAudit(cells: expected.rows + expected.groupRows, columns: files.csvColumns, mark: files.csvMark)?
                .findings(in: bytes) ?? ["it has a column that the auditor cannot check"]
        case PublishedFileNames.events:
            (document?.events).map { CSVAudit(events: $0, mark: files.csvMark).findings(in: bytes) }
                ?? ["the document has no events"]
        case PublishedFileNames.page: PageAudit(render: files.renderPage).findings(in: bytes, of: summary ?? [])
        default: files.otherFiles[name]?(bytes) ?? ["the auditor does not know this file"]
        }
    }
}
