import Intake
import Trips

/// What decides between two records whose keys have one hash.
struct VersionCandidate {
    /// The exact key; nil where the record cannot be read again. Compared, never kept or printed.
    var key: Sensitive<[UInt8]>?
    /// The second hash of the key.
    var keyCheck: UInt64
    var version: TripVersion
    var contentHash: UInt64
    /// Where in its export the record lies: of equal versions the later one wins.
    var offset: Int
}

/// Where an export's records can be had again: from the file, or from the log of one that is read only once.
///
/// One thread uses it at a time.
enum VersionStore {
    case file(Rereading)
    /// By worker; a place is the worker's index above `TripLog` places.
    case log([TripLog])

    /// How a place in worker `worker`'s log is written in a `VersionEntry`.
    static func place(_ place: Int, worker: Int) -> Int { worker << 40 | place }

    /// Whether records can be read again, with their exact keys.
    var isRepeatable: Bool {
        if case .file = self { true } else { false }
    }

    /// Lets go of memory and of open files that can be had again.
    func close() {
        if case .file(let rereading) = self { rereading.close() }
    }

    func candidates(_ offsets: [Int]) throws(ExportError) -> [VersionCandidate] {
        switch self {
        case .file(let rereading):
            let rereader = rereading.rereader()
            var found: [VersionCandidate] = []
            var rest = offsets[...]
            while !rest.isEmpty {
                let part = rest.prefix(try rereader.load(Array(rest.prefix(RecordRereader.maximumRecords))))
                rest = rest.dropFirst(part.count)
                for (offset, candidate) in zip(part, rereader.candidates()) {
                    found.append(
                        VersionCandidate(
                            key: candidate.key, keyCheck: candidate.keyCheck, version: candidate.version,
                            contentHash: candidate.contentHash, offset: offset))
                }
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
        switch self {
        case .file(let rereading):
            let rereader = rereading.rereader()
            var batch = rereader.makeBatch()
            var rest = offsets[...]
            while !rest.isEmpty {
                let count = try rereader.load(Array(rest.prefix(RecordRereader.maximumRecords)))
                rest = rest.dropFirst(count)
                try rereader.decode(Array(0..<count), into: &batch)
                body(&batch, rereader.dictionaries)
            }
        case .log(let logs):
            var batch = TripBatch(capacity: RecordRereader.maximumRecords, textFields: [])
            for part in Self.parts(offsets) {
                batch.count = 0
                for place in part { logs[place >> 40].unpack(place & 0xFF_FFFF_FFFF, into: &batch) }
                body(&batch, nil)
            }
        }
    }

    private static func parts(_ offsets: [Int]) -> [[Int]] {
        stride(from: 0, to: offsets.count, by: RecordRereader.maximumRecords).map {
            Array(offsets[$0..<min(offsets.count, $0 + RecordRereader.maximumRecords)])
        }
    }
}
