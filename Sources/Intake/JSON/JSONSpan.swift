/// Where a value lies, in the 64 bits that `JSONRecordParser` writes: start in the low 32, end in the 29 above.
///
/// A string's span excludes its quotes; that of an empty string is empty, but never 0, as a quote stands before it.
package struct JSONSpan: Hashable, Sendable {
    /// Bit 62: the string holds escapes; take its text through `JSONText.unescape`.
    package static let escapeFlag: UInt64 = 1 << 62
    /// Bit 63: a number, `true` or `false`.
    package static let literalFlag: UInt64 = 1 << 63

    package let bits: UInt64

    package init(bits: UInt64) { self.bits = bits }

    /// Whether there is no value: absent, null, or not a scalar.
    package var isAbsent: Bool { bits == 0 }
    package var start: Int { Int(bits & 0xFFFF_FFFF) }
    package var end: Int { Int(bits >> 32 & 0x1FFF_FFFF) }
    package var hasEscapes: Bool { bits & Self.escapeFlag != 0 }
    package var isLiteral: Bool { bits & Self.literalFlag != 0 }
}
