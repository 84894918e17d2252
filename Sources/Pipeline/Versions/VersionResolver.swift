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
    /// Records that are not the newest of their trip.
    private(set) var dropped = 0
    /// Of those, the ones with the very bytes of the newest; known when all partitions are resolved.
    private(set) var unchanged = 0

    /// By file index.
    private let stores: [VersionStore]
    /// By file index: each learns the codes of one export's dictionaries, which mean other texts in another export.
    private var classifiers: [Classifier]
    private let freshClassifier: Classifier
    private var slots: [UInt32] = []
    /// What the trips of the partition under way come down to: entries that go, and those that stay with more copies.
    private var gone: Set<Int> = []
    private var kept: [Int: Int] = [:]
    /// By the key's lower bits: whether a key with them has several entries.
    private var suspects = Array(repeating: false, count: VersionResolver.suspectCount)
    private static let suspectCount = 1 << 14

    /// Records looked at together.
    static let chunkRecords = 1024
    /// With more exports than this, none stays open for rereading from one look to the next.
    private let openStores: Int

    /// - Parameter mostOpen: of the exports, at a time.
    init(stores: [VersionStore], classifier: Classifier, shape: KPITally.Shape, mostOpen: Int) {
        self.stores = stores
        openStores = min(8, mostOpen)
        classifiers = Array(repeating: classifier, count: stores.count)
        freshClassifier = classifier
        retracted = KPITally(shape: shape)
    }

    /// Resolves a partition that is complete.
    mutating func resolve(_ pages: [[VersionEntry]]) throws(ExportError) {
        try settleAll(pages, isComplete: true)
        for page in pages {
            for entry in page where entry.copies > 0 || isSuspect(entry) {
                if !gone.contains(entry.location) { unchanged += kept[entry.location] ?? entry.copies }
            }
        }
    }

    /// Drops what can be dropped before all records are known: older versions and exact copies.
    ///
    /// Records that differ but have one version stay until the end: only then is it known which copies they have, and
    /// the counts must not depend on when this is called.
    mutating func weed(_ pages: [[VersionEntry]]) throws(ExportError) -> [VersionEntry] {
        try settleAll(pages, isComplete: false)
        var staying: [VersionEntry] = []
        for page in pages {
            for entry in page {
                guard isSuspect(entry) else {
                    staying.append(entry)
                    continue
                }
                if gone.contains(entry.location) { continue }
                var entry = entry
                if let copies = kept[entry.location] { entry.copies = copies }
                staying.append(entry)
            }
        }
        return staying
    }

    /// Whether an entry may be one of several of its trip: spares nearly all of them a look into the sets.
    private func isSuspect(_ entry: VersionEntry) -> Bool {
        suspects[Int(truncatingIfNeeded: entry.key) & (Self.suspectCount - 1)]
    }

    private mutating func settleAll(_ pages: [[VersionEntry]], isComplete: Bool) throws(ExportError) {
        gone.removeAll(keepingCapacity: true)
        kept.removeAll(keepingCapacity: true)
        for index in suspects.indices { suspects[index] = false }
        var chunk: [[VersionEntry]] = []
        var records = 0
        for group in groups(pages) {
            if group.count > Self.chunkRecords {
                try settleLarge(group, of: pages, isComplete: isComplete)
                continue
            }
            if records + group.count > Self.chunkRecords {
                try settle(chunk, isComplete: isComplete)
                chunk = []
                records = 0
            }
            chunk.append(group.map { Self.entry($0, of: pages) })
            records += group.count
        }
        try settle(chunk, isComplete: isComplete)
    }

    static func entry(_ index: UInt32, of pages: [[VersionEntry]]) -> VersionEntry {
        pages[Int(index) / VersionIndex.pageEntries][Int(index) % VersionIndex.pageEntries]
    }

    /// Places in the pages of the entries with one key, where there are several; in the order of the first of each.
    private mutating func groups(_ pages: [[VersionEntry]]) -> [[UInt32]] {
        let count = pages.reduce(0) { $0 + $1.count }
        var capacity = 1024
        while capacity < count * 2 { capacity *= 2 }
        if slots.count < capacity { slots = Array(repeating: 0, count: capacity) }
        for index in 0..<capacity { slots[index] = 0 }
        let mask = capacity - 1
        var groups: [UInt64: [UInt32]] = [:]
        var index: UInt32 = 0
        for page in pages {
            for entry in page {
                let key = entry.key
                var at = Int(truncatingIfNeeded: key) & mask
                while true {
                    let slot = slots[at]
                    if slot == 0 {
                        slots[at] = index + 1
                        break
                    }
                    if Self.entry(slot - 1, of: pages).key == key {
                        groups[key, default: [slot - 1]].append(index)
                        break
                    }
                    at = (at + 1) & mask
                }
                index += 1
            }
        }
        for key in groups.keys { suspects[Int(truncatingIfNeeded: key) & (Self.suspectCount - 1)] = true }
        return groups.values.sorted { Self.entry($0[0], of: pages).location < Self.entry($1[0], of: pages).location }
    }

    // MARK: - Deciding

    /// Whether the record can be read again.
    func isRepeatable(_ entry: VersionEntry) -> Bool { stores[entry.fileIndex].isRepeatable }

    /// Notes that a record is not the newest of its trip.
    mutating func drop(_ entry: VersionEntry) {
        dropped += 1
        gone.insert(entry.location)
    }

    /// Notes that a record stays, and for how many with its bytes.
    mutating func keep(_ entry: VersionEntry, copies: Int) { kept[entry.location] = copies }

    private struct Version {
        var entry: VersionEntry
        var candidate: VersionCandidate

        var order: (TripVersion, Int, Int) { (candidate.version, entry.fileIndex, candidate.offset) }
    }

    private mutating func settle(_ groups: [[VersionEntry]], isComplete: Bool) throws(ExportError) {
        guard !groups.isEmpty else { return }
        var losers: [VersionEntry] = []
        let known = try load(groups.flatMap { $0 })
        for group in groups {
            let versions = group.compactMap { entry in
                known[entry.location].map { Version(entry: entry, candidate: $0) }
            }
            // One hash may stand for several trips; the keys tell them apart.
            for trip in Self.trips(versions) { losers += decide(trip, isComplete: isComplete) }
        }
        try retract(losers)
    }

    /// Takes the trips of these records back out of the numbers.
    mutating func retract(_ losers: [VersionEntry]) throws(ExportError) {
        for (file, own) in Dictionary(grouping: losers, by: \.fileIndex) {
            try stores[file].forBatches(of: own.map(\.offset)) { batch, dictionaries in
                if let dictionaries { classifiers[file].classify(&batch, dictionaries: dictionaries) }
                retracted.add(batch)
            }
            closeIfMany(file)
        }
    }

    /// With many exports only one is open, and holds memory, at a time.
    private mutating func closeIfMany(_ file: Int) {
        guard stores.count > openStores else { return }
        stores[file].close()
        classifiers[file] = freshClassifier
    }

    /// The bytes that tell a trip from all others, to be compared; nil if the record cannot be read again.
    static func exactKey(of candidate: VersionCandidate) -> [UInt8]? { candidate.key?.revealed(for: .matching) }

    /// Versions by exact key, or by its second hash where one of them cannot be read again.
    private static func trips(_ versions: [Version]) -> [[Version]] {
        let keys = versions.compactMap { exactKey(of: $0.candidate) }
        if keys.count == versions.count {
            return Array(Dictionary(grouping: versions.indices) { keys[$0] }.values).map { $0.map { versions[$0] } }
        }
        return Array(Dictionary(grouping: versions, by: \.candidate.keyCheck).values)
    }

    mutating func load(_ entries: [VersionEntry]) throws(ExportError) -> [Int: VersionCandidate] {
        var found: [Int: VersionCandidate] = [:]
        for (file, own) in Dictionary(grouping: entries, by: \.fileIndex) {
            let candidates = try stores[file].candidates(own.map(\.offset))
            for (entry, candidate) in zip(own, candidates) { found[entry.location] = candidate }
            closeIfMany(file)
        }
        return found
    }

    /// The entries of a trip that go.
    private mutating func decide(_ versions: [Version], isComplete: Bool) -> [VersionEntry] {
        guard versions.count > 1, let newest = versions.max(by: { $0.order < $1.order }) else { return [] }
        var losers: [VersionEntry] = []
        var copies = newest.entry.copies
        for version in versions where version.entry.location != newest.entry.location {
            let isCopy = version.candidate.contentHash == newest.candidate.contentHash
            if !isComplete {
                let isTied = version.candidate.version == newest.candidate.version && !isCopy
                let isFull = isCopy && copies + 1 + version.entry.copies > VersionEntry.maximumCopies
                if isTied || isFull { continue }
            }
            if isCopy { copies += 1 + version.entry.copies }
            losers.append(version.entry)
            drop(version.entry)
        }
        keep(newest.entry, copies: copies)
        return losers
    }
}
