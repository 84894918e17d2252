import ExportBytes
import Profiles
import Trips

// A header in the middle of a file: several files were joined.
extension TripDecoder {
    /// Notes a rejected row that is a header with other columns than the file's. What follows it would be read by the wrong
    /// columns. A row that repeats the file's header is rejected like any other row that is no trip.
    func noteOtherHeader(_ window: RecordWindow, _ table: SpanTable, row: Int, record: Int) {
        guard !isJSON else { return }
        if OtherHeader.isOne(window, table, row: row, slotNames: plan.slotNames, headerKeys: headerKeys) {
            findings.noteOtherHeader(
                window, at: window.recordStart(record), recordInBlock: Int(window.recordNumbers[record]))
        }
    }
}
