import Files
import TestSupport

/// A zip file in any of the forms that programs write, and the bytes of its members.
struct RandomZip {
    struct Member {
        var name: String
        var bytes: [UInt8]
    }

    /// In the order of the directory.
    private(set) var members: [Member]
    private(set) var bytes: [UInt8] = []
    private var random: SplitMix64
    /// Bytes before the members of which the offsets in it know nothing.
    private let unknownPrefix: Int

    private struct Packed {
        var entry: [UInt8]
        var local: [UInt8]
    }

    /// - Parameter members: nil: random ones.
    init(of given: [Member]? = nil, _ random: inout SplitMix64) {
        var own = random
        members = given ?? Self.members(&own)
        // The mark of an archive that was to be divided; other bytes before the first member are refused.
        let prefix: [UInt8] = Int.random(in: 0..<5, using: &own) == 0 ? [0x50, 0x4B, 7, 8] : []
        unknownPrefix = Bool.random(using: &own) ? prefix.count : 0
        self.random = own
        bytes = prefix
        var directory: [UInt8] = []
        var entries: [(place: Int, entry: [UInt8])] = []
        // The order of the directory need not be that of the members.
        for place in members.indices.shuffled(using: &self.random) {
            entries.append((place, add(members[place])))
        }
        for entry in entries.sorted(by: { $0.place < $1.place }) { directory += entry.entry }
        if chance(6), !members.isEmpty { bytes += Array("between".utf8) }
        bytes += end(directory)
        if chance(9) { bytes += [0, 0, 0x0A] }
        random = self.random
    }

    private static func members(_ random: inout SplitMix64) -> [Member] {
        (0..<Int.random(in: 0...4, using: &random)).map { number in
            let name = ["a.csv", "folder/b.csv", "é.json", "x y.txt", "PK\u{1}\u{2}"][number]
            let count =
                Int.random(in: 0..<20, using: &random) == 0
                ? 70_000 : [0, 1, 40, 300, 3000].randomElement(using: &random) ?? 0
            let kinds = Int.random(in: 1...200, using: &random)
            let isRepeated = Bool.random(using: &random)
            let length = Int.random(in: 0...count, using: &random)
            var own = SplitMix64(seed: random.next())
            let bytes = (0..<length).map { place in
                isRepeated
                    ? UInt8(truncatingIfNeeded: place / 7 % kinds) : UInt8.random(in: 0...UInt8(kinds), using: &own)
            }
            return Member(name: name, bytes: bytes)
        }
    }

    private mutating func chance(_ of: Int) -> Bool { Int.random(in: 0..<of, using: &random) == 0 }

    private static func little(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    /// Appends a member.
    ///
    /// - Returns: its entry in the directory.
    private mutating func add(_ member: Member) -> [UInt8] {
        let little = Self.little
        let isStored = chance(3), isLarge = chance(4), hasDescriptor = chance(3)
        let packed = isStored ? member.bytes : deflated(member.bytes)
        let offset = bytes.count - unknownPrefix, crc = Int(GzipBytes.crc(member.bytes))
        let name = Array(member.name.utf8)
        let flags = (hasDescriptor ? 8 : 0) | 0x800
        let common = little(flags, 2) + little(isStored ? 0 : 8, 2) + little(0x5A21_6000, 4)
        let other = chance(4) ? little(0x5455, 2) + little(5, 2) + [1, 2, 3, 4, 5] : []
        let limit = 0xFFFF_FFFF
        let large =
            isLarge ? little(1, 2) + little(16, 2) + little(member.bytes.count, 8) + little(packed.count, 8) : []
        let sizes = isLarge ? little(limit, 8) : little(packed.count, 4) + little(member.bytes.count, 4)
        bytes += [0x50, 0x4B, 3, 4] + little(20, 2) + common
        bytes += hasDescriptor ? little(0, 12) : little(crc, 4) + (isLarge ? little(-1, 8) : sizes)
        bytes += little(name.count, 2) + little(other.count + large.count, 2) + name + other + large + packed
        if hasDescriptor {
            if !chance(3) { bytes += [0x50, 0x4B, 7, 8] }
            bytes += little(crc, 4) + little(packed.count, isLarge ? 8 : 4)
            bytes += little(member.bytes.count, isLarge ? 8 : 4)
        }
        let hasLargeOffset = isLarge && chance(2)
        let extra =
            isLarge
            ? little(1, 2) + little(hasLargeOffset ? 24 : 16, 2) + little(member.bytes.count, 8)
                + little(packed.count, 8) + (hasLargeOffset ? little(offset, 8) : []) : []
        let comment = chance(5) ? Array("of a member".utf8) : []
        var entry: [UInt8] = [0x50, 0x4B, 1, 2] + little(45, 2) + little(45, 2) + common + little(crc, 4)
        entry += isLarge ? little(-1, 8) : sizes
        entry += little(name.count, 2) + little(other.count + extra.count, 2) + little(comment.count, 2)
        entry += little(0, 8) + little(hasLargeOffset ? limit : offset, 4) + name
        entry += chance(2) ? other + extra : extra + other
        return entry + comment
    }

    /// Bare deflate: compressed, or in blocks that are stored.
    private mutating func deflated(_ bytes: [UInt8]) -> [UInt8] {
        let member = chance(4) ? nil : try? GzipWriter().compress(bytes, endsMember: true)
        return Array((member ?? GzipBytes.stored(bytes)).dropFirst(10).dropLast(8))
    }

    /// The directory and what ends the file.
    private mutating func end(_ directory: [UInt8]) -> [UInt8] {
        let little = Self.little
        let start = bytes.count - unknownPrefix
        var end = directory
        let isLarge = chance(4), count = members.count
        if isLarge {
            end += [0x50, 0x4B, 6, 6] + little(44, 8) + little(45, 2) + little(45, 2) + little(0, 8)
            end += little(count, 8) + little(count, 8) + little(directory.count, 8) + little(start, 8)
            end += [0x50, 0x4B, 6, 7] + little(0, 4) + little(start + directory.count, 8) + little(1, 4)
        }
        let comment = chance(4) ? Array("PK\u{5}\u{6} comment".utf8) : []
        end += [0x50, 0x4B, 5, 6] + little(0, 4) + little(isLarge ? -1 : count, 2) + little(isLarge ? -1 : count, 2)
        end += little(isLarge ? -1 : directory.count, 4) + little(isLarge ? -1 : start, 4)
        return end + little(comment.count, 2) + comment
    }

    /// Changes, cuts out or doubles some bytes.
    static func damage(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
        guard !bytes.isEmpty else { return }
        // Half of it where headers and the directory are.
        let isLate = Bool.random(using: &random)
        let at = Int.random(in: isLate ? max(0, bytes.count - 300)..<bytes.count : 0..<bytes.count, using: &random)
        let end = min(bytes.count, at + Int.random(in: 1...60, using: &random))
        switch Int.random(in: 0..<8, using: &random) {
        case 0, 1, 2: bytes[at] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 3: bytes[at] = UInt8.random(in: 0...255, using: &random)
        case 4: bytes[at] = [0, 1, 0xFF, UInt8(ascii: "/")].randomElement(using: &random) ?? 0
        case 5: bytes.removeSubrange(at..<end)
        case 6: bytes.insert(contentsOf: bytes[at..<end], at: at)
        default: bytes.removeSubrange(at...)
        }
    }
}
