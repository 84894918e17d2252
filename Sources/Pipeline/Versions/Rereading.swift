import Intake

/// A worker's way back into one export, opened when it is first needed: a run may have hundreds of exports, and most
/// have no trip in common with another.
///
/// One thread uses it at a time.
final class Rereading {
    private let reader: ExportReader
    private var open: RecordRereader?

    init(_ reader: ExportReader) {
        self.reader = reader
    }

    /// The rereader, made if there is none.
    func rereader() -> RecordRereader {
        if let open { return open }
        let made = RecordRereader(reader)
        open = made
        return made
    }

    /// Lets go of its memory and of the open file until it is needed again.
    func close() {
        open = nil
        reader.close()
    }
}
