import Trips

/// Writes records one after the other in the plan's format.
protocol RecordEncoder {
    mutating func begin(_ buffer: inout SampleBytes)
    mutating func append(_ record: SampleRecord, to buffer: inout SampleBytes)
    mutating func end(_ buffer: inout SampleBytes)
}

/// CSV and TSV per RFC 4180, lines ended by LF; only what must be quoted is.
struct DelimitedEncoder: RecordEncoder {
    let fields: [CanonicalField]
    let text: RecordText
    let delimiter: UInt8
    private var scratch = SampleBytes()

    init(fields: [CanonicalField], text: RecordText, delimiter: UInt8) {
        self.fields = fields
        self.text = text
        self.delimiter = delimiter
    }

    mutating func begin(_ buffer: inout SampleBytes) {
        for (place, field) in fields.enumerated() {
            if place > 0 { buffer.append(delimiter) }
            buffer.append(field.rawValue)
        }
        buffer.append(0x0A)
    }

    mutating func append(_ record: SampleRecord, to buffer: inout SampleBytes) {
        let kept = record.fault == .fieldCount && record.tripNumber % 2 == 0 ? fields.count / 2 : fields.count
        for place in 0..<kept {
            if place > 0 { buffer.append(delimiter) }
            append(fields[place], of: record, to: &buffer)
        }
        switch record.fault {
        case .fieldCount where kept == fields.count:
            buffer.append(delimiter)
            buffer.append("left over")
        case .brokenSyntax:
            // A field of quoted text that goes on after its closing quote. It is one field more than the header has,
            // so that no reader can take it for a record.
            buffer.append(delimiter)
            buffer.append("\"broken\" quote")
        default: break
        }
        buffer.append(0x0A)
    }

    mutating func end(_ buffer: inout SampleBytes) {}

    @inline(__always)
    private mutating func append(_ field: CanonicalField, of record: SampleRecord, to buffer: inout SampleBytes) {
        guard RecordText.mayNeedQuotes(field) else {
            text.append(field, of: record, to: &buffer)
            return
        }
        scratch.removeAll()
        text.append(field, of: record, to: &scratch)
        let delimiter = delimiter
        guard scratch.bytes.contains(where: { $0 == delimiter || $0 == 0x22 || $0 == 0x0A || $0 == 0x0D }) else {
            buffer.append(scratch.bytes)
            return
        }
        buffer.append(0x22)
        for byte in scratch.bytes {
            if byte == 0x22 { buffer.append(0x22) }
            buffer.append(byte)
        }
        buffer.append(0x22)
    }
}
