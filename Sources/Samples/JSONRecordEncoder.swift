import Trips

/// NDJSON, or one array. A blank is `null`; `sequence` and the odometers are numbers; everything else is the text that
/// CSV has, as in exports that keep cents exact.
struct JSONRecordEncoder: RecordEncoder {
    private struct Key {
        let field: CanonicalField
        /// `"name":`, after a comma but for the first.
        let text: [UInt8]
        let isNumber: Bool
    }

    private let keys: [Key]
    private let text: RecordText
    private let isArray: Bool
    private var isFirst = true
    private var scratch = SampleBytes()
    private let null = Array("null".utf8)

    init(fields: [CanonicalField], text: RecordText, isArray: Bool) {
        keys = fields.enumerated().map { place, field in
            let isNumber = field == .sequence || field == .odometerStart || field == .odometerEnd
            return Key(
                field: field, text: Array("\(place > 0 ? "," : "")\"\(field.rawValue)\":".utf8), isNumber: isNumber)
        }
        self.text = text
        self.isArray = isArray
    }

    mutating func begin(_ buffer: inout SampleBytes) {
        if isArray { buffer.append("[\n") }
    }

    mutating func append(_ record: SampleRecord, to buffer: inout SampleBytes) {
        if isArray, !isFirst { buffer.append(",\n") }
        isFirst = false
        switch record.fault {
        case .fieldCount: buffer.append("[\"not an object\"]")
        case .brokenSyntax: buffer.append("{\"trip_id\":,\"broken\":\"syntax\"}")
        default: appendObject(record, to: &buffer)
        }
        if !isArray { buffer.append(0x0A) }
    }

    mutating func end(_ buffer: inout SampleBytes) {
        if isArray { buffer.append("\n]\n") }
    }

    private mutating func appendObject(_ record: SampleRecord, to buffer: inout SampleBytes) {
        buffer.append(0x7B)
        for key in keys {
            buffer.append(key.text)
            scratch.removeAll()
            text.append(key.field, of: record, to: &scratch)
            if scratch.count == 0 {
                buffer.append(null)
            } else if key.isNumber {
                buffer.append(scratch.bytes)
            } else {
                appendQuoted(mayNeedEscapes: RecordText.mayNeedQuotes(key.field), to: &buffer)
            }
        }
        buffer.append(0x7D)
    }

    @inline(__always)
    private func appendQuoted(mayNeedEscapes: Bool, to buffer: inout SampleBytes) {
        buffer.append(0x22)
        if mayNeedEscapes {
            for byte in scratch.bytes {
                switch byte {
                case 0x22, 0x5C:
                    buffer.append(0x5C)
                    buffer.append(byte)
                case 0x0A:
                    buffer.append(0x5C)
                    buffer.append(0x6E)
                default: buffer.append(byte)
                }
            }
        } else {
            buffer.append(scratch.bytes)
        }
        buffer.append(0x22)
    }
}
