import Classification
import Intake
import KPIs
import Trips

/// Finds the records of each trip, keeps the newest, and takes the others back out of the numbers (SPEC §2.2).
///
/// Equal hashes are only a hint: the keys themselves are read again and compared, so two trips are never taken for one.
struct VersionResolver {
    /// Older versions, to be subtracted from what was tallied.
    private(set) var retracted: KPITally
    private(set) var superseded = 0
    private(set) var unchanged = 0

    private let readers: [ExportReader]
    private var rereaders: [Int: RecordRereader] = [:]
    private var classifier: Classifier
    private var slots: [UInt32] = []

    init(readers: [ExportReader], classifier: Classifier, shape: KPITally.Shape) {
        self.readers = readers
        self.classifier = classifier
        retracted = KPITally(shape: shape)
    }

    /// Resolves the trips of one partition.
    mutating func resolve(_ pages: [[VersionEntry]]) throws(ExportError) {
        var groups: [UInt64: [VersionEntry]] = [:]
        for (first, second) in repeated(pages) {
            if groups[first.hash] == nil { groups[first.hash] = [first] }
            groups[first.hash]?.append(second)
        }
        var chunk: [[VersionEntry]] = []
        var records = 0
        for group in groups.values.sorted(by: { $0[0].location < $1[0].location }) {
            if records + group.count > RecordRereader.maximumRecords { try settle(&chunk, &records) }
            chunk.append(group)
            records += group.count
        }
        try settle(&chunk, &records)
    }

    /// Pairs of an entry and a later one with the same hash; the first of the pair is always the first of its hash.
    private mutating func repeated(_ pages: [[VersionEntry]]) -> [(VersionEntry, VersionEntry)] {
        let entries = pages.joined()
        let count = pages.reduce(0) { $0 + $1.count }
        var capacity = 1024
        while capacity < count * 2 { capacity *= 2 }
        if slots.count < capacity { slots = Array(repeating: 0, count: capacity) }
        for index in 0..<capacity { slots[index] = 0 }
        let mask = capacity - 1
        let flat = Array(entries)
        var pairs: [(VersionEntry, VersionEntry)] = []
        for (index, entry) in flat.enumerated() {
            var at = Int(truncatingIfNeeded: entry.hash) & mask
            while true {
                let slot = slots[at]
                if slot == 0 {
                    slots[at] = UInt32(index + 1)
                    break
                }
                let known = flat[Int(slot) - 1]
                if known.hash == entry.hash {
                    pairs.append((known, entry))
                    break
                }
                at = (at + 1) & mask
            }
        }
        return pairs
    }

    // MARK: - Deciding

    private struct Version {
        var entry: VersionEntry
        var candidate: RecordRereader.Candidate
    }

    private mutating func settle(_ chunk: inout [[VersionEntry]], _ records: inout Int) throws(ExportError) {
        guard !chunk.isEmpty else { return }
        var losers: [VersionEntry] = []
        let known = try load(chunk.flatMap { $0 })
        for group in chunk {
            let versions = group.compactMap { entry in
                known[entry.location].map { Version(entry: entry, candidate: $0) }
            }
            losers += decide(versions)
        }
        try retract(losers)
        chunk = []
        records = 0
    }

    private mutating func load(_ entries: [VersionEntry]) throws(ExportError) -> [Int: RecordRereader.Candidate] {
        var found: [Int: RecordRereader.Candidate] = [:]
        for (file, own) in Dictionary(grouping: entries, by: \.fileIndex) {
            // A group larger than one load is read in parts; only keys and versions of it are held.
            for start in stride(from: 0, to: own.count, by: RecordRereader.maximumRecords) {
                let part = own[start..<min(own.count, start + RecordRereader.maximumRecords)]
                let rereader = rereader(file)
                try rereader.load(part.map(\.offset))
                for (entry, candidate) in zip(part, rereader.candidates()) { found[entry.location] = candidate }
            }
        }
        return found
    }

    /// The entries of a group that are not the newest of their trip.
    private mutating func decide(_ versions: [Version]) -> [VersionEntry] {
        var losers: [VersionEntry] = []
        let trips = Dictionary(grouping: versions) { $0.candidate.key.revealed(for: .matching) }
        for versions in trips.values where versions.count > 1 {
            guard
                let newest = versions.max(by: {
                    ($0.candidate.version, $0.entry.location) < ($1.candidate.version, $1.entry.location)
                })
            else { continue }
            for version in versions where version.entry.location != newest.entry.location {
                losers.append(version.entry)
                if version.candidate.contentHash == newest.candidate.contentHash {
                    unchanged += 1
                } else {
                    superseded += 1
                }
            }
        }
        return losers
    }

    private mutating func retract(_ losers: [VersionEntry]) throws(ExportError) {
        for (file, own) in Dictionary(grouping: losers, by: \.fileIndex) {
            let rereader = rereader(file)
            var batch = rereader.makeBatch()
            for start in stride(from: 0, to: own.count, by: RecordRereader.maximumRecords) {
                let part = own[start..<min(own.count, start + RecordRereader.maximumRecords)]
                try rereader.load(part.map(\.offset))
                rereader.decode(Array(part.indices.map { $0 - part.startIndex }), into: &batch)
                classifier.classify(&batch, dictionaries: rereader.dictionaries)
                retracted.add(batch)
            }
        }
    }

    private mutating func rereader(_ file: Int) -> RecordRereader {
        if let known = rereaders[file] { return known }
        let made = RecordRereader(readers[file])
        rereaders[file] = made
        return made
    }
}
