/// A record with a fault: where it is, which fault, and what the value looks like. Never the value.
package struct FaultyRecord<Code: Sendable & Hashable>: Sendable, Hashable {
    /// From 1; headers and blank lines do not count.
    package var recordNumber: Int
    /// Where the record starts in the export's text.
    package var byteOffset: Int
    /// The field to blame, if it is one.
    package var field: CanonicalField?
    package var code: Code
    /// `ValueShape` of the value to blame.
    package var shape: String?

    package init(recordNumber: Int, byteOffset: Int, field: CanonicalField?, code: Code, shape: String?) {
        self.recordNumber = recordNumber
        self.byteOffset = byteOffset
        self.field = field
        self.code = code
        self.shape = shape
    }
}

/// A record that is not a trip.
package typealias RejectedRecord = FaultyRecord<RejectReason>

/// A record of which a measure is not counted.
package typealias WarnedRecord = FaultyRecord<WarningCode>
