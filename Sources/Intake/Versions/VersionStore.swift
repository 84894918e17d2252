import ExportBytes
import Trips

/// Where an export's records can be read again: from the file, or from the log of one that is read only once.
///
/// One thread uses it at a time.
package enum VersionStore {
    case file(LazyRereader)
    /// By worker; a place is the worker's index above `TripLog` places.
    case log([TripLog])

    /// How a place in worker `worker`'s log is written in a `VersionEntry`.
    package static func place(_ place: Int, worker: Int) -> Int { worker << 40 | place }

    /// Whether records can be read again, with their exact keys.
    var isRepeatable: Bool {
        if case .file = self { true } else { false }
    }

    /// Frees memory and closes files that can be opened again.
    func close() {
        if case .file(let rereader) = self { rereader.close() }
    }

    func candidates(_ offsets: [Int]) throws(ExportError) -> [VersionCandidate] {
        switch self {
        case .file(let lazy):
            let rereader = lazy.rereader()
            var found: [VersionCandidate] = []
            while found.count < offsets.count {
                _ = try rereader.load(Array(offsets[found.count...].prefix(RecordRereader.maximumRecords)))
                found += rereader.candidates()
            }
            return found
        case .log(let logs):
            return offsets.map { place in
                let (stamp, offset) = logs[place >> 40].stamp(at: place & 0xFF_FFFF_FFFF)
                return VersionCandidate(
                    key: nil, keyCheck: stamp.keyCheck, version: stamp.version, contentHash: stamp.contentHash,
                    offset: offset)
            }
        }
    }

    /// The records' trips, batch by batch; dictionaries come with those that still have to be classified.
    func forBatches(
        of offsets: [Int], _ body: (inout TripBatch, [TextDictionary]?) -> Void
    ) throws(ExportError) {
        var rest = offsets[...]
        switch self {
        case .file(let lazy):
            let rereader = lazy.rereader()
            var batch = rereader.makeBatch()
            while !rest.isEmpty {
                rest = rest.dropFirst(try rereader.load(Array(rest.prefix(RecordRereader.maximumRecords))))
                try rereader.decode(into: &batch)
                body(&batch, rereader.dictionaries)
            }
        case .log(let logs):
            var batch = TripBatch(capacity: RecordRereader.maximumRecords, textFields: [])
            while !rest.isEmpty {
                let part = rest.prefix(RecordRereader.maximumRecords)
                rest = rest.dropFirst(part.count)
                batch.count = 0
                for place in part { logs[place >> 40].unpack(place & 0xFF_FFFF_FFFF, into: &batch) }
                body(&batch, nil)
            }
        }
    }
}

/// A rereader that is opened when it is first needed: a run may have hundreds of exports, and most have no trip in
/// common with another.
package final class LazyRereader {
    private let reader: ExportReader
    private var open: RecordRereader?

    package init(_ reader: ExportReader) {
        self.reader = reader
    }

    func rereader() -> RecordRereader {
        if let open { return open }
        let made = RecordRereader(reader)
        open = made
        return made
    }

    /// Frees its memory and closes the file until it is needed again.
    func close() {
        open = nil
        reader.close()
    }
}
