import KPIContract
import Audit
import Hashing
package import OutputScan
import Reports
import Trips

/// The last gate of a report: its bytes are looked through, then written down, and only then given out (SPEC §5).
package struct OutputRelease: Sendable {
    private let report: ScanReport
    private let identifiers: IdentifierSet?
    private let audit: AuditRecorder?
    private let isInternal: Bool

    /// - Parameters:
    ///   - identifiers: what was read for the report; nil: shapes alone are looked for.
    ///   - audit: nil: nobody asked for a log of what is fit for release.
    package init(
        _ report: ScanReport, identifiers: IdentifierCollector? = nil, audit: AuditRecorder?, isInternal: Bool
    ) {
        self.report = report
        self.identifiers = identifiers?.identifiers
        self.audit = audit
        self.isInternal = isInternal
    }

    /// Fails if the bytes must not be given out, or cannot be written down.
    ///
    /// - Parameters:
    ///   - name: of the file; nil: standard output, which is not looked through.
    ///   - isCSV: whether they are CSV, whatever the file is called.
    package func check(_ bytes: [UInt8], name: String?, isCSV: Bool) throws {
        let label = name.map { FileLabel(fileName: $0).description }
        if let file = name?.split(separator: "/").last {
            let findings = OutputScan(report.scanTerms(identifiers))
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
    /// What outputs were looked through for, as the audit log says it.
    static func text(of identifiers: IdentifierSet?) -> String {
        guard let identifiers else { return "passed: shapes" }
        let rest = identifiers.isComplete ? "" : ", and there were more"
        return "passed: shapes, \(identifiers.count) identifiers\(rest)"
    }
}
