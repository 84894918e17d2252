import TestSupport

/// Random JSON in random spelling, and random damage to it.
struct JSONGenerator {
    var random: SplitMix64
    static let keys = ["id", "when", "patient", "dob", "cost", "patient.dob", "é", "a\"b", "x", "unit_id", ""]

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    mutating func chance(_ of: Int) -> Bool { Int.random(in: 0..<of, using: &random) == 0 }

    mutating func pick<Element>(_ items: [Element], else other: Element) -> Element {
        items.randomElement(using: &random) ?? other
    }

    mutating func space() -> String {
        chance(4) ? pick([" ", "\n", "\t", "\r\n", "    ", "\n      "], else: " ") : ""
    }

    mutating func scalar() -> String {
        switch Int.random(in: 0..<9, using: &random) {
        case 0: return "null"
        case 1: return pick(["true", "false"], else: "true")
        case 2, 3: return pick(["0", "-0", "12.50", "1e9", "-3.25E-7", "12345678", "123456789012345678"], else: "0")
        default: return quoted(text())
        }
    }

    mutating func text() -> String {
        let pieces = [
            "a", "2026-01-05T10:20:30", "\\\"", "\\\\", "\\n", "\\u00e9", "\\ud83d\\ude00", "\\ud800", "é", "漢",
            "😀", "{", "}", "[", "]", ",", ":", " ", "word word word word", "\u{7F}", "\\/", "0", "null",
        ]
        return (0..<Int.random(in: 0..<(chance(6) ? 40 : 4), using: &random)).map { _ in pick(pieces, else: "") }
            .joined()
    }

    func quoted(_ text: String) -> String { "\"" + text + "\"" }

    mutating func key() -> String {
        let name = pick(Self.keys, else: "id")
        if chance(12), let first = name.unicodeScalars.first, first.value < 0x80, name != "a\"b" {
            let hex = String(first.value, radix: 16)
            return quoted("\\u" + String(repeating: "0", count: 4 - hex.count) + hex + name.dropFirst())
        }
        return quoted(name == "a\"b" ? "a\\\"b" : name)
    }

    mutating func object(depth: Int = 0) -> String {
        let members = (0..<Int.random(in: 0..<8, using: &random)).map { _ in
            space() + key() + space() + ":" + space() + value(depth: depth + 1) + space()
        }
        return "{" + (members.isEmpty ? space() : members.joined(separator: ",")) + "}"
    }

    mutating func value(depth: Int = 0) -> String {
        guard depth < 4, chance(4) else { return scalar() }
        if chance(2) { return object(depth: depth) }
        let elements = (0..<Int.random(in: 0..<4, using: &random)).map { _ in
            space() + value(depth: depth + 1) + space()
        }
        return "[" + (elements.isEmpty ? space() : elements.joined(separator: ",")) + "]"
    }

    /// Objects of one shape, with their keys in one order but for some that are left out or swapped.
    mutating func record() -> String {
        let separator = pick([",", ", ", ",\n  "], else: ",")
        let colon = pick([":", ": "], else: ":")
        var members: [String] = []
        for name in ["id", "when", "patient", "cost", "x", "unit_id", "a_long_key_that_does_not_fit_into_a_step"] {
            if chance(8) { continue }
            let value = name == "patient" && !chance(4) ? object(depth: 2) : scalar()
            members.append(quoted(name) + colon + value)
        }
        if members.count > 2, chance(6) { members.swapAt(0, 2) }
        return "{" + members.joined(separator: separator) + "}"
    }

    /// Flips, cuts out or doubles a few bytes.
    mutating func damage(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...2, using: &random) where !bytes.isEmpty {
            let place = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: bytes[place] = pick(Array("\"\\{}[]:,\n 0a\u{1}é".utf8), else: 0)
            case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 2:
                let end = min(bytes.count, place + Int.random(in: 1...9, using: &random))
                bytes.removeSubrange(place..<end)
            default:
                let end = min(bytes.count, place + Int.random(in: 1...9, using: &random))
                bytes.insert(contentsOf: Array(bytes[place..<end]), at: place)
            }
        }
        return bytes
    }
}
