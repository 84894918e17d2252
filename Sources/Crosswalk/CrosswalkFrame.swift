import Hashing

/// One record of a crosswalk: 13 bytes in clear (kind, length of the body, nonce), the body, a tag of 16 bytes.
///
/// The tag holds the body to the header of the file, to the tag of the record before it, and to its own 13 bytes: a
/// record that was changed, moved, left out, put in or brought from another file does not open, nor does any after it.
///
/// No nonce is ever used twice under one key. Each session of writing has a key of its own, derived from a new random
/// salt of 256 bits that its first record holds; in a session nonces count up from 0, and a session is never taken up
/// again: neither by the next process, nor after its end was cut off, nor by a copy of the machine.
enum CrosswalkFrame {
    enum Kind: UInt8 {
        /// Begins a session: its body is the salt, in clear.
        case session = 1
        /// Identifiers of some trips of one source.
        case entries = 2
        /// Ends an export: how many records and trips there are so far, so that a file cannot lose its end unnoticed.
        case seal = 3
    }

    struct Head {
        var kind: Kind
        var bodyBytes: Int
        var number: UInt64

        var bytes: [UInt8] {
            [kind.rawValue] + CrosswalkFrame.word(UInt64(bodyBytes)).suffix(4) + CrosswalkFrame.word(number)
        }

        init(kind: Kind, bodyBytes: Int, number: UInt64) {
            self.kind = kind
            self.bodyBytes = bodyBytes
            self.number = number
        }

        /// Nil if no writer writes such a one.
        init?(_ bytes: [UInt8]) {
            guard bytes.count == CrosswalkFrame.headBytes, let kind = Kind(rawValue: bytes[0]) else { return nil }
            self.kind = kind
            bodyBytes = Int(CrosswalkFrame.number(bytes[1..<5]))
            number = CrosswalkFrame.number(bytes[5..<13])
            guard bodyBytes <= CrosswalkFrame.maximumBodyBytes else { return nil }
        }
    }

    static let headBytes = 13
    static let saltBytes = 32
    static let tagBytes = SealingKey.tagByteCount
    /// Far beyond what a batch of trips has; a length above it was changed.
    static let maximumBodyBytes = 1 << 26

    /// What a record's tag holds it to, besides its body.
    static func binding(_ head: [UInt8], headerCode: [UInt8], before tag: [UInt8]) -> [UInt8] {
        headerCode + tag + head
    }

    static func word(_ number: UInt64) -> [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) } }

    static func number(_ bytes: some Sequence<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
}

/// How far a crosswalk goes: its records and trips up to there.
struct CrosswalkEnd: Sendable {
    var byteCount: Int
    var tag: [UInt8]
    var records: UInt64 = 0
    var trips: UInt64 = 0
}
