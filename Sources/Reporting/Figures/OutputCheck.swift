import Files
import KPIContract
import Operations
package import OutputScan
import Reports
import Trips

/// The last check of a report: its bytes are scanned, the use is recorded, and only then are they written.
package struct OutputCheck: Sendable {
    private let report: FigureReport
    private let identifiers: IdentifierSet?
    private let audit: AuditRecorder?
    private let isInternal: Bool

    /// - Parameters:
    ///   - identifiers: what was read for the report; nil: shapes alone are looked for.
    ///   - audit: nil: what may be released is not logged.
    package init(
        _ report: FigureReport, identifiers: IdentifierCollector? = nil, audit: AuditRecorder?, isInternal: Bool
    ) {
        self.report = report
        self.identifiers = identifiers?.identifiers
        self.audit = audit
        self.isInternal = isInternal
    }

    /// Fails if the bytes must not be published, or if the use cannot be recorded.
    ///
    /// - Parameters:
    ///   - name: of the file; nil: standard output, which is not scanned.
    ///   - isCSV: whether they are CSV, whatever the file is called.
    ///   - shownTexts: identifiers that the output is asked to show.
    package func check(_ bytes: [UInt8], name: String?, isCSV: Bool, shownTexts: [String] = []) throws {
        let label = name.map { FileLabel(fileName: $0).description }
        if let file = name?.split(separator: "/").last {
            var criteria = report.scanTerms(identifiers)
            criteria.publicTexts += shownTexts
            let findings = OutputScan(criteria)
                .findings(in: bytes, named: String(file), isCSV: isCSV)
            if let refusal = OutputRefusal(findings) { throw refusal }
        }
        try audit?.prepare()
        try audit?.record(.report) { entry in
            entry.outputs = [
                .init(name: label ?? "standard output", bytes: bytes.count, sha256: ContentHash.of(bytes))
            ]
            entry.isInternal = isInternal
            if label != nil { entry.outputScan = OutputScan.text(of: identifiers) }
            report.describe(in: &entry)
        }
    }
}

extension OutputScan {
    /// What outputs were scanned for, in the words of the audit log.
    package static func text(of identifiers: IdentifierSet?) -> String {
        guard let identifiers else { return "passed: shapes" }
        let rest = identifiers.isComplete ? "" : ", and there were more"
        return "passed: shapes, \(identifiers.count) identifiers\(rest)"
    }
}
