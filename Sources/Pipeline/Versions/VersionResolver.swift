import Classification
import Intake
import KPIs
import Trips

/// Finds the records of each trip, keeps the newest, and takes the others back out of the numbers (SPEC §2.2).
///
/// Equal hashes are only a hint: the keys themselves are read again and compared. Only where an export cannot be read
/// again does a second, independent hash take the key's place: 128 bits in all.
struct VersionResolver {
    /// Older versions, to be subtracted from what was tallied.
    private(set) var retracted: KPITally
    private(set) var superseded = 0
    private(set) var unchanged = 0

    /// By file index.
    private let stores: [VersionStore]
    private var classifier: Classifier
    private var slots: [UInt32] = []

    /// Records looked at together.
    private static let chunkRecords = 1024

    init(stores: [VersionStore], classifier: Classifier, shape: KPITally.Shape) {
        self.stores = stores
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
            if records + group.count > Self.chunkRecords { try settle(&chunk, &records) }
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
        var candidate: VersionCandidate
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
        for (file, own) in Dictionary(grouping: losers, by: \.fileIndex) {
            try stores[file].forBatches(of: own.map(\.offset)) { batch, dictionaries in
                if let dictionaries { classifier.classify(&batch, dictionaries: dictionaries) }
                retracted.add(batch)
            }
        }
        chunk = []
        records = 0
    }

    private mutating func load(_ entries: [VersionEntry]) throws(ExportError) -> [Int: VersionCandidate] {
        var found: [Int: VersionCandidate] = [:]
        for (file, own) in Dictionary(grouping: entries, by: \.fileIndex) {
            let candidates = try stores[file].candidates(own.map(\.offset))
            for (entry, candidate) in zip(own, candidates) { found[entry.location] = candidate }
        }
        return found
    }

    /// The entries of a group that are not the newest of their trip.
    private mutating func decide(_ versions: [Version]) -> [VersionEntry] {
        var losers: [VersionEntry] = []
        let trips = Dictionary(grouping: versions) { $0.candidate.key.revealed(for: .matching) }
        for versions in trips.values where versions.count > 1 {
            guard let newest = versions.max(by: { Self.order($0) < Self.order($1) }) else { continue }
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

    private static func order(_ version: Version) -> (TripVersion, Int, Int) {
        (version.candidate.version, version.entry.fileIndex, version.candidate.offset)
    }
}
