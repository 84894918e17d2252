// The face of DisclosureAudit: an auditor of the release that shares no code with the mechanism that makes it.
//
// - In: the true groups of the release (`AuditedRelease`), what the documents say beside the figures (`AuditedFacts`),
//   how the files are written (`AuditedFiles`), and then the bytes of the files as they are published.
// - Out: findings, each a sentence that names file, cell and measure and never a figure. None: the audit is passed.
// - Every number is recomputed from the groups. What the auditor does not understand is a finding.
// - It imports Foundation and KPIContract alone. A test checks that.

import KPIContract

/// Whether the files of a release hold nothing but figures of unions of groups (SPEC §5.3).
package struct DisclosureAudit: Sendable {
    private let release: AuditedRelease
    private let facts: AuditedFacts
    private let files: AuditedFiles
    private let expected: ExpectedCells
    private let groupFindings: FindingList

    package init(of release: AuditedRelease, facts: AuditedFacts = AuditedFacts(), files: AuditedFiles) {
        self.release = release
        self.facts = facts
        self.files = files
        expected = ExpectedCells(release)
        var findings = FindingList()
        GroupAudit(release, expected.grid).check(&findings)
        groupFindings = findings
    }

    /// - Parameter published: each file's bytes, by name.
    /// - Returns: what is wrong with them; empty if the audit is passed.
    package func findings(in published: [String: [UInt8]]) -> [String] {
        var findings = groupFindings
        for name in files.required.union([AuditedFiles.summaryName]).sorted() where published[name] == nil {
            findings.add("\(name): the file is missing")
        }
        let summary = published[AuditedFiles.summaryName]
        let audit = SummaryAudit(release: release, facts: facts, expected: expected)
        let document = summary.flatMap { audit.check($0, &findings) }
        for (name, bytes) in published.sorted(by: { $0.key < $1.key }) {
            switch name {
            case AuditedFiles.summaryName: break
            case AuditedFiles.cellsName:
                guard let document else { break }
                CSVAudit(files: files, expected: expected, minimum: release.minimum)
                    .check(bytes, document.cells, &findings)
            case AuditedFiles.pageName:
                guard let summary else { break }
                PageAudit(files: files).check(bytes, of: summary, &findings)
            default:
                guard let check = files.otherFiles[name] else {
                    findings.add("\(name): the auditor does not know this file")
                    break
                }
                for finding in check(bytes) { findings.add("\(name): \(finding)") }
            }
        }
        return findings.sentences
    }
}
