/// What the number format of a cell makes of its number.
enum NumberFormat: Equatable {
    case number
    case date, time, dateAndTime
    /// `[h]:mm`: hours may be over 24.
    case elapsed
    /// `00000`: a code of so many digits.
    case digits(Int)

    /// - Parameter code: as the workbook has it, such as `m/d/yyyy h:mm;@`.
    init(code: String) {
        self = Self.read(Array(code.utf8))
    }

    /// - Parameter id: of a format that a workbook need not state. ECMA-376 part 1, 18.8.30.
    init(builtIn id: Int) {
        switch id {
        case 14...17, 27...31, 34...36, 50...54, 57, 58: self = .date
        case 18...21, 32, 33, 45, 47, 55, 56: self = .time
        case 22: self = .dateAndTime
        case 46: self = .elapsed
        default: self = .number
        }
    }

    private static func read(_ code: [UInt8]) -> NumberFormat {
        var hasDate = false, hasTime = false, zeros = 0, others = 0
        var at = 0
        while at < code.count, code[at] != UInt8(ascii: ";") {
            let byte = code[at]
            switch byte {
            case UInt8(ascii: "\""):
                at = code[(at + 1)...].firstIndex(of: byte) ?? code.count
            case UInt8(ascii: "\\"), UInt8(ascii: "_"), UInt8(ascii: "*"):
                at += 1
            case UInt8(ascii: "["):
                let end = code[at...].firstIndex(of: UInt8(ascii: "]")) ?? code.count
                let inside = code[min(at + 1, end)..<end]
                // A colour, a condition and a language are in brackets too.
                if let first = inside.first, "hHmMsS".utf8.contains(first), inside.allSatisfy({ $0 == first }) {
                    return .elapsed
                }
                at = end
            case UInt8(ascii: "y"), UInt8(ascii: "Y"), UInt8(ascii: "d"), UInt8(ascii: "D"), UInt8(ascii: "e"):
                hasDate = true
            case UInt8(ascii: "h"), UInt8(ascii: "H"), UInt8(ascii: "s"), UInt8(ascii: "S"):
                hasTime = true
            case UInt8(ascii: "0"): zeros += 1
            case UInt8(ascii: "E"): return .number
            case UInt8(ascii: "G"), UInt8(ascii: "g"): return .number
            case UInt8(ascii: "@"), UInt8(ascii: "#"), UInt8(ascii: "?"), UInt8(ascii: "."), UInt8(ascii: ","),
                UInt8(ascii: "%"), UInt8(ascii: "/"):
                others += 1
            case UInt8(ascii: "m"), UInt8(ascii: "M"):
                // Months or minutes: what else is there says which.
                if !code.contains(where: { "hHsS".utf8.contains($0) }) { hasDate = true }
            default: break
            }
            at += 1
        }
        if hasDate { return hasTime ? .dateAndTime : .date }
        if hasTime { return .time }
        return zeros > 1 && others == 0 ? .digits(zeros) : .number
    }
}
