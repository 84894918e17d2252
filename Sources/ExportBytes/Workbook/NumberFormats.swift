import Foundation

/// The number formats of a workbook's cells, by their style.
package struct NumberFormats: Sendable {
    private var ofStyle: [NumberFormat] = []
    /// Whether days count from 1904.
    package var is1904 = false

    init() {}

    /// - Parameter stream: of `styles.xml`.
    package init(_ stream: any ByteStream, file: String) throws(ExportError) {
        var xml = XMLTokenizer(stream, part: "styles.xml", file: file)
        var custom: [Int: NumberFormat] = [:]
        var isOfCells = false
        reading: while true {
            let token = try xml.next()
            switch token {
            case .open, .empty:
                if xml.isNamed("numFmt"), let id = xml.number("numFmtId"), let code = xml.string("formatCode") {
                    custom[id] = NumberFormat(code: code)
                } else if xml.isNamed("cellXfs") {
                    isOfCells = token == .open
                } else if xml.isNamed("xf"), isOfCells {
                    let id = xml.number("numFmtId") ?? 0
                    ofStyle.append(custom[id] ?? NumberFormat(builtIn: id))
                }
            case .close: if xml.isNamed("cellXfs") { isOfCells = false }
            case .text: break
            case .end: break reading
            }
        }
    }

    subscript(style: Int) -> NumberFormat { ofStyle.indices.contains(style) ? ofStyle[style] : .number }
}

extension NumberFormat {
    /// More digits are what binary fractions leave.
    private static let mostDigits = 15

    /// Appends a number as the format shows it.
    func append(_ number: UnsafeBufferPointer<UInt8>, is1904: Bool, to text: inout CSVBuffer) {
        switch self {
        case .number: break
        case .digits(let count):
            let isWhole = number.allSatisfy { (0x30...0x39).contains($0) }
            if isWhole { text.append(0x30, count: max(0, count - number.count)) }
        case .date, .time, .dateAndTime, .elapsed:
            if SerialTime.append(number, self, is1904: is1904, to: &text) { return }
        }
        Self.appendPlain(number, to: &text)
    }

    private static func appendPlain(_ number: UnsafeBufferPointer<UInt8>, to text: inout CSVBuffer) {
        var digits = 0, isPlain = true
        for byte in number {
            if byte &- 0x30 <= 9 { digits += 1 } else if byte | 0x20 == UInt8(ascii: "e") { isPlain = false }
        }
        guard digits > mostDigits || !isPlain, let value = Double(String(decoding: number, as: UTF8.self)),
            value.isFinite
        else { return text.appendField(number) }
        for byte in plain(value).utf8 { text.append(byte) }
    }

    /// With 15 digits and without an exponent.
    private static func plain(_ value: Double) -> String {
        guard value != 0 else { return "0" }
        let parts = String(format: "%.\(mostDigits - 1)e", abs(value)).split(separator: "e")
        guard parts.count == 2, let exponent = Int(parts[1]) else { return "0" }
        var digits = parts[0].filter { $0 != "." }
        while digits.count > 1, digits.last == "0" { digits.removeLast() }
        let text: String
        if exponent < 0 {
            text = "0." + String(repeating: "0", count: -exponent - 1) + digits
        } else if digits.count <= exponent + 1 {
            text = digits + String(repeating: "0", count: exponent + 1 - digits.count)
        } else {
            text = digits.prefix(exponent + 1) + "." + digits.dropFirst(exponent + 1)
        }
        return value < 0 ? "-" + text : text
    }
}
