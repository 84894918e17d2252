import Foundation
import Trips

/// Writes records one after the other in the plan's format.
///
/// CSV and TSV follow RFC 4180, with LF line ends and quotes only where they are needed. In JSON a blank is `null`;
/// `sequence` and the odometers are numbers; everything else is the text that CSV has, as in exports that keep cents
/// exact.
struct RecordEncoder {
    private let format: SampleOptions.Format
    private let fields: [CanonicalField]
    private let delimiter: UInt8
    private var delimiterText: Unicode.Scalar { Unicode.Scalar(delimiter) }
    private var isFirst = true

    init(_ plan: SampleOptions) {
        format = plan.format
        fields = plan.fields
        delimiter = UInt8(ascii: plan.format == .tsv ? "\t" : ",")
    }

    func begin(_ buffer: inout [UInt8]) {
        switch format {
        case .csv, .tsv:
            buffer.append(contentsOf: fields.map { Array($0.rawValue.utf8) }.joined(separator: [delimiter]))
            buffer.append("\n")
        case .json: buffer.append("[\n")
        case .ndjson: break
        }
    }

    mutating func append(_ record: SampleRecord, to buffer: inout [UInt8]) {
        switch format {
        case .csv, .tsv: appendLine(record, to: &buffer)
        case .ndjson:
            appendElement(record, to: &buffer)
            buffer.append("\n")
        case .json:
            if !isFirst { buffer.append(",\n") }
            isFirst = false
            appendElement(record, to: &buffer)
        }
    }

    func end(_ buffer: inout [UInt8]) {
        if format == .json { buffer.append("\n]\n") }
    }

    // MARK: - CSV and TSV

    private func appendLine(_ record: SampleRecord, to buffer: inout [UInt8]) {
        let isShort = record.fault == .fieldCount && record.tripNumber % 2 == 0
        for (index, field) in fields.prefix(isShort ? fields.count / 2 : fields.count).enumerated() {
            if index > 0 { buffer.append(delimiter) }
            let start = buffer.count
            record.append(field, to: &buffer)
            let delimiter = delimiter
            if buffer[start...].contains(where: { $0 == delimiter || $0 == 0x22 || $0 == 0x0A || $0 == 0x0D }) {
                let text = Array(buffer[start...])
                buffer.removeSubrange(start...)
                buffer.append("\"")
                for byte in text {
                    if byte == 0x22 { buffer.append(byte) }
                    buffer.append(byte)
                }
                buffer.append("\"")
            }
        }
        // One field more than the header has, so that no reader can take the line for a record.
        switch record.fault {
        case .fieldCount where !isShort: buffer.append("\(delimiterText)left over")
        // Quoted text that goes on after its closing quote.
        case .brokenSyntax: buffer.append("\(delimiterText)\"broken\" quote")
        default: break
        }
        buffer.append("\n")
    }

    // MARK: - JSON

    private func appendElement(_ record: SampleRecord, to buffer: inout [UInt8]) {
        switch record.fault {
        case .fieldCount: return buffer.append("[\"not an object\"]")
        case .brokenSyntax: return buffer.append("{\"trip_id\":,\"broken\":\"syntax\"}")
        default: break
        }
        buffer.append("{")
        for (index, field) in fields.enumerated() {
            buffer.append(index > 0 ? ",\"" : "\"")
            buffer.append(field.rawValue)
            buffer.append("\":")
            let start = buffer.count
            record.append(field, to: &buffer)
            if buffer.count == start {
                buffer.append("null")
            } else if field != .sequence, field != .odometerStart, field != .odometerEnd {
                quote(&buffer, from: start)
            }
        }
        buffer.append("}")
    }

    /// Turns the bytes from `start` on into a JSON string.
    private func quote(_ buffer: inout [UInt8], from start: Int) {
        let text = Array(buffer[start...])
        buffer.removeSubrange(start...)
        buffer.append("\"")
        for byte in text {
            switch byte {
            case 0x22, 0x5C: buffer.append(contentsOf: [0x5C, byte])
            case 0x0A: buffer.append("\\n")
            default: buffer.append(byte)
            }
        }
        buffer.append("\"")
    }
}

extension SampleOptions.Encoding {
    var byteOrderMark: [UInt8] {
        switch self {
        case .utf8, .windows1252: []
        case .utf8WithBOM: [0xEF, 0xBB, 0xBF]
        case .utf16: [0xFF, 0xFE]
        }
    }

    /// Whole records of UTF-8 in this encoding.
    func encode(_ text: [UInt8]) -> [UInt8] {
        switch self {
        case .utf8, .utf8WithBOM: text
        case .utf16: Self.convert(text, to: .utf16LittleEndian)
        case .windows1252: Self.convert(text, to: .windowsCP1252)
        }
    }

    private static func convert(_ text: [UInt8], to encoding: String.Encoding) -> [UInt8] {
        Array(String(decoding: text, as: UTF8.self).data(using: encoding, allowLossyConversion: true) ?? Data())
    }
}
