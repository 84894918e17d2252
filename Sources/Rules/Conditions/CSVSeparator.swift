/// What separates the fields of a CSV file. Spreadsheets of many languages write semicolons, as the comma is their decimal
/// sign.
package enum CSVSeparator: UInt8, CaseIterable, Sendable {
    case comma = 0x2C
    case semicolon = 0x3B
    case tab = 0x09

    /// The one that the header line has most of, quoted text left out; the comma if it has none.
    package init(ofHeaderIn bytes: [UInt8]) {
        var counts: [UInt8: Int] = [:]
        var isQuoted = false
        for byte in bytes {
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            if isQuoted { continue }
            if byte == 0x0A || byte == 0x0D { break }
            counts[byte, default: 0] += 1
        }
        var most = CSVSeparator.comma
        for separator in Self.allCases where counts[separator.rawValue] ?? 0 > counts[most.rawValue] ?? 0 {
            most = separator
        }
        self = most
    }

    var plural: String {
        switch self {
        case .comma: "commas"
        case .semicolon: "semicolons"
        case .tab: "tabs"
        }
    }
}
