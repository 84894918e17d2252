package import Trips

/// A record that is not a trip: where it is, why, and what the value looks like. Never the value (SPEC §5).
package struct Rejection: Sendable, Hashable {
    package var file: String
    /// Counted from 1 over the records of the file, header not counted.
    package var recordNumber: Int
    package var byteOffset: Int
    /// The column's place from 1, if one column is to blame.
    package var field: CanonicalField?
    package var reason: RejectReason
    /// `ValueShape` of the value to blame.
    package var shape: String?

    package init(
        file: String, recordNumber: Int, byteOffset: Int, field: CanonicalField?, reason: RejectReason, shape: String?
    ) {
        self.file = file
        self.recordNumber = recordNumber
        self.byteOffset = byteOffset
        self.field = field
        self.reason = reason
        self.shape = shape
    }
}
