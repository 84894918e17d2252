/// What the number format of a cell makes of its number.
enum NumberFormat: Equatable {
    case number
    case date, time, dateAndTime
    /// `h:mm`: seconds are not shown.
    case hoursAndMinutes
    /// `[h]:mm`: hours may be over 24.
    case elapsed
    /// `00000`: a code of so many digits.
    case digits(Int)
    /// An amount whose currency is shown, as a sign or a code: `€`.
    case amount(String)

    /// - Parameter code: as the workbook has it, such as `m/d/yyyy h:mm;@`. The first of its sections that shows a number decides;
    ///   of sections with conditions one that shows a time.
    init(code: String) {
        var found: [NumberFormat] = []
        for section in Self.sections(Array(code.utf8)) {
            guard let format = NumberFormatSection(section).format else { continue }
            found.append(format)
        }
        let first = found.first ?? .number
        self = first == .number ? found.first(where: \.isTime) ?? first : first
    }

    private var isTime: Bool {
        switch self {
        case .date, .time, .dateAndTime, .hoursAndMinutes, .elapsed: true
        case .number, .digits, .amount: false
        }
    }

    /// - Parameter id: of a format that a workbook need not state. ECMA-376 part 1, 18.8.30.
    init(builtIn id: Int) {
        switch id {
        case 5...8, 42, 44: self = .amount("$")
        case 14...17, 27...31, 34...36, 50...54, 57, 58: self = .date
        case 18, 20, 32, 55: self = .hoursAndMinutes
        case 19, 21, 33, 45, 47, 56: self = .time
        case 22: self = .dateAndTime
        case 46: self = .elapsed
        default: self = .number
        }
    }

    /// The parts between semicolons that are not in quotes or brackets.
    private static func sections(_ code: [UInt8]) -> [ArraySlice<UInt8>] {
        var sections: [ArraySlice<UInt8>] = []
        var start = 0, at = 0
        while at < code.count {
            switch code[at] {
            case UInt8(ascii: "\""): at = code[(at + 1)...].firstIndex(of: UInt8(ascii: "\"")) ?? code.count
            case UInt8(ascii: "["): at = code[at...].firstIndex(of: UInt8(ascii: "]")) ?? code.count
            case UInt8(ascii: "\\"), UInt8(ascii: "_"), UInt8(ascii: "*"): at += 1
            case UInt8(ascii: ";"):
                sections.append(code[start..<at])
                start = at + 1
            default: break
            }
            at += 1
        }
        sections.append(code[min(start, code.count)...])
        return sections
    }
}
