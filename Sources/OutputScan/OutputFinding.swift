package import Trips

/// Something in an output that must not be there: its place and kind, never its value.
package struct OutputFinding: Sendable, Hashable, CustomStringConvertible {
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        case socialSecurityNumber = "a social security number"
        case phone = "a phone number"
        case email = "an e-mail address"
        case date = "a full date, such as a date of birth or of a trip"
        /// A value of an identifying column of an export.
        case identifier = "an identifier of a trip or a person"
        /// Packed bytes that are damaged or cut off, or a line without end.
        case unreadable = "something that cannot be scanned"
    }

    package var file: String
    /// Line, and byte in the line, both from 1; before them the member of an archive.
    package var place: String
    package var kind: Kind

    package var description: String {
        let what = kind == .identifier || kind == .unreadable ? "holds" : "looks like it holds"
        return "\(file), \(place): \(what) \(kind.rawValue)"
    }
}

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
