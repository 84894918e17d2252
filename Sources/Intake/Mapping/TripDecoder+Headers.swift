import ExportBytes
import Profiles
import Trips

// A header in the middle of a file: several files were joined.
extension TripDecoder {
    /// Notes a rejected row that is a header with other columns than the file's. What follows it would be read by the wrong
    /// columns. A row that repeats the file's header is rejected like any other row that is no trip.
    func noteOtherHeader(_ window: RecordWindow, _ table: SpanTable, row: Int, record: Int) {
        guard !isJSON else { return }
        let values = plan.slotNames.indices.map {
            FieldSpan(packed: table.column($0)[row]).text(in: window.bytes)
        }
        let names = zip(values, plan.slotNames).filter { !$0.0.isEmpty }
        guard names.count > 1, names.contains(where: { HeaderName($0.0).key != HeaderName($0.1).key }) else { return }
        let known = Set(plan.slotNames.map { HeaderName($0).key })
        let isHeader = names.allSatisfy {
            known.contains(HeaderName($0.0).key) || SynonymTable.standard.meaning(of: $0.0) != nil
        }
        if isHeader {
            findings.noteOtherHeader(
                window, at: window.recordStart(record), recordInBlock: Int(window.recordNumbers[record]))
        }
    }
}
