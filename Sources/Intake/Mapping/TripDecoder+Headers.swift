import ExportBytes
import Profiles
import Trips

// Rows that are no trips and are met among the trips: a header in the middle of a file, totals, lines of pages.
extension TripDecoder {
    /// Rejects a record, or skips it if it is recognised as no trip: see `RowsAroundTable`. A header with other columns than the
    /// file's ends the export: what follows it would be read by the wrong columns.
    func rejectRow(
        _ window: RecordWindow, _ table: SpanTable, row: Int, record: Int, field: CanonicalField?, reason: RejectReason,
        shape: String?
    ) {
        let position = window.recordStart(record), number = Int(window.recordNumbers[record])
        findings.reject(
            window, at: position, recordInBlock: number, field: field, reason: reason, shape: shape,
            kind: around?.kind(window, at: position, reason: reason))
        guard !isJSON else {
            let isBare = (0..<plan.slotCount).allSatisfy { table.column($0)[row] == 0 }
            findings.countRecords(within: window, record: record, reason: reason, isBare: isBare)
            return
        }
        if OtherHeader.isOne(window, table, row: row, slotNames: plan.slotNames, headerKeys: headerKeys) {
            findings.noteOtherHeader(window, at: position, recordInBlock: number)
        }
    }

    /// A row that is no trip has no region and no trip type: what of it is in no list is not to be said.
    func uncountLists(_ bytes: UnsafePointer<UInt8>, _ table: SpanTable, row: Int) {
        func value(_ slot: Int) -> String {
            String(decoding: FieldSpan(packed: table.column(slot)[row]).value(in: bytes), as: UTF8.self).foldingBlanks()
        }
        if let slot = plan.region { regionUse.uncount(value(slot)) }
        if let slot = plan.tripType { tripTypeUse.uncount(value(slot)) }
    }

    func skipTotal(_ window: RecordWindow, record: Int) {
        findings.skip(
            window, at: window.recordStart(record), recordInBlock: Int(window.recordNumbers[record]), .total)
    }
}
