package import Trips

/// Outputs that are not published, with the findings in them.
package struct OutputRefusal: ClassifiedError, Sendable, CustomStringConvertible {
    package let findings: [OutputFinding]

    /// Nil if nothing was found.
    package init?(_ findings: [OutputFinding]) {
        if findings.isEmpty { return nil }
        self.findings = findings
    }

    package var failureKind: FailureKind { .data }

    package var description: String {
        let shown = findings.prefix(3).map(\.description).joined(separator: "; ")
        let more = findings.count > 3 ? "; and \(findings.count - 3) more places" : ""
        return "nothing was published: \(shown)\(more); find where that text comes from (names of regions, trip types, "
            + "rules or providers, a profile's column) and fix it there; the current published set is unchanged"
    }
}
