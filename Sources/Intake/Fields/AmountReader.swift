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

    /// Hundredths of `bytes[start ..< end]`: a plain decimal with at most two places. Nil for any other form, and for
    /// more than eleven bytes, which the slow readers below decide on.
    @inline(__always)
    static func plainHundredths(_ bytes: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> Int? {
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

    /// Cents of an amount of dollars: `1234.5`, `$1,234.56`, `-12`, `(12.00)`, `$-3.10`, `1234.500`. More than two
    /// places that are not zeros are not exact to the cent, so bad.
    ///
    /// - Parameter isNumber: whether it is a number of JSON, which may have an exponent: `1.5e2` is exactly 150. In text an
    ///   exponent is bad: spreadsheets write rounded values that way.
    package static func cents(_ text: some Sequence<UInt8>, isNumber: Bool = false) -> Reading {
        if isNumber, let number = ScaledNumber(text) { return reading(number.hundredths(rounds: false)) }
        var characters = Array(text).trimmingBlanks()
        if characters.isEmpty { return .absent }
        var negative = false
        var signs = 0
        if characters.first == 0x28, characters.last == 0x29 {
            negative = true
            signs = 1
            characters = characters.dropFirst().dropLast()
        }
        var dollars = 0
        while let first = characters.first, first == 0x2D || first == 0x2B || first == 0x24 || first == 0x20 {
            if first == 0x24 { dollars += 1 }
            if first == 0x2D || first == 0x2B { signs += 1 }
            if first == 0x2D { negative.toggle() }
            characters = characters.dropFirst()
        }
        guard signs <= 1, dollars <= 1,
            let value = decimal(characters, places: 2, allowsGroups: true, rounds: false), value <= maximum
        else { return .bad }
        return .value(negative ? -value : value)
    }

    /// Hundredths of a distance, rounded half up at the third place; may be negative.
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
        var characters = Array(text).trimmingBlanks()
        if characters.isEmpty { return .absent }
        let negative = characters.first == 0x2D
        if negative || characters.first == 0x2B { characters = characters.dropFirst() }
        guard let value = decimal(characters, places: 2, allowsGroups: true, rounds: true), value <= maximum else {
            return .bad
        }
        return .value(negative ? -value : value)
    }

    private static func reading(_ value: Int?, maximum: Int = AmountReader.maximum) -> Reading {
        guard let value, value.magnitude <= maximum.magnitude else { return .bad }
        return .value(value)
    }

    /// `digits[,ddd]*[.digits]` scaled by ten to the `places`; nil if it is anything else or too large.
    private static func decimal(
        _ text: ArraySlice<UInt8>, places: Int, allowsGroups: Bool, rounds: Bool
    ) -> Int? {
        let parts = text.split(separator: 0x2E, maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = parts.first, let units = wholeNumber(whole, allowsGroups: allowsGroups) else { return nil }
        let fraction = parts.count > 1 ? parts[1] : []
        if whole.isEmpty && fraction.isEmpty { return nil }
        var value = units
        var roundsUp = false
        for index in 0..<max(places, fraction.count) {
            let byte = index < fraction.count ? fraction[fraction.startIndex + index] : 0x30
            guard (0x30...0x39).contains(byte) else { return nil }
            if index >= places {
                if !rounds && byte != 0x30 { return nil }
                if index == places { roundsUp = byte >= 0x35 }
                continue
            }
            value = value * 10 + Int(byte - 0x30)
        }
        return value + (roundsUp ? 1 : 0)
    }

    private static func wholeNumber(_ text: ArraySlice<UInt8>, allowsGroups: Bool) -> Int? {
        let groups = text.split(separator: 0x2C, omittingEmptySubsequences: false)
        if groups.count > 1 {
            guard allowsGroups, let first = groups.first, (1...3).contains(first.count),
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

extension Array where Element == UInt8 {
    /// Without ASCII blanks (and no-break spaces as UTF-8) at either end.
    func trimmingBlanks() -> ArraySlice<UInt8> {
        var slice = self[...]
        while let first = slice.first {
            if first <= 0x20 {
                slice = slice.dropFirst()
            } else if slice.starts(with: [0xC2, 0xA0]) {
                slice = slice.dropFirst(2)
            } else {
                break
            }
        }
        while let last = slice.last {
            if last <= 0x20 {
                slice = slice.dropLast()
            } else if slice.suffix(2).elementsEqual([0xC2, 0xA0]) {
                slice = slice.dropLast(2)
            } else {
                break
            }
        }
        return slice
    }
}
