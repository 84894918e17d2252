/// Decimal digits of numbers, for rows of many numbers. Public, as only that is inlined into other modules.
public enum DecimalDigits {
    /// The eight digits of a number below 10⁸, the highest in the lowest byte. Each is 0 to 9, not a character.
    ///
    /// Divides into two numbers below 10⁴, those into four below 100, and those into eight digits: each time all parts
    /// of the word at once, by multiplications that give the quotient of every number of that size.
    @inlinable
    @inline(__always)
    public static func eight(_ number: UInt32) -> UInt64 {
        let fours = UInt64(number / 10_000) | UInt64(number % 10_000) << 32
        let hundreds = (fours &* 10_486) >> 20 & 0x0000_007F_0000_007F
        let twos = hundreds | (fours &- hundreds &* 100) << 16
        let tens = (twos &* 103) >> 10 & 0x000F_000F_000F_000F
        return tens | (twos &- tens &* 10) << 8
    }

    /// Combined with eight digits by `|`, makes ASCII characters of them.
    @inlinable
    @inline(__always)
    public static var characters: UInt64 { 0x3030_3030_3030_3030 }
}
