/// Where a field's value lies in its window, packed in 64 bits: start (32), end (29), then how it is written. Zero stands
/// for absent or JSON null.
struct FieldSpan: BitwiseCopyable {
    /// What must be undone to get at the value.
    enum Escaping {
        case none, doubledQuotes, backslashes
    }

    let packed: UInt64

    @inline(__always)
    init(packed: UInt64) { self.packed = packed }

    @inline(__always)
    init(start: Int, end: Int, hasDoubledQuotes: Bool = false) {
        packed =
            UInt64(truncatingIfNeeded: start) | UInt64(truncatingIfNeeded: end) << 32
            | (hasDoubledQuotes ? Self.doubledQuotes : 0)
    }

    /// A CSV field with `""` in it.
    static let doubledQuotes: UInt64 = 1 << 61
    /// A JSON string with backslashes in it.
    static let backslashes: UInt64 = 1 << 62
    /// A bare JSON literal: number, true, false.
    static let literal: UInt64 = 1 << 63

    @inline(__always) var start: Int { Int(UInt32(truncatingIfNeeded: packed)) }
    @inline(__always) var end: Int { Int((packed >> 32) & 0x1FFF_FFFF) }
    @inline(__always) var isEscaped: Bool { packed & (Self.doubledQuotes | Self.backslashes) != 0 }

    @inline(__always) var isLiteral: Bool { packed & Self.literal != 0 }

    var escaping: Escaping {
        if packed & Self.doubledQuotes != 0 { return .doubledQuotes }
        return packed & Self.backslashes != 0 ? .backslashes : .none
    }
}
