package import ExportBytes
package import Trips

/// Subtracts older versions of trips from what was tallied.
package protocol VersionRetractor: AnyObject {
    /// - Parameters:
    ///   - dictionaries: of the batch's texts, if it still has to be classified.
    ///   - file: index of the export.
    func retract(_ batch: inout TripBatch, dictionaries: [TextDictionary]?, file: Int)

    /// The dictionaries of this export start again: codes mean other texts from now on.
    func forgetDictionaries(file: Int)
}

/// Finds the records of each trip, keeps the newest, and has the others retracted.
///
/// Equal hashes are only a hint: the keys themselves are read again and compared. Only where an export cannot be read
/// again does a second, independent hash take the key's place: 128 bits in all.
package struct VersionResolver {
    /// Records that are not the newest of their trip.
    package private(set) var dropped = 0
    /// Of those, the ones with the very bytes of the newest; known when all partitions are resolved.
    package private(set) var unchanged = 0

    /// Records of one trip that are no copies: the one that goes, and the one that stays.
    private struct Pair {
        var gone: RecordLocation
        var kept: RecordLocation
        var versions: ReplacedTrips.Versions
        var level: Int
    }

    /// Those of the levels that are wanted of `pairCount` pairs; without versions, those of two exports.
    private var pairs: [Pair] = []
    private var pairCount = 0
    private var lowestLevel = 0
    /// By file index.
    private let sources: [any VersionSource]
    private let retractor: any VersionRetractor
    private var slots: [UInt32] = []
    /// What the trips of the partition under way come down to: entries that go, and those that stay with more copies.
    private var gone: Set<Int> = []
    private var kept: [Int: Int] = [:]
    /// By the key's lower bits: whether a key with them has several entries.
    private var suspects = Array(repeating: false, count: VersionResolver.suspectCount)
    /// Nearly no partition of a small export has any: then there is nothing to reset.
    private var hasSuspects = false
    private static let suspectCount = 1 << 14

    /// Records that one read of the files compares, so that memory does not grow with the number of versions.
    private static let chunkRecords = 1024
    /// With more exports than this, none stays open for rereading from one chunk to the next.
    private let openSources: Int

    /// - Parameter mostOpen: of the exports, at a time.
    package init(sources: [any VersionSource], retractor: any VersionRetractor, mostOpen: Int) {
        self.sources = sources
        self.retractor = retractor
        openSources = min(8, mostOpen)
    }

    /// Resolves a partition that is complete.
    package mutating func resolve(_ pages: [[VersionEntry]]) throws(ExportError) {
        try resolveAll(pages, isComplete: true)
        for page in pages {
            for entry in page where entry.copies > 0 || isSuspect(entry) {
                if !gone.contains(entry.location.rawValue) {
                    unchanged += kept[entry.location.rawValue] ?? entry.copies
                }
            }
        }
    }

    /// Drops what can be dropped before all records are known: older versions and exact copies.
    ///
    /// Records that differ but have one version stay until the end: only then is it known which copies they have, and
    /// the counts must not depend on when this is called.
    ///
    /// - Returns: the entries that stay.
    package mutating func retractEarly(_ pages: [[VersionEntry]]) throws(ExportError) -> [VersionEntry] {
        try resolveAll(pages, isComplete: false)
        var staying: [VersionEntry] = []
        for page in pages {
            for entry in page {
                guard isSuspect(entry) else {
                    staying.append(entry)
                    continue
                }
                if gone.contains(entry.location.rawValue) { continue }
                var entry = entry
                if let copies = kept[entry.location.rawValue] { entry.copies = copies }
                staying.append(entry)
            }
        }
        return staying
    }

    /// Whether an entry may be one of several of its trip: spares nearly all of them a search of the sets.
    private func isSuspect(_ entry: VersionEntry) -> Bool {
        suspects[Int(truncatingIfNeeded: entry.key) & (Self.suspectCount - 1)]
    }

    private mutating func resolveAll(_ pages: [[VersionEntry]], isComplete: Bool) throws(ExportError) {
        gone.removeAll(keepingCapacity: true)
        kept.removeAll(keepingCapacity: true)
        if hasSuspects {
            for index in suspects.indices { suspects[index] = false }
            hasSuspects = false
        }
        var bundle: [[UInt32]] = []
        var records = 0
        for group in groups(pages) {
            if !bundle.isEmpty, records + group.count > Self.chunkRecords {
                try resolve(bundle, of: pages, isComplete: isComplete)
                bundle = []
                records = 0
            }
            bundle.append(group)
            records += group.count
        }
        try resolve(bundle, of: pages, isComplete: isComplete)
    }

    private static func entry(_ index: UInt32, of pages: [[VersionEntry]]) -> VersionEntry {
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
        hasSuspects = !groups.isEmpty
        for key in groups.keys { suspects[Int(truncatingIfNeeded: key) & (Self.suspectCount - 1)] = true }
        return groups.values.sorted { Self.entry($0[0], of: pages).location < Self.entry($1[0], of: pages).location }
    }

    // MARK: - Groups of records with one hash

    /// What identifies a trip within its group: one hash may stand for several trips.
    private enum ExactKey: Hashable {
        case bytes(group: Int, [UInt8])
        /// Where a record of the group cannot be read again.
        case secondHash(group: Int, UInt64)
    }

    /// The newest version so far of one trip.
    private struct Newest {
        var entry: VersionEntry
        var rank: RecordRank<Int>
        var contentHash: UInt64
        /// Records with the same bytes that went in its favour.
        var copies: Int
    }

    /// What is held of each record: some groups are large, as an export without `updated_at` whose trip ids are all the
    /// same has one group of all its records.
    private struct HeldRecords {
        var entries: [VersionEntry] = []
        /// Index of the trip's newest version.
        var trips: [UInt32] = []
        var contentHashes: [UInt64] = []
        /// Whether the record says which version it is.
        var areStated: [Bool] = []
        /// Only while the export is still being read: then equal versions stay.
        var versions: [TripVersion] = []
    }

    /// Decides which records of the groups go. No more than `chunkRecords` of them are held at a time.
    private mutating func resolve(
        _ groups: [[UInt32]], of pages: [[VersionEntry]], isComplete: Bool
    ) throws(ExportError) {
        guard !groups.isEmpty else { return }
        var facts = HeldRecords()
        var newest = try findNewest(groups, of: pages, keepsVersions: !isComplete, &facts)
        var losers: [VersionEntry] = []
        for (row, entry) in facts.entries.enumerated() {
            let trip = Int(facts.trips[row])
            guard entry.location != newest[trip].entry.location else { continue }
            let isCopy = facts.contentHashes[row] == newest[trip].contentHash
            if !isComplete {
                let isTied = facts.versions[row] == newest[trip].rank.version && !isCopy
                let isFull = isCopy && newest[trip].copies + 1 + entry.copies > VersionEntry.maximumCopies
                if isTied || isFull { continue }
            }
            if isCopy { newest[trip].copies += 1 + entry.copies }
            if !isCopy { note(entry, replacedBy: newest[trip], isStated: facts.areStated[row]) }
            dropped += 1
            gone.insert(entry.location.rawValue)
            losers.append(entry)
            if losers.count == Self.chunkRecords {
                try retract(losers)
                losers.removeAll(keepingCapacity: true)
            }
        }
        try retract(losers)
        for trip in newest { kept[trip.entry.location.rawValue] = trip.copies }
    }

    private mutating func note(_ entry: VersionEntry, replacedBy newest: Newest, isStated: Bool) {
        let stays = newest.entry.location, isOfOther = entry.location.export != stays.export
        let haveVersions = newest.rank.version != TripVersion()
        guard haveVersions || isOfOther else { return }
        pairCount += 1
        let level = ReplacedSample.level(of: entry.key)
        if level >= lowestLevel {
            pairs.append(
                Pair(
                    gone: entry.location, kept: stays,
                    versions: !haveVersions ? .none : !isStated && isOfOther ? .onlyOfLater : .stated, level: level))
        }
        let lowest = ReplacedSample.lowestLevel(of: pairCount)
        guard lowest > lowestLevel else { return }
        lowestLevel = lowest
        pairs.removeAll { $0.level < lowest }
    }

    /// The newest version of each trip of the groups; `facts` has an entry for each record then.
    private mutating func findNewest(
        _ groups: [[UInt32]], of pages: [[VersionEntry]], keepsVersions: Bool, _ facts: inout HeldRecords
    ) throws(ExportError) -> [Newest] {
        var trips: [ExactKey: Int] = [:]
        var newest: [Newest] = []
        var groupOfRow: [Int] = []
        var hasKeys: [Bool] = []
        for (number, group) in groups.enumerated() {
            let entries = group.map { Self.entry($0, of: pages) }
            hasKeys.append(entries.allSatisfy { sources[$0.location.export].isRepeatable })
            facts.entries += entries
            groupOfRow += repeatElement(number, count: entries.count)
        }
        for start in stride(from: 0, to: facts.entries.count, by: Self.chunkRecords) {
            let part = start..<min(start + Self.chunkRecords, facts.entries.count)
            let known = try load(facts.entries[part])
            for row in part {
                let entry = facts.entries[row], group = groupOfRow[row]
                guard let candidate = known[entry.location.rawValue] else { throw .changed("an export") }
                let bytes = hasKeys[group] ? candidate.key?.revealed(for: .matching) : nil
                let key =
                    bytes.map { ExactKey.bytes(group: group, $0) }
                    ?? .secondHash(group: group, candidate.keyCheck)
                let found = Newest(
                    entry: entry,
                    rank: RecordRank(candidate.version, export: entry.location.export, offset: candidate.offset),
                    contentHash: candidate.contentHash, copies: entry.copies)
                let trip = trips[key] ?? newest.count
                if trip == newest.count {
                    trips[key] = trip
                    newest.append(found)
                } else if newest[trip].rank < found.rank {
                    newest[trip] = found
                }
                facts.trips.append(UInt32(truncatingIfNeeded: trip))
                facts.contentHashes.append(candidate.contentHash)
                facts.areStated.append(candidate.version != TripVersion())
                if keepsVersions { facts.versions.append(candidate.version) }
            }
        }
        return newest
    }

    // MARK: - Rereading

    /// Whether records that were replaced are of other trips: a sample of them is read again.
    package mutating func replacedTrips() throws(ExportError) -> ReplacedSample {
        var found: [Int: ReplacedTrips.Traits] = [:]
        let places = Set(pairs.flatMap { [$0.gone.rawValue, $0.kept.rawValue] }).map(RecordLocation.init)
        for (file, own) in Dictionary(grouping: places, by: \.export) {
            // The batches have the records in the order of their places.
            let own = own.sorted()
            var next = 0
            try sources[file].forBatches(of: own.map(\.offset)) { batch, _ in
                for row in 0..<batch.count where next < own.count {
                    found[own[next].rawValue] = ReplacedTrips.Traits(batch, row: row)
                    next += 1
                }
            }
            closeIfMany(file)
        }
        var sample = ReplacedSample()
        sample.count(pairCount)
        for pair in pairs {
            guard let gone = found[pair.gone.rawValue], let kept = found[pair.kept.rawValue] else {
                throw .changed("one of the exports")
            }
            sample.compare(
                kept, replacing: gone, versions: pair.versions,
                at: RecordPair(later: pair.kept, earlier: pair.gone), level: pair.level)
        }
        return sample
    }

    private func load(_ entries: ArraySlice<VersionEntry>) throws(ExportError) -> [Int: VersionCandidate] {
        var found: [Int: VersionCandidate] = [:]
        for (file, own) in Dictionary(grouping: entries, by: \.location.export) {
            let candidates = try sources[file].candidates(own.map(\.location.offset))
            for (entry, candidate) in zip(own, candidates) { found[entry.location.rawValue] = candidate }
            closeIfMany(file)
        }
        return found
    }

    private func retract(_ losers: [VersionEntry]) throws(ExportError) {
        for (file, own) in Dictionary(grouping: losers, by: \.location.export) {
            try sources[file].forBatches(of: own.map(\.location.offset)) { batch, dictionaries in
                retractor.retract(&batch, dictionaries: dictionaries, file: file)
            }
            closeIfMany(file)
        }
    }

    /// With many exports only one is open, and holds memory, at a time.
    private func closeIfMany(_ file: Int) {
        guard sources.count > openSources else { return }
        sources[file].close()
        retractor.forgetDictionaries(file: file)
    }
}
