/// A number of JSON with an exponent, as its digits and where its decimal point is: exact, never through floating point.
struct ScaledNumber {
    private var isNegative = false
    /// Without zeros at either end; none for 0.
    private var digits: [UInt8] = []
    /// The value is `digits` times ten to this.
    private var power = 0

    /// An exponent beyond it says as much as this one: no text is long enough to make up for it.
    private static let largestExponent = 1 << 40
    /// Digits of the largest value that is given: it fits an `Int` with room for a sum.
    private static let mostDigits = 17

    /// Nil unless it is `-?digits[.digits](e|E)[+-]digits`.
    init?(_ text: some Sequence<UInt8>) {
        var places = 0, hasPoint = false, hasExponent = false, isExponentNegative = false, exponent = 0
        var mantissaDigits = 0, exponentDigits = 0
        var previous: UInt8?
        for byte in text {
            switch byte {
            case 0x30...0x39 where hasExponent:
                exponent = min(exponent * 10 + Int(byte - 0x30), Self.largestExponent)
                exponentDigits += 1
            case 0x30...0x39:
                digits.append(byte - 0x30)
                mantissaDigits += 1
                if hasPoint { places += 1 }
            case 0x2E where !hasPoint && !hasExponent && mantissaDigits > 0: hasPoint = true
            case 0x65 where !hasExponent && mantissaDigits > 0, 0x45 where !hasExponent && mantissaDigits > 0:
                hasExponent = true
            case 0x2D where previous == nil: isNegative = true
            case 0x2D where previous.map { $0 | 0x20 } == 0x65: isExponentNegative = true
            case 0x2B where previous.map { $0 | 0x20 } == 0x65: break
            default: return nil
            }
            previous = byte
        }
        guard exponentDigits > 0 else { return nil }
        power = (isExponentNegative ? -exponent : exponent) - places
        while digits.last == 0 {
            digits.removeLast()
            power += 1
        }
        digits.removeFirst(digits.prefix { $0 == 0 }.count)
    }

    /// A hundred times the value as a whole number; nil if it is too large or, unless it may be rounded half up, not whole.
    func hundredths(rounds: Bool) -> Int? {
        if digits.isEmpty { return 0 }
        // How many digits stand before the decimal point of the result; below 0 there are zeros behind it first.
        let whole = digits.count + power + 2
        guard whole <= Self.mostDigits, rounds || whole >= digits.count else { return nil }
        var value = 0
        for place in 0..<max(0, whole) { value = value * 10 + (place < digits.count ? Int(digits[place]) : 0) }
        if whole >= 0, whole < digits.count, digits[whole] >= 5 { value += 1 }
        return isNegative ? -value : value
    }
}
