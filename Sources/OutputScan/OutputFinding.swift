/// Something in an output that must not be there: where and of what kind, never what.
package struct OutputFinding: Sendable, Hashable, CustomStringConvertible {
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        case socialSecurityNumber = "a social security number"
        case phone = "a phone number"
        case email = "an e-mail address"
        case date = "a full date, as of birth or of a trip"
        /// A value that stands in an identifying column of an export.
        case identifier = "an identifier of a trip or a person"
        /// Packed bytes that are damaged or cut off, or a line without end.
        case unreadable = "something that cannot be looked through"
    }

    package var file: String
    /// JSON pointer, row and column, sheet and cell, or byte offset.
    package var place: String
    package var kind: Kind

    package var description: String {
        let what = kind == .identifier || kind == .unreadable ? "holds" : "looks like it holds"
        return "\(file), \(place): \(what) \(kind.rawValue)"
    }
}

/// Outputs that are not given out, for what was found in them.
package struct OutputRefusal: Error, Sendable, CustomStringConvertible {
    package let findings: [OutputFinding]

    /// Nil if nothing was found.
    package init?(_ findings: [OutputFinding]) {
        if findings.isEmpty { return nil }
        self.findings = findings
    }

    package var description: String {
        let shown = findings.prefix(3).map(\.description).joined(separator: "; ")
        let more = findings.count > 3 ? "; and \(findings.count - 3) more places" : ""
        return "nothing was given out: \(shown)\(more); look where that text comes from (names of regions, trip types, "
            + "rules or providers, a profile's column) and mend it there; what was published before still stands"
    }
}
