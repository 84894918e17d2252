/// The keys of records that no field is read from, each noted once: what shows that later records have other keys than the
/// first ones.
///
/// The walk notes a key only where no learned step predicts it, so sound records cost nothing.
struct JSONUnneededKeys: Sendable {
    /// Where an unneeded key of a record lies in the text.
    struct KeyPlace: Sendable {
        /// Of the object that it is in.
        var node: Int32 = 0
        var from = 0
        var to = 0
        /// Of its value.
        var value = 0
        var hasEscapes = false
    }

    static let mostOfRecord = 1024
    /// Keys that are values have no end.
    static let most = 4096
    /// Of an object below such a key, so many bytes are looked at.
    private static let mostBytes = 1 << 14

    /// Of the record at hand.
    var places = [KeyPlace](repeating: KeyPlace(), count: mostOfRecord)
    /// Dotted, in the order of their coming.
    private(set) var names: [String] = []
    /// Hashes of the known keys: open addressing, 0 where there is none. A key that is too long to be predicted is looked up in
    /// each record.
    private var table = [UInt64](repeating: 0, count: 2 * most)
    private var knownCount = 0

    /// Takes the first `count` places, of a record that ends at `end`.
    mutating func add(_ count: Int, in bytes: UnsafePointer<UInt8>, end: Int, tree: JSONKeyTree) {
        for index in 0..<count {
            let place = places[index]
            // A text has at least 64 readable bytes beyond it.
            let hash = TextHash.of(
                bytes + place.from, count: place.to - place.from, seed: UInt64(truncatingIfNeeded: place.node))
            guard insert(hash | 1) else { continue }
            let name = prefix(of: place.node, tree) + key(place, bytes)
            names.append(name)
            guard place.value < end, bytes[place.value] == UInt8(ascii: "{") else { continue }
            let inside = Array(
                UnsafeBufferPointer(start: bytes + place.value, count: min(end - place.value, Self.mostBytes)))
            guard let (outline, _) = JSONOutline.of(inside) else { continue }
            names += outline.keys(prefix: name + ".")
        }
    }

    /// Whether the hash is new and there is room for it.
    private mutating func insert(_ hash: UInt64) -> Bool {
        var slot = Int(truncatingIfNeeded: hash >> 1) & (table.count - 1)
        while table[slot] != 0 {
            if table[slot] == hash { return false }
            slot = (slot + 1) & (table.count - 1)
        }
        guard knownCount < Self.most else { return false }
        table[slot] = hash
        knownCount += 1
        return true
    }

    private func key(_ place: KeyPlace, _ bytes: UnsafePointer<UInt8>) -> String {
        let text =
            place.hasEscapes
            ? JSONString.unescape(bytes, from: place.from, to: place.to)
            : Array(UnsafeBufferPointer(start: bytes + place.from, count: place.to - place.from))
        return String(decoding: text, as: UTF8.self)
    }

    private func prefix(of node: Int32, _ tree: JSONKeyTree) -> String {
        var names: [String] = []
        var node = Int(node)
        while node > 0 {
            names.append(String(decoding: tree.nodes[node].name, as: UTF8.self))
            node = Int(tree.nodes[node].parent)
        }
        return names.reversed().map { $0 + "." }.joined()
    }
}
