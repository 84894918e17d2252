import Trips

// The plain forms of amounts, straight from bytes: here, so that the decoder inlines them.
extension AmountReader {
    /// Hundredths of `bytes[start ..< end]`: a plain decimal with at most two places. Nil for any other form, and for
    /// more than eleven bytes, which the slow readers below decide on.
    ///
    /// - Precondition: 8 bytes can be read at `start`.
    @inline(__always)
    package static func plainHundredths(_ bytes: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> Int? {
        let length = end &- start
        if length &- 1 >= 8 || length < 1 { return length > 8 ? longHundredths(bytes, start, end) : nil }
        // The text at the end of a word, after zeros: the last character is its highest byte.
        let gap = UInt64(truncatingIfNeeded: 64 &- length &* 8)
        let word = UInt64(littleEndian: UnsafeRawPointer(bytes + start).loadUnaligned(as: UInt64.self))
        let digits = (word &<< gap) ^ (0x3030_3030_3030_3030 &<< gap)
        // A point becomes 0x1E; without it, what stands before it moves up.
        let point: UInt64 = 0x2E ^ 0x30
        let number: UInt64, factor: Int
        if (digits >> 40) & 0xFF == point {
            number = digits & 0xFFFF_0000_0000_0000 | (digits & 0x0000_00FF_FFFF_FFFF) << 8
            factor = 1
        } else if (digits >> 48) & 0xFF == point {
            number = digits & 0xFF00_0000_0000_0000 | (digits & 0x0000_FFFF_FFFF_FFFF) << 8
            factor = 10
        } else {
            number = digits
            factor = 100
        }
        if (number | (number &+ 0x7676_7676_7676_7676)) & 0x8080_8080_8080_8080 != 0 { return nil }
        // Pairs of digits, then fours, then all eight.
        let pairs = (number &* 10 &+ (number >> 8)) & 0x00FF_00FF_00FF_00FF
        let fours = (pairs &* 100 &+ (pairs >> 16)) & 0x0000_FFFF_0000_FFFF
        return Int(truncatingIfNeeded: (fours & 0xFFFF) &* 10_000 &+ fours >> 32) &* factor
    }

    /// The same for more than eight bytes.
    @inline(never)
    private static func longHundredths(_ bytes: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> Int? {
        guard end &- start <= 11 else { return nil }
        var value = 0
        var at = start
        while at < end {
            let digit = bytes[at] &- 0x30
            if digit > 9 { break }
            value = value &* 10 &+ Int(digit)
            at &+= 1
        }
        if at == start || value >= maximum / 100 { return nil }
        if at == end { return value &* 100 }
        guard bytes[at] == 0x2E else { return nil }
        switch end &- at {
        case 2:
            let tenths = bytes[at &+ 1] &- 0x30
            return tenths <= 9 ? value &* 100 &+ Int(tenths) &* 10 : nil
        case 3:
            let tenths = bytes[at &+ 1] &- 0x30
            let hundredths = bytes[at &+ 2] &- 0x30
            return tenths <= 9 && hundredths <= 9 ? value &* 100 &+ Int(tenths) &* 10 &+ Int(hundredths) : nil
        default:
            return nil
        }
    }
}
