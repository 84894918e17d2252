/// The number formats of a workbook's cells, by their style.
package struct NumberFormats: Sendable {
    private var ofStyle: [NumberFormat] = []
    /// Whether days count from 1904.
    package var is1904 = false
    /// Whether the values of formulas are those of the last calculation.
    var mustBeCalculated = false
    /// Whether numbers are written as `12,5`: the mark that the texts of the export have.
    var hasDecimalComma = false

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

    /// Appends a number as its style shows it.
    func append(_ number: UnsafeBufferPointer<UInt8>, style: Int, to text: inout CSVBuffer) {
        let format = ofStyle.indices.contains(style) ? ofStyle[style] : .number
        switch format {
        case .number: appendPlain(number, to: &text)
        case .digits(let count):
            let whole = WrittenNumber(number)
            if whole.isWhole, number.first != UInt8(ascii: "-") {
                text.append(0x30, count: max(0, count - whole.digits))
            }
            appendPlain(number, to: &text)
        case .amount(let sign):
            for byte in sign.utf8 { text.append(byte) }
            appendPlain(number, to: &text)
        case .date, .time, .dateAndTime, .hoursAndMinutes, .elapsed:
            if !SerialTime.append(number, format, is1904: is1904, to: &text) { appendPlain(number, to: &text) }
        }
    }

    private func appendPlain(_ number: UnsafeBufferPointer<UInt8>, to text: inout CSVBuffer) {
        let written = WrittenNumber(number)
        let plain = written.isShort ? nil : written.plain
        guard !hasDecimalComma || written.isWhole else {
            let digits = plain ?? String(decoding: number.prefix(written.used), as: UTF8.self)
            text.append(UInt8(ascii: "\""))
            for byte in digits.utf8 { text.append(byte == UInt8(ascii: ".") ? UInt8(ascii: ",") : byte) }
            return text.append(UInt8(ascii: "\""))
        }
        if let plain {
            for byte in plain.utf8 { text.append(byte) }
        } else {
            text.appendField(UnsafeBufferPointer(rebasing: number.prefix(written.used)))
        }
    }
}
