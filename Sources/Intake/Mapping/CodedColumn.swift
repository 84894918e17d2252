import ExportBytes

/// A column of few distinct values, each turned to a number once.
struct CodedColumn {
    private var interner = TextInterner()
    /// Rows of the last batch without a value.
    private(set) var blanks = 0
    /// Rows of the last batch whose text has bytes that are no UTF-8.
    private(set) var damagedRows: [Int] = []
    private var hasDamage = false
    /// Turned in the number of a damaged text, until it is handed out.
    private static let damage: Int32 = 1 << 30

    /// Writes the number of each of `count` spans to `out`; `make` works out a value met for the first time, without
    /// outer blanks. Absent and blank values get `blank`.
    ///
    /// - Precondition: `spans` and `out` have `count` entries; every span lies in `bytes`.
    @inline(__always)
    mutating func decode(
        _ bytes: UnsafePointer<UInt8>, _ spans: UnsafePointer<UInt64>, count: Int, blank: Int32,
        into out: UnsafeMutablePointer<Int32>, make: (String) -> Int32
    ) {
        if interner.isFull { interner.removeAll() }
        if !damagedRows.isEmpty { damagedRows.removeAll(keepingCapacity: true) }
        var blanks = 0, foundDamage = false
        for row in 0..<count {
            let span = FieldSpan(packed: spans[row])
            let start = span.start
            let length = span.end &- start
            if length == 0 {
                out[row] = blank
                blanks &+= 1
                continue
            }
            out[row] = interner.number(bytes + start, length: length) {
                Self.first(bytes, span, blank: blank, damage: &foundDamage, make: make)
            }
        }
        self.blanks = blanks
        hasDamage = hasDamage || foundDamage
        if hasDamage { takeDamage(out, count: count) }
    }

    /// Notes the rows with a damaged text, and gives them the number that was made.
    private mutating func takeDamage(_ out: UnsafeMutablePointer<Int32>, count: Int) {
        for row in 0..<count where (out[row] ^ (out[row] >> 31)) & Self.damage != 0 {
            out[row] ^= Self.damage
            damagedRows.append(row)
        }
    }

    @inline(never)
    private static func first(
        _ bytes: UnsafePointer<UInt8>, _ span: FieldSpan, blank: Int32, damage: inout Bool, make: (String) -> Int32
    ) -> Int32 {
        let value = span.value(in: bytes)
        if value.isEmpty { return blank }
        // U+FFFD begins with 0xEF: such a text was damaged before.
        if let text = String(validating: value, as: UTF8.self),
            !value.contains(0xEF) || !text.unicodeScalars.contains("\u{FFFD}")
        {
            return make(text)
        }
        damage = true
        return make(String(decoding: value, as: UTF8.self)) ^ Self.damage
    }

    var isFull: Bool { interner.isFull }

    mutating func removeAll() { interner.removeAll() }
}

/// The distinct values a worker has met in one column, each with a number that is worked out once.
///
/// Open addressing; the first 16 bytes of a value are in its slot, longer values lie in an arena. It is emptied when it
/// would outgrow its bound, so that a column of all-different values costs time, not memory.
struct TextInterner {
    private struct Slot: BitwiseCopyable {
        var low: UInt64 = 0
        var high: UInt64 = 0
        var hash: UInt64 = 0
        /// Byte count plus one; 0 marks a free slot.
        var length: UInt32 = 0
        var number: Int32 = 0
        var arenaStart: Int = 0
    }

    private var slots: [Slot]
    private var arena: [UInt8] = []
    private(set) var count = 0

    static let maximumCount = 1 << 15

    init() {
        slots = Array(repeating: Slot(), count: 256)
    }

    var isFull: Bool { count >= Self.maximumCount || arena.count > 1 << 21 }

    mutating func removeAll() {
        self = TextInterner()
    }

    /// The number of the value at `p`, worked out by `make` if it is new.
    ///
    /// - Precondition: `p` has 16 readable bytes beyond `length`.
    @inline(__always)
    mutating func number(_ p: UnsafePointer<UInt8>, length: Int, make: () -> Int32) -> Int32 {
        let low = TextHash.word(p, length)
        let high = length > 8 ? TextHash.word(p + 8, length &- 8) : 0
        let hash =
            length <= 16
            ? TextHash.mix(low ^ 0x8EBC_6AF0_9C88_C6E3, high ^ UInt64(truncatingIfNeeded: length) ^ TextHash.start)
            : TextHash.of(p, count: length)
        let mask = slots.count &- 1
        var at = Int(truncatingIfNeeded: hash) & mask
        while true {
            let slot = slots[at]
            if slot.length == 0 { break }
            if slot.hash == hash, slot.low == low, slot.high == high, Int(slot.length) == length &+ 1,
                length <= 16 || isSame(slot, p, length)
            {
                return slot.number
            }
            at = (at &+ 1) & mask
        }
        return insert(p, length: length, low: low, high: high, hash: hash, number: make())
    }

    private func isSame(_ slot: Slot, _ p: UnsafePointer<UInt8>, _ length: Int) -> Bool {
        for index in 0..<length where arena[slot.arenaStart + index] != p[index] { return false }
        return true
    }

    @inline(never)
    private mutating func insert(
        _ p: UnsafePointer<UInt8>, length: Int, low: UInt64, high: UInt64, hash: UInt64, number: Int32
    ) -> Int32 {
        if (count + 1) * 2 > slots.count { grow() }
        var slot = Slot(low: low, high: high, hash: hash, length: UInt32(length + 1), number: number, arenaStart: 0)
        if length > 16 {
            slot.arenaStart = arena.count
            arena.append(contentsOf: UnsafeBufferPointer(start: p, count: length))
        }
        place(slot)
        count += 1
        return number
    }

    private mutating func place(_ slot: Slot) {
        let mask = slots.count - 1
        var at = Int(truncatingIfNeeded: slot.hash) & mask
        while slots[at].length != 0 { at = (at + 1) & mask }
        slots[at] = slot
    }

    private mutating func grow() {
        let old = slots
        slots = Array(repeating: Slot(), count: old.count * 2)
        for slot in old where slot.length != 0 { place(slot) }
    }
}
