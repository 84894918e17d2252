/// A set of codes that are random bits: open addressing, at most two thirds full.
struct IdentifierTable: Sendable {
    /// 0 where there is none.
    private var slots = [UInt64](repeating: 0, count: 16)
    private(set) var count = 0
    /// Whether there were more of them than it may hold.
    private(set) var isFull = false

    /// - Parameter limit: no more than this many are taken.
    mutating func insert(_ code: UInt64, limit: Int) {
        var slot = place(of: code)
        guard slots[slot] != code else { return }
        guard count < limit else {
            isFull = true
            return
        }
        if (count + 1) * 3 > slots.count * 2 {
            grow()
            slot = place(of: code)
        }
        slots[slot] = code
        count += 1
    }

    func contains(_ code: UInt64) -> Bool { slots[place(of: code)] == code }

    /// Where a code is, or would be.
    @inline(__always)
    private func place(of code: UInt64) -> Int {
        let mask = slots.count &- 1
        var slot = Int(truncatingIfNeeded: code) & mask
        while slots[slot] != 0, slots[slot] != code { slot = (slot &+ 1) & mask }
        return slot
    }

    private mutating func grow() {
        let codes = slots
        slots = [UInt64](repeating: 0, count: codes.count * 2)
        for code in codes where code != 0 { slots[place(of: code)] = code }
    }
}
