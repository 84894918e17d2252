import Synchronization

/// Collects the identifiers that the workers of a run read, as hashes, export after export.
///
/// 64 tables, each under a lock of its own, of 11 to 23 bytes an identifier. They stop growing at
/// `IdentifierSet.standardLimit`; later identifiers are found by their shape alone, and the audit log records that.
package final class IdentifierCollector: Sendable {
    private final class Shard: Sendable {
        let table = Mutex(IdentifierTable())
    }

    private let hash: IdentifierHash
    private let shardLimit: Int
    private let shards = (0..<IdentifierCode.shards).map { _ in Shard() }

    /// - Parameter limit: how many distinct identifiers are kept, within one percent.
    package init(seed: UInt64 = .random(in: .min ... .max), limit: Int = IdentifierSet.standardLimit) {
        hash = IdentifierHash(seed: seed)
        shardLimit = max(1, limit / IdentifierCode.shards)
    }

    /// For one worker.
    package func gatherer() -> IdentifierGatherer { IdentifierGatherer(hash, collector: self) }

    /// Takes what the workers have not handed over yet.
    package func add(_ gatherers: [IdentifierGatherer]) {
        for gatherer in gatherers { gatherer.finish() }
    }

    func take(_ codes: ArraySlice<UInt64>, shard: Int) {
        shards[shard].table.withLock { table in
            for code in codes { table.insert(code, limit: shardLimit) }
        }
    }

    /// All identifiers so far.
    package var identifiers: IdentifierSet {
        IdentifierSet(hash, tables: shards.map { shard in shard.table.withLock { $0 } })
    }
}

/// Hashes the identifiers that one worker reads; nothing else of them is kept.
package struct IdentifierGatherer: Sendable {
    /// How many hashes of one shard are handed over at once.
    private static let parcel = 32

    private let hash: IdentifierHash
    private let collector: IdentifierCollector
    /// `parcel` places for each shard, and how many of them are taken.
    private var parcels = [UInt64](repeating: 0, count: IdentifierCode.shards * parcel)
    private var counts = [Int](repeating: 0, count: IdentifierCode.shards)
    /// The hashes met last: trips of one patient follow each other.
    private var recent = [UInt64](repeating: 0, count: 1 << 10)

    init(_ hash: IdentifierHash, collector: IdentifierCollector) {
        self.hash = hash
        self.collector = collector
    }

    /// Adds a value if it could hardly be anything but an identifier; outer blanks and marks do not count.
    ///
    /// - Parameter isName: whether the column has names of persons: two words are enough.
    package mutating func add(_ value: Span<UInt8>, isName: Bool) {
        var start = 0, end = value.count
        while start < end, !SpanCounts.isWordByte(value[start]) { start &+= 1 }
        while end > start, !SpanCounts.isWordByte(value[end &- 1]) { end &-= 1 }
        let count = end - start
        guard count >= SpanCounts.minimumBytes, count <= SpanCounts.maximumBytes else { return }
        var facts = SpanCounts(bytes: count)
        var state = hash.start
        var wordBefore: UInt64 = 0, rest: UInt64 = 0, letters: UInt64 = 0
        var at = start
        while at < end {
            let eight = EightBytes(Self.word(of: value, at, end))
            let words = eight.digits | eight.letters
            facts.digits &+= EightBytes.count(eight.digits)
            letters |= eight.letters
            facts.words &+= EightBytes.count(words & ~(words << 8 | wordBefore))
            wordBefore = words >> 56
            if end &- at >= 8 { state.take(eight.folded) } else { rest = eight.folded }
            at &+= 8
        }
        facts.letters = letters == 0 ? 0 : 1
        guard facts.isTelling(isName: isName) else { return }
        note(state.code(rest: rest, count: count))
    }

    /// Up to eight bytes, the first the lowest; zeros behind the end.
    @inline(__always)
    private static func word(of value: Span<UInt8>, _ at: Int, _ end: Int) -> UInt64 {
        let bytes = value.bytes
        func load(_ offset: Int) -> UInt64 {
            UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
        }
        let count = end &- at
        if count >= 8 { return load(at) }
        if end >= 8 { return load(end &- 8) >> UInt64(8 &* (8 &- count)) }
        var word: UInt64 = 0
        for index in at..<end { word |= UInt64(value[index]) << UInt64(8 &* (index &- at)) }
        return word
    }

    @inline(__always)
    private mutating func note(_ code: IdentifierCode) {
        let slot = Int(truncatingIfNeeded: code.bits & 1023)
        if recent[slot] == code.bits { return }
        recent[slot] = code.bits
        let shard = Int(code.shard)
        parcels[shard &* Self.parcel &+ counts[shard]] = code.bits
        counts[shard] &+= 1
        guard counts[shard] == Self.parcel else { return }
        collector.take(parcels[shard &* Self.parcel..<(shard &+ 1) &* Self.parcel], shard: shard)
        counts[shard] = 0
    }

    /// Hands over what is left.
    func finish() {
        for (shard, count) in counts.enumerated() where count > 0 {
            collector.take(parcels[shard * Self.parcel..<shard * Self.parcel + count], shard: shard)
        }
    }
}
