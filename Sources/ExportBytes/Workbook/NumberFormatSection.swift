/// One section of a number format: what it shows of a number. ECMA-376 part 1, 18.8.31.
struct NumberFormatSection {
    private var hasDate = false
    private var hasHours = false
    private var hasSeconds = false
    private var hasElapsed = false
    /// Months or minutes: what else is there says which.
    private var hasMonthsOrMinutes = false
    private var zeros = 0
    private var otherDigits = 0
    private var hasDecimalMark = false
    /// Letters that no time has, outside quotes.
    private var hasOtherLetters = false
    private var isGeneral = false
    /// What is written beside the number as it is.
    private var literal: [UInt8] = []

    init(_ section: ArraySlice<UInt8>) {
        let code = Array(section)
        var at = 0
        while at < code.count { at += read(code, at) }
    }

    /// Nil: it shows nothing of the number.
    var format: NumberFormat? {
        if isGeneral { return .number }
        // A time has no places for digits, but for the parts of a second.
        if zeros + otherDigits == 0, !hasOtherLetters {
            let hasTime = hasHours || hasSeconds
            if hasElapsed, !hasDate { return .elapsed }
            if hasDate || hasMonthsOrMinutes && !hasTime && !hasElapsed {
                return hasTime || hasElapsed ? .dateAndTime : .date
            }
            if hasTime { return hasSeconds ? .time : .hoursAndMinutes }
        }
        if let currency { return .amount(currency) }
        guard zeros + otherDigits > 0 || hasOtherLetters else { return nil }
        return zeros > 1 && otherDigits == 0 && !hasDecimalMark && !hasOtherLetters && literal.isEmpty
            ? .digits(zeros) : .number
    }

    /// The sign or code of a currency beside the number.
    private var currency: String? {
        let text = String(decoding: literal, as: UTF8.self)
        for sign in ["US$", "C$", "A$", "R$", "€", "£", "¥", "₹"] where text.contains(sign) { return sign }
        for code in ["USD", "EUR", "GBP", "CAD", "AUD", "CHF", "JPY", "MXN", "BRL", "SEK", "NOK", "DKK", "PLN"]
        where text.split(whereSeparator: { !$0.isLetter }).contains(where: { $0.uppercased() == code }) {
            return code
        }
        return text.contains("$") ? "$" : nil
    }

    /// - Returns: how many bytes of the code were read.
    private mutating func read(_ code: [UInt8], _ at: Int) -> Int {
        let byte = code[at]
        switch byte {
        case UInt8(ascii: "\""):
            let end = code[(at + 1)...].firstIndex(of: byte) ?? code.count
            literal += code[(at + 1)..<end]
            return end - at + 1
        case UInt8(ascii: "\\"):
            if at + 1 < code.count { literal.append(code[at + 1]) }
            return 2
        case UInt8(ascii: "_"), UInt8(ascii: "*"): return 2
        case UInt8(ascii: "["):
            let end = code[at...].firstIndex(of: UInt8(ascii: "]")) ?? code.count
            readBrackets(code[min(at + 1, end)..<end])
            return end - at + 1
        case UInt8(ascii: "."):
            // Parts of a second, as in `ss.000`.
            let isOfSecond = at > 0 && (code[at - 1] | 0x20 == UInt8(ascii: "s") || code[at - 1] == UInt8(ascii: "]"))
            if !isOfSecond { hasDecimalMark = true }
            return 1 + (isOfSecond ? code[(at + 1)...].prefix { $0 == 0x30 }.count : 0)
        case UInt8(ascii: "0"): zeros += 1
        case UInt8(ascii: "#"), UInt8(ascii: "?"), UInt8(ascii: "%"), UInt8(ascii: "@"): otherDigits += 1
        case 0x80...: literal.append(byte)
        case UInt8(ascii: "$"): literal.append(byte)
        case 0x41...0x5A, 0x61...0x7A: return readLetters(code, at)
        default: break
        }
        return 1
    }

    /// Hours that are not cut at a day, a currency with its language, a colour, a condition.
    private mutating func readBrackets(_ inside: ArraySlice<UInt8>) {
        guard let first = inside.first else { return }
        if "hHmMsS".utf8.contains(first), inside.allSatisfy({ $0 == first }) {
            hasElapsed = true
        } else if first == UInt8(ascii: "$") {
            literal += inside.dropFirst().prefix { $0 != UInt8(ascii: "-") }
        }
    }

    /// A run of letters, such as `yyyy`, `AM`, `General` or `USD`.
    private mutating func readLetters(_ code: [UInt8], _ at: Int) -> Int {
        let run = code[at...].prefix { (0x41...0x5A).contains($0 & 0xDF) && $0 < 0x80 }
        let word = String(decoding: run, as: UTF8.self).lowercased()
        if word == "general" {
            isGeneral = true
        } else if ["am", "pm", "a", "p", "aaa", "aaaa", "b", "g", "gg", "ggg"].contains(word) {
            // Halves of a day, days of a week, eras.
        } else if word.allSatisfy({ "ydmhseg".contains($0) }), !(word == "e" && zeros + otherDigits > 0) {
            if word.contains(where: { "yde".contains($0) }) { hasDate = true }
            if word.contains("h") { hasHours = true }
            if word.contains("s") { hasSeconds = true }
            if word.contains("m") { hasMonthsOrMinutes = true }
        } else {
            hasOtherLetters = true
            literal += run
        }
        return run.count
    }
}
