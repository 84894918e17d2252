// Money as people and systems write it.
extension AmountReader {
    /// An amount, and the currency that is written beside it.
    package struct Money: Equatable {
        package var cents: Reading
        package var currency: Currency?
    }

    /// Cents of an amount: `1234.5`, `$1,234.56`, `USD 12`, `$12.00 USD`, `1 234.50`, `-12`, `12-`, `(12.00)`, `$(12.00)`,
    /// `12.00 CR`, `12.-`, `1234.500`, and `$ -`, which is zero. More than two places that are not zeros are not exact to the cent,
    /// so bad.
    ///
    /// - Parameter isNumber: whether it is a number of JSON, which may have an exponent (`1.5e2` is exactly 150) or the tail of a binary
    ///   fraction (`30.150000000000002` is 30.15). In text an exponent is bad: spreadsheets write rounded values that way.
    package static func cents(_ text: some Sequence<UInt8>, isNumber: Bool = false) -> Reading {
        money(text, isNumber: isNumber).cents
    }

    /// The same with the currency.
    package static func money(_ text: some Sequence<UInt8>, isNumber: Bool = false) -> Money {
        if isNumber, let number = ScaledNumber(text) { return Money(cents: reading(number.hundredths(rounds: false))) }
        var rest = symbols(text)
        if rest.isEmpty || isFiller(rest) { return Money(cents: .absent) }
        var isNegative = false, hasDash = false, signs = 0
        var currencies: [Currency.Mark] = []
        while let first = rest.first, let last = rest.last {
            if first == 0x28, last == 0x29, rest.count > 1 {
                (signs, isNegative) = (signs + 1, true)
                rest = rest.dropFirst().dropLast()
            } else if first == 0x2D || first == 0x2B {
                (signs, isNegative, hasDash) = (signs + 1, isNegative || first == 0x2D, hasDash || first == 0x2D)
                rest = rest.dropFirst()
            } else if last == 0x2D {
                let dashes = rest.reversed().prefix { $0 == 0x2D }.count
                rest = rest.dropLast(dashes)
                if rest.last == 0x2E {
                    // `12.-` and `12.--` are whole amounts.
                    rest = rest.dropLast()
                } else {
                    (signs, isNegative, hasDash) = (signs + dashes, true, true)
                }
            } else if isMark(first) || isMark(last) {
                let isBefore = isMark(first)
                let count = isBefore ? rest.prefix(while: isMark).count : rest.reversed().prefix(while: isMark).count
                let mark = isBefore ? rest.prefix(count) : rest.suffix(count)
                rest = isBefore ? rest.dropFirst(count) : rest.dropLast(count)
                if mark.elementsEqual("CR".utf8, by: { $0 & 0xDF == $1 }) {
                    (signs, isNegative) = (signs + 1, true)
                } else if let found = Currency.Mark(mark) {
                    currencies.append(found)
                } else {
                    return Money(cents: .bad)
                }
            } else {
                break
            }
            rest = rest.trimmingBlanks()
        }
        guard signs <= 1, let currency = Currency.Mark.common(currencies) else { return Money(cents: .bad) }
        // So spreadsheets show an amount of zero.
        if rest.isEmpty, hasDash, !currencies.isEmpty { return Money(cents: .value(0), currency: currency) }
        guard let value = decimal(rest, rounds: false, hasBinaryTail: isNumber), value <= maximum else {
            return Money(cents: .bad)
        }
        return Money(cents: .value(isNegative ? -value : value), currency: currency)
    }

    /// Part of a currency's sign or code.
    private static func isMark(_ byte: UInt8) -> Bool {
        byte == 0x24 || (0x41...0x5A).contains(byte & 0xDF) && byte >= 0x41
    }

    /// The text in ASCII without outer blanks: any minus sign or dash is `-`, any blank a blank, any apostrophe `'`, a
    /// currency's sign its code. A character that has no place in a number becomes `?`, which has none either.
    static func symbols(_ text: some Sequence<UInt8>) -> ArraySlice<UInt8> {
        let value = Array(text).trimmingBlanks()
        if value.allSatisfy({ $0 < 0x80 }) { return value }
        var symbols: [UInt8] = []
        for scalar in String(decoding: value, as: UTF8.self).unicodeScalars {
            switch scalar.value {
            case ..<0x80: symbols.append(UInt8(truncatingIfNeeded: scalar.value))
            case 0x2010...0x2014, 0x2212, 0xFE63, 0xFF0D: symbols.append(0x2D)
            case 0xA0, 0x2000...0x200A, 0x202F, 0x205F, 0x3000: symbols.append(0x20)
            case 0xAD, 0x200B...0x200F, 0x2060...0x2064, 0xFEFF: break
            case 0x2019, 0x02BC: symbols.append(0x27)
            case 0xFF04: symbols.append(0x24)
            case 0x20AC: symbols += Array("EUR".utf8)
            case 0xA3: symbols += Array("GBP".utf8)
            case 0xA5: symbols += Array("JPY".utf8)
            case 0x20B9: symbols += Array("INR".utf8)
            default: symbols.append(0x3F)
            }
        }
        return symbols.trimmingBlanks()
    }
}

/// A currency by its ISO 4217 code.
package enum Currency: String, CaseIterable, Sendable {
    case usd, cad, aud, nzd, eur, gbp, chf, jpy, cny, inr, mxn, brl, sek, nok, dkk, pln, czk, huf, ils, zar, krw, hkd,
        sgd, php

    private static let signs: [String: Currency] = [
        "$": .usd, "US$": .usd, "USD$": .usd, "$US": .usd, "$USD": .usd, "C$": .cad, "CA$": .cad, "CAN$": .cad,
        "CAD$": .cad,
        "A$": .aud, "AU$": .aud, "AUD$": .aud, "NZ$": .nzd, "MX$": .mxn, "R$": .brl, "HK$": .hkd, "S$": .sgd,
        "RMB": .cny,
    ]

    /// A sign or a code beside an amount.
    struct Mark {
        let currency: Currency
        /// Whether it is `$` alone, which is the sign of several currencies.
        let isDollarSign: Bool

        /// In any case; nil: it is no currency's.
        init?(_ mark: some Collection<UInt8>) {
            let text = String(decoding: mark, as: UTF8.self).uppercased()
            guard let found = Currency.signs[text] ?? Currency(rawValue: text.lowercased()) else { return nil }
            currency = found
            isDollarSign = text == "$"
        }

        /// The currency of an amount with these marks, of which there may be two: `$12 CAD`. Nil inside: no mark; nil: they contradict
        /// each other.
        static func common(_ marks: [Mark]) -> Currency?? {
            guard let first = marks.first, let last = marks.last else { return .some(nil) }
            if marks.count == 1 { return first.currency }
            guard marks.count == 2, !(first.isDollarSign && last.isDollarSign) else { return nil }
            if first.currency == last.currency { return first.currency }
            let dollars: [Currency] = [.usd, .cad, .aud, .nzd, .hkd, .sgd, .mxn]
            if first.isDollarSign, dollars.contains(last.currency) { return last.currency }
            if last.isDollarSign, dollars.contains(first.currency) { return first.currency }
            return nil
        }
    }

    /// `USD`
    package var code: String { rawValue.uppercased() }
}
