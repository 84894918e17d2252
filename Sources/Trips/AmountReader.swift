/// Money and distances as whole numbers, never through floating point.
package enum AmountReader {
    package enum Reading: Equatable {
        case absent
        case value(Int)
        case bad
    }

    /// The largest amount that is believed: 100 million dollars or miles, in hundredths. So a sum over 900 million
    /// trips still fits, and a slip of the keyboard is a warning and not a wrong total.
    package static let maximum = 10_000_000_000

    /// Hundredths of a distance, rounded half up at the third place; may be negative, and have `mi` or `miles` behind it.
    ///
    /// - Parameters:
    ///   - maximum: a larger one is bad.
    ///   - isNumber: see `cents`.
    package static func hundredths(
        _ text: some Sequence<UInt8>, maximum: Int = AmountReader.maximum, isNumber: Bool = false
    ) -> Reading {
        if isNumber, let number = ScaledNumber(text) {
            return reading(number.hundredths(rounds: true), maximum: maximum)
        }
        var characters = withoutMiles(symbols(text))
        if characters.isEmpty || isFiller(characters) { return .absent }
        let negative = characters.first == 0x2D
        if negative || characters.first == 0x2B { characters = characters.dropFirst() }
        guard let value = decimal(characters, rounds: true), value <= maximum else {
            return .bad
        }
        return .value(negative ? -value : value)
    }

    /// Kilometers are not taken off: whether distances are in them is stated in the profile.
    private static func withoutMiles(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard let last = text.last, last > 0x39, let first = text.first, first <= 0x39 else { return text }
        for word in ["miles", "mile", "mi.", "mi"]
        where text.suffix(word.utf8.count).elementsEqual(word.utf8, by: { $0 | 0x20 == $1 }) {
            return text.dropLast(word.utf8.count).trimmingBlanks()
        }
        return text
    }

    /// A text with a decimal comma as the readers take it: `1.234,50` is `1,234.50`.
    package static func exchangingMarks(_ text: some Sequence<UInt8>) -> [UInt8] {
        text.map { $0 == 0x2C ? 0x2E : $0 == 0x2E ? 0x2C : $0 }
    }

    static func reading(_ value: Int?, maximum: Int = AmountReader.maximum) -> Reading {
        guard let value, value.magnitude <= maximum.magnitude else { return .bad }
        return .value(value)
    }

    /// Whether it is a negative number of nines, which systems write for no value: `-9999`, `-99999.00`.
    static func isFiller(_ symbols: ArraySlice<UInt8>) -> Bool {
        guard symbols.count > 4, symbols.first == 0x2D else { return false }
        let rest = symbols.dropFirst().drop { $0 == 0x39 }
        return symbols.count - rest.count > 4
            && (rest.isEmpty || rest.first == 0x2E && rest.dropFirst().allSatisfy { $0 == 0x30 })
    }

    /// Hundredths of `digits[,ddd]*[.digits]`, with comma, blank or apostrophe between the groups; nil if it is anything
    /// else or too large.
    ///
    /// - Parameter hasBinaryTail: whether places from the third on may be what a binary fraction leaves: seven zeros or nines, and then
    ///   anything.
    static func decimal(_ text: ArraySlice<UInt8>, rounds: Bool, hasBinaryTail: Bool = false) -> Int? {
        let parts = text.split(separator: 0x2E, maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = parts.first, let units = wholeNumber(whole) else { return nil }
        let fraction = parts.count > 1 ? parts[1] : []
        let tail = fraction.dropFirst(2).prefix(7)
        let rounds =
            rounds
            || hasBinaryTail && tail.count == 7
                && (tail.allSatisfy { $0 == 0x30 } || tail.allSatisfy { $0 == 0x39 })
        if whole.isEmpty && fraction.isEmpty { return nil }
        var value = units
        var roundsUp = false
        for index in 0..<max(2, fraction.count) {
            let byte = index < fraction.count ? fraction[fraction.startIndex + index] : 0x30
            guard (0x30...0x39).contains(byte) else { return nil }
            if index >= 2 {
                if !rounds && byte != 0x30 { return nil }
                if index == 2 { roundsUp = byte >= 0x35 }
                continue
            }
            value = value * 10 + Int(byte - 0x30)
        }
        return value + (roundsUp ? 1 : 0)
    }

    private static func wholeNumber(_ text: ArraySlice<UInt8>) -> Int? {
        let mark = text.first { $0 == 0x2C || $0 == 0x20 || $0 == 0x27 } ?? 0x2C
        let groups = text.split(separator: mark, omittingEmptySubsequences: false)
        if groups.count > 1 {
            // `0,390` is no number of thousands: its comma is a decimal point.
            guard let first = groups.first, (1...3).contains(first.count), first.first != 0x30,
                groups.dropFirst().allSatisfy({ $0.count == 3 })
            else { return nil }
        }
        var value = 0
        var digits = 0
        for byte in groups.joined() {
            guard (0x30...0x39).contains(byte), digits < 15 else { return nil }
            value = value * 10 + Int(byte - 0x30)
            digits += 1
        }
        return value
    }
}

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
