// The face of DisclosureAudit: an auditor of the release that shares no code with the mechanism that makes it.
//
// - In: the true groups of the release (`AuditedRelease`), what the documents say beside the figures (`AuditedFacts`),
//   how the files are written (`AuditedFiles`), and then the bytes of the files as they are published.
// - Out: findings, each a sentence that names file, cell and measure and never a figure. None: the audit is passed.
// - Every number is recomputed from the groups. What the auditor does not understand is a finding.
// - It imports Foundation and KPIContract alone. A test checks that.

import KPIContract

/// Whether the files of a release hold nothing but figures of unions of groups.
package struct DisclosureAudit: Sendable {
    private let release: AuditedRelease
    private let facts: AuditedFacts
    private let files: AuditedFiles
    private let expected: ExpectedCells
    private let groupFindings: [String]

    package init(of release: AuditedRelease, facts: AuditedFacts = AuditedFacts(), files: AuditedFiles) {
        self.release = release
        self.facts = facts
        self.files = files
        expected = ExpectedCells(release)
        let findings = FindingList()
        GroupAudit(release: release, findings: findings).check()
        groupFindings = findings.sentences
    }

    /// - Parameter published: each file's bytes, by name.
    /// - Returns: what is wrong with them; empty if the audit is passed.
    package func findings(in published: [String: [UInt8]]) -> [String] {
        let findings = FindingList(groupFindings)
        for name in files.required.union([AuditedFiles.summaryName]).sorted() where published[name] == nil {
            findings.add("\(name): the file is missing")
        }
        let summary = published[AuditedFiles.summaryName]
        let audit = SummaryAudit(release: release, facts: facts, expected: expected, findings: findings)
        let document = summary.flatMap(audit.check)
        for (name, bytes) in published.sorted(by: { $0.key < $1.key }) where name != AuditedFiles.summaryName {
            switch name {
            case AuditedFiles.cellsName:
                guard let document else { break }
                CSVAudit(files: files, expected: expected, minimum: release.minimum, findings: findings)
                    .check(bytes, document.cells)
            case AuditedFiles.eventsName:
                let audit = EventCSVAudit(mark: files.csvMark)
                for finding in audit.findings(in: bytes, of: document?.events) { findings.add("\(name): \(finding)") }
            case AuditedFiles.pageName:
                guard let summary else { break }
                PageAudit(files: files, findings: findings).check(bytes, of: summary)
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

/// How the files of a release are written, and which there are.
package struct AuditedFiles: Sendable {
    /// The header of `kpi-cells.csv`. A column that the auditor does not know is a finding.
    package var csvColumns: [String]
    /// What the column `release` says on every row.
    package var csvMark: String
    /// The page that the renderer makes of the bytes of `kpi-summary.json`. Nil, or a result of nil: a page is a finding.
    package var renderPage: (@Sendable (_ summary: [UInt8]) -> [UInt8]?)?
    /// Further files by name, each with its own check: bytes in, findings out. A file that is not named here is a finding.
    package var otherFiles: [String: @Sendable (_ bytes: [UInt8]) -> [String]]
    /// Files that must be there. `kpi-summary.json` always must: the other files are compared with it.
    package var required: Set<String>

    package init(
        csvColumns: [String], csvMark: String, renderPage: (@Sendable (_ summary: [UInt8]) -> [UInt8]?)? = nil,
        otherFiles: [String: @Sendable (_ bytes: [UInt8]) -> [String]] = [:],
        required: Set<String> = [summaryName, cellsName]
    ) {
        self.csvColumns = csvColumns
        self.csvMark = csvMark
        self.renderPage = renderPage
        self.otherFiles = otherFiles
        self.required = required
    }

    package static let summaryName = "kpi-summary.json"
    package static let cellsName = "kpi-cells.csv"
    package static let eventsName = "events.csv"
    package static let pageName = "dashboard.html"
}

/// What an audit found. A sentence names file, cell and measure, and never a figure: it may end up in a log.
final class FindingList {
    /// Further findings say nothing new.
    static let limit = 200

    private(set) var sentences: [String]

    init(_ sentences: [String] = []) { self.sentences = sentences }

    /// The sentence is only made if there is room for it.
    func add(_ sentence: @autoclosure () -> String) {
        if sentences.count < Self.limit {
            sentences.append(sentence())
        } else if sentences.count == Self.limit {
            sentences.append("further findings are not listed")
        }
    }

    func require(_ condition: Bool, _ sentence: @autoclosure () -> String) {
        if !condition { add(sentence()) }
    }
}
