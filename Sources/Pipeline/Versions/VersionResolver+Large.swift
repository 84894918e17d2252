import Intake
import Trips

// A trip that comes very often: an export without updated_at whose trip ids are all the same has one group of all its
// records. Such a group is looked at a chunk at a time, so that of each record only a hash is held.
extension VersionResolver {
    /// What tells one trip from another whose key has the same hash.
    private enum ExactKey: Hashable {
        case bytes([UInt8])
        /// Where a record cannot be read again.
        case secondHash(UInt64)
    }

    /// The newest version so far of one trip of the group.
    private struct Newest {
        var entry: VersionEntry
        var version: TripVersion
        var offset: Int
        var contentHash: UInt64
        /// Records with the same bytes that went in its favour.
        var copies: Int

        var order: (TripVersion, Int, Int) { (version, entry.fileIndex, offset) }
    }

    /// What is held of each record of the group.
    private struct Facts {
        var trips: [UInt32] = []
        var contentHashes: [UInt64] = []
        /// Only while the export is still being read: then equal versions stay.
        var versions: [TripVersion] = []
    }

    /// Decides on a group that is too large to be held: as `settle` does, with the same result.
    mutating func settleLarge(
        _ group: [UInt32], of pages: [[VersionEntry]], isComplete: Bool
    ) throws(ExportError) {
        var facts = Facts()
        var newest = try findNewest(group, of: pages, keepsVersions: !isComplete, &facts)
        var losers: [VersionEntry] = []
        for (row, index) in group.enumerated() {
            let entry = Self.entry(index, of: pages)
            let trip = Int(facts.trips[row])
            guard entry.location != newest[trip].entry.location else { continue }
            let isCopy = facts.contentHashes[row] == newest[trip].contentHash
            if !isComplete {
                let isTied = facts.versions[row] == newest[trip].version && !isCopy
                let isFull = isCopy && newest[trip].copies + 1 + entry.copies > VersionEntry.maximumCopies
                if isTied || isFull { continue }
            }
            if isCopy { newest[trip].copies += 1 + entry.copies }
            drop(entry)
            losers.append(entry)
            if losers.count == Self.chunkRecords {
                try retract(losers)
                losers.removeAll(keepingCapacity: true)
            }
        }
        try retract(losers)
        for trip in newest { keep(trip.entry, copies: trip.copies) }
    }

    /// The newest version of each trip of the group; `facts` has an entry for each record then.
    private mutating func findNewest(
        _ group: [UInt32], of pages: [[VersionEntry]], keepsVersions: Bool, _ facts: inout Facts
    ) throws(ExportError) -> [Newest] {
        facts.trips.reserveCapacity(group.count)
        facts.contentHashes.reserveCapacity(group.count)
        let hasKeys = group.allSatisfy { isRepeatable(Self.entry($0, of: pages)) }
        var trips: [ExactKey: Int] = [:]
        var newest: [Newest] = []
        var rest = group[...]
        while !rest.isEmpty {
            let part = rest.prefix(Self.chunkRecords).map { Self.entry($0, of: pages) }
            rest = rest.dropFirst(part.count)
            let known = try load(part)
            for entry in part {
                guard let candidate = known[entry.location] else { throw .changed("an export") }
                let bytes = hasKeys ? Self.exactKey(of: candidate) : nil
                let key = bytes.map { ExactKey.bytes($0) } ?? .secondHash(candidate.keyCheck)
                let found = Newest(
                    entry: entry, version: candidate.version, offset: candidate.offset,
                    contentHash: candidate.contentHash, copies: entry.copies)
                let trip = trips[key] ?? newest.count
                if trip == newest.count {
                    trips[key] = trip
                    newest.append(found)
                } else if newest[trip].order < found.order {
                    newest[trip] = found
                }
                facts.trips.append(UInt32(truncatingIfNeeded: trip))
                facts.contentHashes.append(candidate.contentHash)
                if keepsVersions { facts.versions.append(candidate.version) }
            }
        }
        return newest
    }
}
