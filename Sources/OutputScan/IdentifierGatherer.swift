/// Remembers the identifiers that one worker meets, as hashes; nothing else of them is kept.
package struct IdentifierGatherer: Sendable {
    /// How many of one shard are handed over at once.
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

    /// Notes a value if it could hardly be anything but an identifier; outer blanks and marks do not count.
    ///
    /// - Parameter isName: a value of a column of persons' names: two words are enough.
    package mutating func add(_ value: Span<UInt8>, isName: Bool) {
        var start = 0, end = value.count
        while start < end, !SpanFacts.isWordByte(value[start]) { start &+= 1 }
        while end > start, !SpanFacts.isWordByte(value[end &- 1]) { end &-= 1 }
        let count = end - start
        guard count >= SpanFacts.minimumBytes, count <= SpanFacts.maximumBytes else { return }
        var facts = SpanFacts(bytes: count)
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
