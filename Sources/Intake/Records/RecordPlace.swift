/// Where a record lies in its export.
struct RecordPlace: Sendable, Hashable {
    var block: Int
    var recordInBlock: Int
    /// Where the record starts in the export's text.
    var byteOffset: Int
}
