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
