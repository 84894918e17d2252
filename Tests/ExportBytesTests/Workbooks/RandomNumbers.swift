import Foundation
import TestSupport

/// Numbers as a workbook writes them, each with what its style shows.
struct RandomNumbers {
    var random: SplitMix64

    mutating func pair(_ kind: SheetStyle.Kind, is1904: Bool) -> (written: String, shown: String) {
        switch kind {
        case .general: general()
        case .digits: digits()
        case .date, .hoursAndMinutes, .time, .dateAndTime, .elapsed: moment(kind, is1904: is1904)
        }
    }

    private mutating func chance(_ of: Int) -> Bool { Int.random(in: 0..<of, using: &random) == 0 }

    /// A number of up to 15 digits, plain or as a program writes it that computes with binary fractions.
    private mutating func general() -> (written: String, shown: String) {
        let count = chance(3) ? 15 : Int.random(in: 1...15, using: &random)
        let isNines = chance(20)
        var digits = (0..<count).map { _ in isNines ? 9 : Int.random(in: 0...9, using: &random) }
        if digits[0] == 0 { digits[0] = 7 }
        if digits[count - 1] == 0 { digits[count - 1] = 3 }
        let exponent = chance(3) ? Int.random(in: -20...20, using: &random) : Int.random(in: -2...8, using: &random)
        let plain = (chance(3) ? "-" : "") + Self.plain(digits.map(String.init).joined(), exponent: exponent)
        guard let value = Double(plain) else { return (plain, plain) }
        let written =
            switch Int.random(in: 0..<6, using: &random) {
            case 0: String(format: "%.17g", value)
            case 1: String(format: "%.16E", value)
            case 2: String(format: "%.14e", value)
            case 3 where plain.count < 13: plain + (plain.contains(".") ? "0" : ".0")
            default: plain
            }
        // A large number is kept as it is: with its exponent, or with all of its digits.
        let isKept = abs(value) >= 1e15 || !written.contains(where: { ".eE".contains($0) })
        return (written, isKept ? written : plain)
    }

    /// The digits `d.ddd` times ten to the power of the exponent, without one.
    static func plain(_ digits: String, exponent: Int) -> String {
        if exponent < 0 { return "0." + String(repeating: "0", count: -exponent - 1) + digits }
        if digits.count <= exponent + 1 {
            return digits + String(repeating: "0", count: exponent + 1 - digits.count)
        }
        let point = digits.index(digits.startIndex, offsetBy: exponent + 1)
        return digits[..<point] + "." + digits[point...]
    }

    /// A code of five digits, whose leading zeros the number has lost.
    private mutating func digits() -> (written: String, shown: String) {
        if chance(5) { return ("12.5", "12.5") }
        let number = String(Int.random(in: 0...(chance(4) ? 9_999_999 : 99_999), using: &random))
        return (number, String(repeating: "0", count: max(0, 5 - number.count)) + number)
    }

    /// Days and a part of a day.
    private mutating func moment(_ kind: SheetStyle.Kind, is1904: Bool) -> (written: String, shown: String) {
        if chance(20) { return ("-1.5", "-1.5") }
        let days = chance(6) ? Int.random(in: 0...70, using: &random) : Int.random(in: 0...80_000, using: &random)
        let second = chance(3) ? 0 : Int.random(in: 0..<86_400, using: &random)
        let value = Double(days) + Double(second) / 86_400
        let written =
            chance(5)
            ? String(format: "%.16E", value)
            : second == 0 && chance(2)
                ? "\(days)" : String(format: "%.\(Int.random(in: 6...10, using: &random))f", value)
        if let shown = Self.shown(days: days, second: second, kind, is1904: is1904) { return (written, shown) }
        // It is shown as the number that it is: let that be a plain one.
        return ("\(days)", Self.shown(days: days, second: 0, kind, is1904: is1904) ?? "\(days)")
    }

    /// Nil: no day has this number.
    static func shown(days: Int, second: Int, _ kind: SheetStyle.Kind, is1904: Bool) -> String? {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        func clock(_ second: Int) -> String {
            two(second / 3600) + ":" + two(second / 60 % 60) + ":" + two(second % 60)
        }
        if kind == .elapsed, days < 10_000 { return clock(days * 86_400 + second) }
        if kind == .hoursAndMinutes, days <= 2, second % 60 == 0 { return String(clock(second).dropLast(3)) }
        if kind == .time || kind == .hoursAndMinutes, days <= 2 { return clock(second) }
        if kind == .dateAndTime, days == 0 { return clock(second) }
        // Day 1 is 1900-01-01, and day 60 a 29 February that there was not; or day 0 is 1904-01-01.
        if !is1904, days == 0 || days == 60 { return nil }
        var left = is1904 ? days : days < 60 ? days - 1 : days - 2
        var year = is1904 ? 1904 : 1900, month = 0
        func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }
        while left >= (isLeap(year) ? 366 : 365) {
            left -= isLeap(year) ? 366 : 365
            year += 1
        }
        let lengths = [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        while left >= lengths[month] {
            left -= lengths[month]
            month += 1
        }
        let day = "\(year)-" + two(month + 1) + "-" + two(left + 1)
        return kind == .date && second == 0 ? day : day + " " + clock(second)
    }
}
