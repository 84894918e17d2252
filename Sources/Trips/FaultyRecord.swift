/// A record with a fault: where it is, which fault, and what the value looks like. Never the value.
package struct FaultyRecord<Code: Sendable & Hashable>: Sendable, Hashable {
    /// From 1; headers and blank lines do not count.
    package var recordNumber: Int
    /// Where the record starts in the export's text.
    package var byteOffset: Int
    /// Of a workbook: where a person finds it.
    package var sheetRow: SheetRow?
    /// The field to blame, if it is one.
    package var field: CanonicalField?
    package var code: Code
    /// `ValueShape` of the value to blame.
    package var shape: String?

    package init(
        recordNumber: Int, byteOffset: Int, sheetRow: SheetRow? = nil, field: CanonicalField?, code: Code,
        shape: String?
    ) {
        self.recordNumber = recordNumber
        self.byteOffset = byteOffset
        self.sheetRow = sheetRow
        self.field = field
        self.code = code
        self.shape = shape
    }

    /// `at byte 512`, `in sheet 1, row 9`
    package var place: String {
        sheetRow.map { "in sheet \($0.sheet), row \($0.row)" } ?? "at byte \(byteOffset)"
    }
}

extension FaultyRecord: CustomStringConvertible where Code: RawRepresentable<String> {
    /// `record 7 at byte 512, status: unknown_status, looks like aaaa`
    package var description: String {
        "record \(recordNumber) \(place)\(field.map { ", \($0.rawValue)" } ?? ""): \(code.rawValue)"
            + (shape.map { ", looks like \($0)" } ?? "")
    }
}

/// A record that is not a trip.
package typealias RejectedRecord = FaultyRecord<RejectReason>

/// A record of which a measure is not counted.
package typealias WarnedRecord = FaultyRecord<WarningCode>
