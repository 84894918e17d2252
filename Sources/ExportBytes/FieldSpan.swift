internal import Trips

/// Where a field's value lies in its window, packed in 64 bits: start (32), end (29), then how it is written.
///
/// Zero stands for absent or JSON null. The span of a string excludes its quotes; that of an empty string is empty, but
/// never zero, because a quote precedes it.
///
/// `public`, because the compiler inlines `@inlinable` functions into another target only if they are public.
public struct FieldSpan: BitwiseCopyable, Hashable {
    /// What must be undone to get the value.
    public enum Escaping: Sendable {
        case none, doubledQuotes, backslashes
    }

    /// All parts in one word.
    public let packed: UInt64

    /// From a word that another span had.
    @inlinable
    @inline(__always)
    public init(packed: UInt64) { self.packed = packed }

    /// The bytes from `start` up to `end`, written plainly or with doubled quotes.
    @inlinable
    @inline(__always)
    public init(start: Int, end: Int, hasDoubledQuotes: Bool = false) {
        packed =
            UInt64(truncatingIfNeeded: start) | UInt64(truncatingIfNeeded: end) << 32
            | (hasDoubledQuotes ? Self.doubledQuotes : 0)
    }

    /// A CSV field with `""` in it.
    @inlinable public static var doubledQuotes: UInt64 { 1 << 61 }
    /// A JSON string with backslashes in it.
    @inlinable public static var backslashes: UInt64 { 1 << 62 }
    /// A bare JSON literal: number, true, false.
    @inlinable public static var literal: UInt64 { 1 << 63 }

    /// The first byte of the value in its window.
    @inlinable
    @inline(__always)
    public var start: Int { Int(UInt32(truncatingIfNeeded: packed)) }
    /// The byte after the value.
    @inlinable
    @inline(__always)
    public var end: Int { Int((packed >> 32) & 0x1FFF_FFFF) }
    /// Bytes as they are written.
    @inlinable
    @inline(__always)
    public var length: Int { end &- start }
    /// Whether escapes must be undone to get the value.
    @inlinable
    @inline(__always)
    public var isEscaped: Bool { packed & (Self.doubledQuotes | Self.backslashes) != 0 }
    /// Whether it is a bare JSON literal.
    @inlinable
    @inline(__always)
    public var isLiteral: Bool { packed & Self.literal != 0 }

    /// Which escapes must be undone.
    @inlinable
    public var escaping: Escaping {
        if packed & Self.doubledQuotes != 0 { return .doubledQuotes }
        return packed & Self.backslashes != 0 ? .backslashes : .none
    }

    // MARK: - Values, for the few callers that need more than the bytes as they are written

    /// The value's bytes as they were meant: see `meantValue`. The span lies in `window`.
    package func value(in window: UnsafePointer<UInt8>) -> ArraySlice<UInt8> {
        Self.bytes(window + start, length, escaping).meantValue()
    }

    /// The value as it was meant; bytes that are not UTF-8 become U+FFFD. The span lies in `window`.
    package func text(in window: UnsafePointer<UInt8>) -> String { String(decoding: value(in: window), as: UTF8.self) }

    /// The bytes as they were meant, of a value written in the `length` bytes at `p`.
    package static func bytes(_ p: UnsafePointer<UInt8>, _ length: Int, _ escaping: Escaping) -> [UInt8] {
        switch escaping {
        case .none: return Array(UnsafeBufferPointer(start: p, count: length))
        case .backslashes: return JSONString.unescape(p, from: 0, to: length)
        case .doubledQuotes:
            var result: [UInt8] = []
            var at = 0
            while at < length {
                result.append(p[at])
                let isDoubled = p[at] == CSVDialect.quote && at + 1 < length && p[at + 1] == CSVDialect.quote
                at += isDoubled ? 2 : 1
            }
            return result
        }
    }
}
