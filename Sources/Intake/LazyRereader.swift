package import ExportBytes
package import Trips

/// A rereader that is opened when it is first needed: a run may have hundreds of exports, and most have no trip in
/// common with another.
package final class LazyRereader: VersionSource {
    private let reader: ExportReader
    private var open: RecordRereader?
    /// Used again and again: making one costs more than most calls.
    private var batch: TripBatch?

    package init(_ reader: ExportReader) {
        self.reader = reader
    }

    package var isRepeatable: Bool { true }

    package func candidates(_ offsets: [Int]) throws(ExportError) -> [VersionCandidate] {
        let rereader = rereader()
        var found: [VersionCandidate] = []
        while found.count < offsets.count {
            _ = try rereader.load(Array(offsets[found.count...].prefix(RecordRereader.maximumRecords)))
            found += rereader.candidates()
        }
        return found
    }

    package func forBatches(
        of offsets: [Int], _ body: (inout TripBatch, [TextDictionary]?) -> Void
    ) throws(ExportError) {
        let rereader = rereader()
        var batch = batch ?? rereader.makeBatch()
        defer { self.batch = batch }
        // Not held twice while it changes, which would copy it.
        self.batch = nil
        var rest = offsets[...]
        while !rest.isEmpty {
            rest = rest.dropFirst(try rereader.load(Array(rest.prefix(RecordRereader.maximumRecords))))
            try rereader.decode(into: &batch)
            body(&batch, rereader.dictionaries)
        }
    }

    package func close() {
        open = nil
        batch = nil
        reader.close()
    }

    private func rereader() -> RecordRereader {
        if let open { return open }
        let made = RecordRereader(reader)
        open = made
        return made
    }
}
