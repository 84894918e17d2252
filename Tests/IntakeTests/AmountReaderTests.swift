import Foundation
import Intake
import TestSupport
import Testing
import Trips

/// Amounts beside `Decimal`.
@Suite struct AmountReaderTests {
    private static let most = Decimal(AmountReader.maximum)

    /// Cents by the documented forms: an optional pair of parentheses, one sign and one `$` in any order, digits in
    /// groups of three or not at all, and places that say nothing beyond the cent.
    private static func cents(_ text: String) -> AmountReader.Reading {
        var rest = text.trimmingCharacters(in: .whitespaces)
        if rest.isEmpty || rest.range(of: #"^-9{4,}(\.0*)?$"#, options: .regularExpression) != nil { return .absent }
        var negative = false, signs = 0, dollars = 0
        while let first = rest.first, let last = rest.last {
            if first == "(", last == ")", rest.count > 1 {
                negative = true
                signs += 1
                rest = String(rest.dropFirst().dropLast())
            } else if "+-$ ".contains(first) {
                if first == "$" { dollars += 1 }
                if first == "+" || first == "-" { signs += 1 }
                if first == "-" { negative = true }
                rest.removeFirst()
            } else if last == "-" {
                let dashes = rest.reversed().prefix { $0 == "-" }.count
                rest.removeLast(dashes)
                if rest.last == "." {
                    rest.removeLast()
                } else {
                    signs += dashes
                    negative = true
                }
            } else if "$ ".contains(last) {
                if last == "$" { dollars += 1 }
                rest.removeLast()
            } else {
                break
            }
        }
        if rest.isEmpty, signs == 1, dollars == 1, text.contains("-") { return .value(0) }
        guard signs <= 1, dollars <= 1, let value = scaled(rest) else { return .bad }
        var exact = Decimal(), input = value
        NSDecimalRound(&exact, &input, 0, .plain)
        guard exact == value, value <= most else { return .bad }
        let whole = NSDecimalNumber(decimal: exact).intValue
        return .value(negative ? -whole : whole)
    }

    private static func scaled(_ text: String) -> Decimal? {
        let pattern = #"^([0-9]{1,15}|[1-9][0-9]{0,2}(,[0-9]{3}){1,4}|[1-9][0-9]{0,2}( [0-9]{3}){1,4})?(\.[0-9]*)?$"#
        guard text.range(of: pattern, options: .regularExpression) != nil, text != "", text != "." else { return nil }
        let digits = "0" + text.replacing(",", with: "").replacing(" ", with: "") + (text.contains(".") ? "0" : "")
        return Decimal(string: digits, locale: Locale(identifier: "en_US_POSIX")).map { $0 * 100 }
    }

    @Test func centsAreThoseOfADecimal() {
        var random = SplitMix64(seed: 0xCE27)
        let pieces = ["1", "23", "456", "0", ",", ".", "$", "-", "+", "(", ")", " ", "00", "999", "e", "5"]
        for _ in 0..<FuzzPlan.iterations(40_000) {
            let count = Int.random(in: 0...7, using: &random)
            let text = (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
            let found = AmountReader.cents(Array(text.utf8)), expected = Self.cents(text)
            if found != expected { Issue.record("“\(text)” is \(found), not \(expected)") }
        }
    }

    @Test(arguments: [
        ("1234.5", 123_450), ("$1,234.56", 123_456), ("(12.00)", -1200), ("$-3.10", -310), ("-$3.10", -310),
        (".5", 50), ("7.", 700), ("1234.500", 123_450), ("USD 1234.56", 123_456), ("1234.56 USD", 123_456),
        ("US$1,234.56", 123_456), ("$ 1,234.56", 123_456), ("1234.56$", 123_456), ("1,234.560", 123_456),
        ("1 234.56", 123_456), ("1\u{202F}234.56", 123_456), ("1\u{A0}234\u{A0}567.00", 123_456_700),
        ("1'234.56", 123_456), ("1\u{2019}234.56", 123_456), ("1803.27-", -180_327), ("\u{2212}1645.38", -164_538),
        ("\u{2013}950.39", -95_039), ("(1,372.42) ", -137_242), ("1807.41 CR", -180_741), ("$(1151.28)", -115_128),
        ("($1151.28)", -115_128), ("- 12.00", -1200), ("\u{200B}12.00\u{FEFF}", 1200), ("12.00 €", 1200),
        ("$137.15 USD", 13_715), ("USD $137.15", 13_715), ("$137.15 CAD", 13_715), ("137.15 cr", -13_715),
        ("CR 137.15", -13_715), ("137.-", 13_700), ("137.–", 13_700), ("CHF 137.--", 13_700), ("$ -   ", 0),
        (" -   €", 0),
        ("-$", 0),
    ])
    func writtenFormsOfMoney(text: String, cents: Int) {
        #expect(AmountReader.cents(Array(text.utf8)) == .value(cents))
    }

    @Test(arguments: [
        "-$1,2", "1,234 567", "12 34", "5 XYZ", "$5 GBP", "$ $5", "€5 USD", "(5)-", "-5 CR", "5 $ 6", "12.345",
        "1,23.00", "1e3", "12..5",
        "$$4", "--4", "(-4)", "NaN", "0x10", "4 5", "$", "()",
        "12½", "129¢", "129万", "129٣", "≈129.25", "₽129.25", "129.25 км", "$ --", "($)",
    ])
    func whatIsNotExactMoneyIsBad(text: String) {
        #expect(AmountReader.cents(Array(text.utf8)) == .bad)
    }

    @Test(arguments: ["-9999", "-99999.00", "-9999.", " -999999 "]) func negativeNinesAreNoValue(text: String) {
        #expect(AmountReader.cents(Array(text.utf8)) == .absent)
        #expect(AmountReader.hundredths(Array(text.utf8)) == .absent)
    }

    @Test(arguments: [("-999", -99_900), ("-9999.99", -999_999), ("9999", 999_900)])
    func otherNinesAreAmounts(text: String, cents: Int) {
        #expect(AmountReader.cents(Array(text.utf8)) == .value(cents))
    }

    @Test(arguments: [
        ("€12", "EUR"), ("12 gbp", "GBP"), ("C$ 5.00", "CAD"), ("$5", "USD"), ("US$5", "USD"), ("$5 CAD", "CAD"),
        ("5", nil),
    ])
    func theCurrencyBesideAnAmountIsKnown(text: String, code: String?) {
        #expect(AmountReader.money(Array(text.utf8)).currency?.code == code)
    }

    /// Programs write what a binary fraction leaves.
    @Test(arguments: [
        ("30.150000000000002", 3015), ("30.14999999999999", 3015), ("0.30000000000000004", 30),
        ("-1.9999999999999998", -200),
        ("30.15000002", nil), ("30.155", nil),
    ])
    func numbersOfJSONMayHaveABinaryTail(text: String, cents: Int?) {
        #expect(AmountReader.cents(Array(text.utf8), isNumber: true) == cents.map { .value($0) } ?? .bad)
        #expect(AmountReader.cents(Array(text.utf8)) == .bad)
    }

    @Test(arguments: [("2.005", 201), ("2.004", 200), ("-1.5", -150), ("0.995", 100), ("12", 1200)])
    func distancesRoundHalfUp(text: String, hundredths: Int) {
        #expect(AmountReader.hundredths(Array(text.utf8)) == .value(hundredths))
    }

    @Test func aLongSequenceIsNoAmountAndStillANumber() {
        #expect(AmountReader.hundredths(Array("20260301123000".utf8)) == .bad)
        #expect(AmountReader.hundredths(Array("20260301123000".utf8), maximum: .max) == .value(2_026_030_112_300_000))
    }

    @Test(arguments: [
        ("1e2", 10_000), ("1.5E1", 1500), ("25e-1", 250), ("1E+2", 10_000), ("-1e0", -100),
        ("0e999999999999999999999", 0),
        ("0.0e-5", 0), ("120e-1", 1200), ("1234.5e-2", nil), ("1.25e-1", nil), ("1e8", 10_000_000_000), ("1e9", nil),
        ("1e99999999999999999999", nil), ("1e-99999999999999999999", nil), ("1000000000000e-10", 10_000),
    ])
    func numbersOfJSONWithExponentsAreExactCents(text: String, cents: Int?) {
        #expect(AmountReader.cents(Array(text.utf8), isNumber: true) == cents.map { .value($0) } ?? .bad)
        #expect(AmountReader.cents(Array(text.utf8)) == .bad)
    }

    /// Half up at the third place, as without an exponent.
    @Test(arguments: [
        ("1e2", 10_000), ("25e-1", 250), ("1234.5e-2", 1235), ("1.244999e1", 1245), ("5e-3", 1), ("4.9e-3", 0),
        ("5e-4", 0), ("-2.5e0", -250), ("1e-99999999999999999999", 0), ("1e9", nil),
    ])
    func numbersOfJSONWithExponentsAreHundredthsOfMiles(text: String, hundredths: Int?) {
        #expect(AmountReader.hundredths(Array(text.utf8), isNumber: true) == hundredths.map { .value($0) } ?? .bad)
    }

    @Test(arguments: ["e2", "1e", "1e+", "1ee2", "1e2.5", "1e2-", "--1e2", "1-e2", "$1e2", "1,000e2", "true", "1e2 "])
    func whatIsNoNumberOfJSONIsBad(text: String) {
        #expect(AmountReader.cents(Array(text.utf8), isNumber: true) == .bad)
    }

    @Test func randomNumbersWithExponentsAreThoseOfDecimal() {
        var random = SplitMix64(seed: 0xE4)
        for _ in 0..<FuzzPlan.iterations(4000) {
            let whole = Int.random(in: 0...99_999, using: &random)
            let places = Int.random(in: 0...4, using: &random)
            let fraction = (0..<places).map { _ in "\(Int.random(in: 0...9, using: &random))" }.joined()
            let power = Int.random(in: -9...9, using: &random)
            let mantissa = "\(whole)" + (places > 0 ? "." + fraction : "")
            let posix = Locale(identifier: "en_US_POSIX")
            guard let value = Decimal(string: mantissa, locale: posix) else { continue }
            var scaled = Decimal()
            var input = value
            _ = NSDecimalMultiplyByPowerOf10(&scaled, &input, Int16(power + 2), .plain)
            var rounded = Decimal()
            NSDecimalRound(&rounded, &scaled, 0, .plain)
            let text = Array("\(mantissa)e\(power)".utf8)
            let isExact = rounded == scaled && rounded <= Self.most
            let number = NSDecimalNumber(decimal: rounded).intValue
            #expect(AmountReader.cents(text, isNumber: true) == (isExact ? .value(number) : .bad))
            #expect(AmountReader.hundredths(text, isNumber: true) == (rounded <= Self.most ? .value(number) : .bad))
        }
    }

    @Test(arguments: [("279,82", 27_982), ("1.279,5", 127_950), ("-3", -300), ("1.279", 127_900)])
    func aDecimalCommaIsReadAsAPoint(text: String, cents: Int) {
        #expect(AmountReader.cents(AmountReader.exchangingMarks(text.utf8)) == .value(cents))
    }

    @Test(arguments: ["279.82", "1,279,5", "27982.5"]) func aPointIsThenNoDecimalMark(text: String) {
        #expect(AmountReader.cents(AmountReader.exchangingMarks(text.utf8)) == .bad)
    }
}
